/** What `npm run adapt` makes of an OpenAPI file in which one call could be either of two operations. */
import { join } from 'node:path';
import fc from 'fast-check';
import { project } from '../../cli/environment';
import type { Operation } from '../../conformance/adapt/operations';
import { type Plan, planAdaptation } from '../../conformance/adapt/plan';
import type { EditedFile } from '../../conformance/edits';
import { runNode } from '../support/processes';

/** Words of paths that stand for the same record, ours first. */
const synonyms = [
  ['messages', 'msgs'],
  ['templates', 'message-templates'],
  ['contacts', 'people', 'customers'],
  ['conversations', 'chats', 'threads'],
  ['campaigns', 'broadcasts'],
  ['webhooks', 'hooks', 'subscriptions'],
  ['workspace', 'account', 'organization'],
  ['channels', 'inboxes', 'senders'],
];

/** Returns the path with another word for its first record; its number chooses among them. */
const reword = (path: string, choice: number): string => {
  const words = synonyms.find(([ours = '']) => path.split('/').includes(ours));
  return path.replace(`/${words?.[0]}`, `/${words?.[choice % words.length]}`);
};

const toCamelCase = (name: string): string => name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase());

/** How an operation of the service differs from ours. */
const difference = fc.record({
  isThere: fc.boolean(),
  word: fc.nat({ max: 2 }),
  isCamelCase: fc.boolean(),
  hasCapitals: fc.boolean(),
  envelope: fc.constantFrom('data', 'items', 'results'),
  cursor: fc.constantFrom('after', 'cursor', 'page_token'),
});
type Difference = typeof difference extends fc.Arbitrary<infer D> ? D : never;

/** Returns a schema with the names and words of the service. */
const rename = (schema: unknown, given: Difference): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => rename(each, given));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (given.hasCapitals && key.endsWith('enum'))
        return [key, [value].flat().map((word) => String(word).toUpperCase())];
      const name = key === 'data' ? given.envelope : given.isCamelCase && key.includes('_') ? toCamelCase(key) : key;
      return [name, rename(value, given)];
    }),
  );
};

const change = (operation: Operation, given: Difference): Operation => ({
  ...operation,
  path: reword(operation.path, given.word),
  query: operation.query.map((name) => (name === 'after' ? given.cursor : name)),
  response: operation.response && Object(rename(operation.response, given)),
});

let ours: Operation[];
beforeAll(async () => {
  const { out } = await runNode([join(__dirname, 'print-operations.ts'), 'docs/openapi.json']);
  ours = JSON.parse(out);
});

const linesOf = (edits: readonly EditedFile[]): string[] =>
  edits.flatMap(({ file, lines }) =>
    lines.flatMap(({ from, to }, index) => {
      const texts = to.includes(from) ? to : [...to, '(gone)'];
      return texts.flatMap((text) => (text === from ? [] : `${file}:${index} ${text}`));
    }),
  );

/** The call of the contract that a plan has an operation for. */
const callOf = ({ calls }: Plan, { method, path }: Operation): string | undefined =>
  calls
    .find((line) => line.endsWith(` ${method} ${path}`))
    ?.trim()
    .split(' ')[0];

/** Returns an operation whose path has another word for the same record; the number chooses among them. */
const twinOf = (operation: Operation, choice: number): Operation => {
  const words = synonyms.find((each) => each.some((word) => operation.path.split('/').includes(word))) ?? [];
  const [word, ...others] = words.toSorted((one) => (operation.path.split('/').includes(one) ? -1 : 1));
  return { ...operation, path: operation.path.replace(`/${word}`, `/${others[choice % others.length]}`) };
};

test('a second operation for a call of the own contract is a question, and no edit', () => {
  const plan = planAdaptation(project, ours);
  for (const operation of ours) {
    const { calls, questions, edits } = planAdaptation(project, [...ours, twinOf(operation, 0)]);
    expect(edits).toEqual([]);
    expect(calls).not.toEqual(plan.calls);
    expect(questions).toEqual([expect.stringContaining(`\`${callOf(plan, operation)}\` may be `)]);
  }
});

test('an operation that is as good as another one turns edits into a question, and never into another edit', () => {
  const differences = fc.array(difference, { minLength: ours.length, maxLength: ours.length });
  fc.assert(
    fc.property(differences, fc.nat(), fc.nat({ max: 2 }), (all, index, choice) => {
      const theirs = ours.flatMap((operation, at) => (all[at]?.isThere ? [change(operation, all[at])] : []));
      const meant = theirs[index % theirs.length];
      fc.pre(meant !== undefined);
      const twin = twinOf(meant, choice);
      const before = planAdaptation(project, theirs);
      const call = callOf(before, meant);
      fc.pre(call !== undefined && !theirs.some(({ path }) => path === twin.path));
      const after = planAdaptation(project, [...theirs, twin]);
      expect(callOf(after, meant)).toBeUndefined();
      expect(after.questions.join('\n')).toContain(`\`${call}\` may be `);
      expect(linesOf(before.edits)).toEqual(expect.arrayContaining(linesOf(after.edits)));
    }),
    { numRuns: 40 },
  );
});

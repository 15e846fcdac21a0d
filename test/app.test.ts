import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { version } from '../package.json';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { kinds, plainFields, stepsOf, visibleStepsOf } from '../zapier/core/app-definition';

const steps = stepsOf(currentApp);

test('the app says its version and that of the platform', () => {
  expect(currentApp).toMatchObject({ version, platformVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

test.each(kinds)('every file in %s is a step that is registered under its name', (kind) => {
  const files = readdirSync(join(__dirname, '..', kind)).filter((file) => file !== 'index.ts');
  const registered = steps
    .filter((placed) => placed.kind === kind)
    .map(({ step }) => `${step.key.replaceAll('_', '-')}.ts`);
  expect([
    ...files
      .filter((file) => !registered.includes(file))
      .map((file) => `Register ${kind}/${file} in ${kind}/index.ts.`),
    ...registered.filter((file) => !files.includes(file)).map((file) => `Name the file of a step ${kind}/${file}.`),
  ]).toEqual([]);
});

test('no two steps share a function, since core tells functions by identity', () => {
  const performs = steps.flatMap(({ step }) =>
    Object.values(step.operation).filter((part) => typeof part === 'function'),
  );
  expect(performs.length).toBeGreaterThanOrEqual(steps.length);
  expect(new Set(performs).size).toBe(performs.length);
});

const repeated = (texts: (string | undefined)[]): (string | undefined)[] =>
  texts.filter((text, index) => texts.indexOf(text) < index);

interface Leaf {
  path: string;
  value: unknown;
}

/** Lists the values in a sample by the keys that output fields have: `contact__id`, or `messages[]id` in a list. */
const leavesOf = (value: unknown, path = ''): Leaf[] => {
  if (Array.isArray(value) && typeof value[0] === 'object') return leavesOf(value[0], `${path}[]`);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' || path.endsWith('[]') ? path + key : `${path}__${key}`),
  );
};

describe.each(steps)('$place', ({ step }) => {
  test('has each field once', () => {
    expect(repeated(plainFields(step).map(({ key }) => key))).toEqual([]);
  });

  test('has each output label once', () => {
    expect(repeated((step.operation.outputFields ?? []).map(({ label }) => label))).toEqual([]);
  });
});

test.each(visibleStepsOf(currentApp))('$place declares every key of its sample', ({ step }) => {
  const { outputFields = [], sample } = step.operation;
  const holdsNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const isDeclared = ({ path, value }: Leaf) =>
    outputFields.some(
      ({ key, type }) =>
        key === path ||
        (!type && path.startsWith(`${key}__`)) ||
        (holdsNothing(value) && [`${path}__`, `${path}[]`].some((start) => key.startsWith(start))),
    );
  expect(leavesOf(sample).filter((leaf) => !isDeclared(leaf))).toEqual([]);
});

test('no sample has template variables or custom details, which differ between workspaces', () => {
  const paths = steps.flatMap(({ place, step }) =>
    leavesOf(step.operation.sample).map(({ path }) => `${place} ${path}`),
  );
  expect(paths.filter((path) => /(variables|attributes)__/.test(path))).toEqual([]);
});

test('every field of a form with sections is in one of them', async () => {
  for (const { step } of stepsOf(await expandForms())) {
    const { inputFieldGroups } = z
      .looseObject({ inputFieldGroups: z._default(z.array(z.object({ key: z.string() })), []) })
      .parse(step.operation);
    const groups = new Set(inputFieldGroups.map(({ key }) => key));
    expect(new Set(plainFields(step).flatMap(({ group }) => (groups.size > 0 || group ? [group] : [])))).toEqual(
      groups,
    );
  }
});

const source = join(__dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test('no file of src is over 200 lines, except the tables of src/api', () => {
  const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 201);
  expect(long.filter((file) => !file.startsWith('api'))).toEqual([]);
});

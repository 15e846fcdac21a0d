/** The edits that conformance finds for a service with other names and words, which is the sandbox of an edited copy. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../cli/environment';
import { checkCopy, copyProject, makeEdit, makeFolder } from '../api/adapting/copy';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const resources = 'src/api/resources.ts';
const endpoints = 'src/api/endpoints.ts';

/** Starts a service with these edits, and a copy of the project without them. */
const start = async (edits: Parameters<typeof makeEdit>[1][], isSmall = true) => {
  const [service, copy] = [join(folder, 'service'), join(folder, 'copy')];
  for (const each of [service, copy]) copyProject(each);
  for (const edit of edits) makeEdit(service, edit);
  const { startSeeded }: typeof import('../support/seeded') = require(join(service, 'test/support/seeded'));
  const { url, tokens, stop } = await startSeeded({ isSmall });
  let [runs, latest] = [0, copy];
  const check = async (...args: string[]) => {
    runs += 1;
    const next = `${copy}-${runs}`;
    cpSync(latest, next, { recursive: true });
    latest = next;
    const options = ['--base-url', url, '--record', join(folder, 'recorded'), ...args];
    return checkCopy(next, options, { API_TOKEN: tokens.advanced });
  };
  const readLines = (file: string) => readFileSync(join(latest, file), 'utf8').split('\n');
  return { check, stop, readLines, copy };
};

const items = { file: endpoints, from: '{ data: z.array(item),', to: "{ data: wire.renamed('items', z.array(item))," };

test('edits the names and words that are certain, and the next run finds nothing', async () => {
  const { check, stop, readLines } = await start([
    items,
    {
      file: resources,
      from: '    category: nullish.text,',
      to: "    category: wire.renamed('kind', nullish.text),",
    },
    {
      file: resources,
      from: 'export type Plan =',
      to: "wire.mapValues(vocabulary.direction, { inbound: 'INBOUND', outbound: 'OUTBOUND' });\nexport type Plan =",
    },
  ]);
  const asked = await check();
  expect(asked.out).toContain('\nThese edits are safe. Add --fix to make them:\n--- src/api/endpoints.ts\n');
  expect(readLines(endpoints).join('\n')).not.toContain('items');
  // Records are only found once their list is.
  const runs = [await check('--fix'), await check('--fix'), await check('--accept', 'sending,webhooks,deliveries')];
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 0]);
  expect(readLines(endpoints)).toContain(
    "  z.looseObject({ data: wire.renamed('items', z.array(item)), next_cursor: nullish.cursor });",
  );
  expect(readLines(resources)).toContain("    category: wire.renamed('kind', nullish.text),");
  expect(readLines(resources)).toContain(
    "wire.mapValues(vocabulary.direction, { inbound: 'INBOUND', outbound: 'OUTBOUND' });",
  );
  await stop();
});

test("names the example with which the app doesn't start, although the service agrees", async () => {
  const { check, stop, copy } = await start([]);
  makeEdit(copy, {
    file: endpoints,
    from: "'recipient_unreachable'],\n    response: one(message.schema),",
    to: "'recipient_unreachable'],\n    response: wire.shaped(message.schema, { theirs: z.looseObject({}), fromWire: (sent) => sent, toWire: () => ({}) }),",
  });
  const { out, err, code } = await check();
  await stop();
  expect({ err, code }).toEqual({ err: '', code: 1 });
  expect(out).toContain('0 differ');
  expect(out).toMatch(/The app doesn't start with this contract, .*: src\/api: the example msg_\w+ has no valid `id`/);
});

test('says in one line which example a contract loses that no longer loads', async () => {
  const copy = join(folder, 'copy');
  copyProject(copy);
  makeEdit(copy, {
    file: resources,
    from: `export const message = resource(
  'Message',
  z.looseObject({`,
    to: `export const message = resource(
  'Message',
  wire.shaped(z.looseObject({`,
  });
  makeEdit(copy, {
    file: resources,
    from: `    failed_at: nullish.time,
  }),`,
    to: `    failed_at: nullish.time,
  }), { theirs: z.looseObject({}), fromWire: (theirs) => theirs, toWire: () => ({}) }),`,
  });
  const { out, err, code } = await checkCopy(copy, [], {});
  expect({ out, err, code }).toEqual({
    out: '',
    err: "The contract can't be used, so nothing was checked: src/api: the example msg_9Vb4Xs has no valid `id` after `toWire` and `fromWire`.\n",
    code: 2,
  });
});

/** What the page shows of each run in its example, without the numbers of lines in src/api. */
const runsOfPage = (): string[][] => {
  const page = readFileSync(join(project, 'docs/adapting.md'), 'utf8');
  const runs = [...page.matchAll(/```text\n\$ npm run conformance.*?\n(.*?)```/gs)];
  return runs.map(([, printed = '']) => printed.split('\n').filter((line) => !/^(…?$|@@)/.test(line)));
};

test('prints what the page shows as an example', async () => {
  const camelCase = 'wire.mapNames((name) => name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase()));';
  const words = "wire.mapValues(vocabulary.direction, { inbound: 'INBOUND', outbound: 'OUTBOUND' });";
  const { check, stop } = await start(
    [items, { file: resources, from: 'export type Plan =', to: `${camelCase}\n${words}\nexport type Plan =` }],
    false,
  );
  const printed = [await check('--fix'), await check('--fix'), await check()].map(({ out }) => out.split('\n'));
  await stop();
  const shown = runsOfPage();
  expect(shown).toHaveLength(3);
  for (const [index, lines] of printed.entries()) {
    // The page leaves lines out, but shows the others in their order.
    let from = 0;
    for (const line of shown[index] ?? []) {
      const at = lines.indexOf(line, from);
      expect({ line, of: at < 0 ? lines : [] }).toEqual({ line, of: [] });
      from = at + 1;
    }
  }
});

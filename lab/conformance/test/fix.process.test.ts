/** The edits that conformance finds for a service with other names and words, which is the sandbox behind a proxy. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSeeded } from '../../../test/support/seeded';
import { project } from '../../cli/environment';
import { listen } from '../../zapier/listen';
import { checkCopy, copyProject, makeFolder } from './adapting/copy';
import type { Reviver } from './faulty-proxy';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const resources = 'src/api/resources.ts';
const endpoints = 'src/api/endpoints.ts';

/** Starts a service that spells its responses so, and a copy of the project. Filters have words in capitals, too. */
const start = async (spell: Reviver, isSmall = true) => {
  const copy = join(folder, 'copy');
  copyProject(copy);
  const { url: base, tokens, stop: stopSandbox } = await startSeeded({ isSmall });
  const proxy = await listen(async ({ url = '', headers }, response) => {
    const got = await fetch(base + url.replaceAll(/(IN|OUT)BOUND/g, (word) => word.toLowerCase()), {
      headers: headers.authorization === undefined ? {} : { authorization: headers.authorization },
    });
    const body = JSON.stringify(JSON.parse(await got.text(), spell));
    response
      .writeHead(got.status, {
        'content-type': 'application/json',
        'x-request-id': got.headers.get('x-request-id') ?? '',
      })
      .end(body);
  });
  const { url } = proxy;
  const stop = async () => {
    await proxy.stop();
    await stopSandbox();
  };
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
  return { check, stop, readLines };
};

/** Renames the fields of an object. */
const renameFields = (value: unknown, rename: (name: string) => string): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), each]));

const inCapitals = (key: string, value: unknown): unknown =>
  key === 'direction' && typeof value === 'string' ? value.toUpperCase() : value;

test('edits the names and words that are certain, and the next run finds nothing', async () => {
  const theirs = new Map([
    ['data', 'items'],
    ['category', 'kind'],
  ]);
  const { check, stop, readLines } = await start((key, value) =>
    renameFields(inCapitals(key, value), (name) => theirs.get(name) ?? name),
  );
  const asked = await check();
  expect(asked.out).toContain('\nThese edits are safe. Add --fix to make them:\n--- src/api/endpoints.ts\n');
  expect(readLines(endpoints).join('\n')).not.toContain('items');
  // Records are only found once their list is.
  const runs = [
    await check('--fix'),
    await check('--fix'),
    await check('--accept', 'sending,keys,webhooks,deliveries'),
  ];
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

/** What the page shows of each run in its example, without the numbers of lines in src/api. */
const runsOfPage = (): string[][] => {
  const page = readFileSync(join(project, 'docs/adapting.md'), 'utf8');
  const runs = [...page.matchAll(/```text\n\$ npm run conformance.*?\n(.*?)```/gs)];
  return runs.map(([, printed = '']) => printed.split('\n').filter((line) => !/^(…?$|@@)/.test(line)));
};

test('prints what the page shows as an example', async () => {
  const camelCase = (name: string): string =>
    name === 'data' ? 'items' : name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase());
  const { check, stop } = await start((key, value) => renameFields(inCapitals(key, value), camelCase), false);
  const printed = [
    await check('--fix'),
    await check('--fix'),
    await check('--accept', 'sending,keys,webhooks,deliveries'),
  ].map(({ out }) => out.split('\n'));
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

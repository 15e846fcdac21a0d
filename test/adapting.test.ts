import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const project = resolve(__dirname, '..');
const run = promisify(execFile);

/** An edit of `docs/adapting.md`: whole lines of a file in place of others. */
interface Edit {
  file: string;
  from: string;
  to: string;
}

const linesOf = (diff: string, marks: string): string =>
  diff
    .split('\n')
    .filter((line) => line !== '' && marks.includes(line.charAt(0)))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

const readEdit = ([, file = '', diff = '']: string[]): Edit => ({
  file,
  from: linesOf(diff, ' -'),
  to: linesOf(diff, ' +'),
});

/** The edits under each heading. */
const examples = new Map(
  readFileSync(join(project, 'docs/adapting.md'), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/```diff\n--- (\S+)\n(.*?)```/gs)].map(readEdit),
    ]),
);

const parts = ['src', 'triggers', 'creates', 'searches', 'sandbox', 'playground', 'conformance'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapting-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the integration and the sandbox in which the edits are made, each of them in exactly one place. */
const copyWith = (name: string, edits: Edit[]): string => {
  const copy = join(folder, name.replaceAll(' ', '-'));
  for (const part of [...parts, 'test/adapting', 'package.json', 'tsconfig.json']) {
    cpSync(join(project, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, from, to } of edits) {
    const text = readFileSync(join(copy, file), 'utf8');
    expect({ file, from, times: text.split(from).length - 1 }).toEqual({ file, from, times: 1 });
    writeFileSync(
      join(copy, file),
      text.replace(from, () => to),
    );
  }
  return copy;
};

const node = async (copy: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd: copy, maxBuffer: 2 ** 24 }))
    .stdout;

const printed = z.object({ app: z.unknown(), unheld: z.array(z.unknown()), wire: z.unknown() });

/** Lets the copy's integration and sandbox deal with each other; `wire` is all that they said, as JSON. */
const play = async (copy: string) => {
  await node(copy, 'node_modules/typescript/bin/tsc');
  const { app, unheld, wire } = printed.parse(
    JSON.parse(await node(copy, '--import', 'tsx', 'test/adapting/round.ts')),
  );
  expect(unheld).toEqual([]);
  return { app, wire: JSON.stringify(wire) };
};

/** What people's Zaps see, whatever the service calls it. */
const app = {
  plan: 'advanced',
  started: {
    text: 'Your parcel PX-20418 arrives today at about 14:30.',
    to: expect.any(String),
    direction: 'outbound',
  },
  read: 'read',
  exists: 'A contact with this phone number or email already exists (ID). Use the Update Contact action to change it.',
  history: 110,
};

/** What is on the wire before an edit, and after it. */
type Spelling = [heading: string, before: string, after: string];

/** What stands in one place of `src/api` and takes one edit. */
const names: Spelling[] = [
  ['A path', '/v1/templates/', '/v1/message-templates/'],
  ['A field', '"text":', '"content":'],
  ['A header', '"webhook-signature":', '"x-service-signature":'],
  ['An event', '"message.sent"', '"message.dispatched"'],
  ['A status word', '"status":"read"', '"status":"seen"'],
  ['Errors', '"error":{"code":', '"error":{"type":'],
];

/** What takes several. */
const others: Spelling[] = [
  ['Pages', '"next_cursor":', '"next":'],
  ['Pages', '"after":', '"cursor":'],
  ['Another signature', '"v1,', '"sha256='],
];

test('before any edit the integration and the sandbox understand each other, by the names of the contract', async () => {
  const { wire, ...rest } = await play(copyWith('As it is', []));
  expect(rest).toEqual({ app });
  for (const [, before, after] of [...names, ...others]) {
    expect(wire).toContain(before);
    expect(wire).not.toContain(after);
  }
}, 60_000);

describe.each(names)('%s', (heading, before, after) => {
  const edits = examples.get(heading) ?? [];

  test('takes one edit, in src/api', () => {
    expect(edits).toMatchObject([{ file: expect.stringMatching(/^src\/api\/\w+\.ts$/) }]);
  });

  test('is spelled the new way on the wire, and a Zap notices nothing', async () => {
    const { wire, ...rest } = await play(copyWith(heading, edits));
    expect(rest).toEqual({ app });
    expect(wire).toContain(after);
    expect(wire).not.toContain(before);
  }, 60_000);
});

test('pages and signatures change by the other examples, all made together, and a Zap notices nothing', async () => {
  const headings = new Set(others.map(([heading]) => heading));
  const edits = [...headings].flatMap((heading) => examples.get(heading) ?? []);
  const { wire, ...rest } = await play(copyWith('The others', edits));
  expect(rest).toEqual({ app });
  for (const [, before, after] of others) {
    expect(wire).toContain(after);
    expect(wire).not.toContain(before);
  }
}, 60_000);

test('every example of the page is made', () => {
  expect([...names, ...others].map(([heading]) => heading)).toEqual(expect.arrayContaining([...examples.keys()]));
});

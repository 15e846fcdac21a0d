import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project, runNode } from './processes';

/** An example of `docs/adapting.md`: replaces whole lines of a file. */
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

/** What is on the wire before an example, and after it. */
type Spelling = [heading: string, before: string, after: string];

/** Each takes one edit of `src/api`. */
const names: Spelling[] = [
  ['A path', '/v1/templates/', '/v1/message-templates/'],
  ['A field', '"text":', '"content":'],
  ['A header', '"webhook-signature":', '"x-service-signature":'],
  ['An event', '"message.sent"', '"message.dispatched"'],
  ['A status word', '"status":"read"', '"status":"seen"'],
  ['Errors', '"error":{"code":', '"error":{"type":'],
];

/** Each takes several. */
const schemes: Spelling[] = [
  ['Pages', '"next_cursor":', '"next":'],
  ['Pages', '"after":', '"cursor":'],
  ['Another signature', '"v1,', '"sha256='],
];

test.each(names)('%s takes one edit, in src/api', (heading) => {
  expect(examples.get(heading)).toMatchObject([{ file: expect.stringMatching(/^src\/api\/\w+\.ts$/) }]);
});

test('every example of the page is tried', () => {
  expect([...names, ...schemes].map(([heading]) => heading)).toEqual(expect.arrayContaining([...examples.keys()]));
});

describe('a copy of the project with every example', () => {
  const copied = ['src', 'triggers', 'creates', 'searches', 'sandbox', 'playground', 'conformance', 'test/adapting'];
  const files = ['package.json', 'tsconfig.json'];
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'adapting-'));
    for (const part of [...copied, ...files]) cpSync(join(project, part), join(copy, part), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const { file, from, to } of [...examples.values()].flat()) {
      const text = readFileSync(join(copy, file), 'utf8');
      expect({ file, from, times: text.split(from).length - 1 }).toEqual({ file, from, times: 1 });
      writeFileSync(
        join(copy, file),
        text.replace(from, () => to),
      );
    }
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const node = (...args: string[]) => runNode(args, { cwd: copy });

  test('compiles', async () => {
    expect(await node('node_modules/typescript/bin/tsc')).toEqual({ out: '', err: '', code: 0 });
  });

  test('uses the new names on the wire and the old ones in Zaps, and conformance holds', async () => {
    const printed = z.object({ app: z.unknown(), unheld: z.unknown(), wire: z.unknown() });
    const round = printed.parse(JSON.parse((await node('--import', 'tsx', 'test/adapting/round.ts')).out));
    expect(round.unheld).toEqual([]);
    expect(round.app).toEqual({
      plan: 'advanced',
      started: {
        text: 'Your parcel PX-20418 arrives today at about 14:30.',
        to: expect.any(String),
        direction: 'outbound',
      },
      read: 'read',
      exists:
        'A contact with this phone number or email already exists (ID). Use the Update Contact action to change it.',
      history: 110,
    });
    const wire = JSON.stringify(round.wire);
    for (const [, before, after] of [...names, ...schemes]) {
      expect(wire).toContain(after);
      expect(wire).not.toContain(before);
    }
  });
});

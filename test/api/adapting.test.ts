import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project, runNode } from '../processes';

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

/** What is on the wire after an example, and what no longer is. */
type Difference = [heading: string, after: string, before?: string];

/** These exclude each other, so each list has its own copy. */
const copies: [name: string, differences: Difference[]][] = [
  [
    'most examples',
    [
      ['A path', '/message-templates/', '/templates/'],
      ['The prefix of every path', '"/api/v2/', '"/v1/'],
      ['A method', '"PUT"', '"PATCH"'],
      ['A search by POST', '/campaigns/search"', '/campaigns?'],
      ['A parameter in the path', '/contacts/by-phone/', '"phone":"+1202555012'],
      ['A query parameter', '"label":', '"tag":'],
      ['Names in camelCase', '"conversationId":', '"conversation_id":'],
      ['A field', '"content":', '"text":'],
      ['An event', '"message.dispatched"', '"message.sent"'],
      ['The type of an event', '"event":', '"type":"message'],
      ['A status word', '"status":"seen"', '"status":"read"'],
      ['Errors', '"error":{"type":', '"error":{"code":'],
      ['Times', '"createdAt":1', '"createdAt":"'],
      ['Ids', '"id":1', '"id":"'],
      ['Variables as a list', '"variables":[{"name":', '"variables":{'],
      ['A single response in an envelope', '{"body":{"data":{', '{"body":{"id":'],
      ['A list in another envelope', '"paging":{"next":', '"nextCursor":'],
      ['The cursor', '"cursor":', '"after":'],
      ['A send that returns an id', '{"body":{"message_id":'],
      ['Several events in a delivery', '"body":{"events":[', '"body":{"id":'],
      ['A header', '"x-service-signature":', '"webhook-signature":'],
      ['Another signature', '"sha256=', '"v1,'],
    ],
  ],
  [
    'page numbers and unsigned deliveries',
    [
      ['Page numbers', '"pages":', '"next_cursor":'],
      ['A delivery in another envelope', '"payload":', '"id":"evt_'],
      ['No signature', '?secret=', '"webhook-signature":'],
      ['Webhooks that live shorter', ''],
    ],
  ],
  [
    'offsets and events without the record',
    [
      ['Offsets', '"total":', '"next_cursor":'],
      ['Events without the record', '"object_id":', '"body":{"id":"evt_1","data":{"id"'],
      ["Calls that don't exist", 'There is nothing at GET /v1/channels'],
    ],
  ],
  [
    'no webhooks and no keys',
    [
      ['No webhooks', 'There is nothing at GET /v1/webhooks'],
      ['Idempotency keys that are ignored', '', '"idempotent-replayed"'],
    ],
  ],
];

const headingsOf = (differences: Difference[]): string[] => differences.map(([heading]) => heading);

test('every example of the page is tried', () => {
  expect(copies.flatMap(([, differences]) => headingsOf(differences)).toSorted()).toEqual(
    [...examples.keys()].toSorted(),
  );
});

test('an example takes at most 15 lines, in one file of src/api', () => {
  for (const edits of examples.values()) {
    const files = new Set(edits.map(({ file }) => file));
    expect([...files]).toEqual([expect.stringMatching(/^src\/api\/\w+\.ts$/)]);
    for (const { to } of edits) expect(to.split('\n').length - 1).toBeLessThanOrEqual(15);
  }
});

const printed = z.object({
  app: z.looseObject({ steps: z.array(z.string()) }),
  lostByMask: z.unknown(),
  unheld: z.unknown(),
  wire: z.unknown(),
});

const copied = [
  'package.json',
  'src',
  'triggers',
  'creates',
  'searches',
  'sandbox',
  'playground',
  'conformance',
  'scripts/cli',
  'test/api/adapting/round.ts',
];

const makeEdit = (copy: string, { file, from, to }: Edit): void => {
  const text = readFileSync(join(copy, file), 'utf8');
  expect({ file, from, times: text.split(from).length - 1 }).toEqual({ file, from, times: 1 });
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  );
};

/** One folder with all copies, so that one compiler and one process read the packages once. */
let folder: string;
const folderOf = (name: string): string => join(folder, name.replaceAll(' ', '-'));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapting-'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [name, differences] of copies) {
    const copy = folderOf(name);
    for (const part of copied) cpSync(join(project, part), join(copy, part), { recursive: true });
    for (const heading of headingsOf(differences)) {
      for (const edit of examples.get(heading) ?? []) makeEdit(copy, edit);
    }
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The rest of a copy uses the same names and types of src/api as in the first one.
test('the copies compile', async () => {
  const [first = '', ...others] = copies.map(([name]) => folderOf(name));
  const include = [join(first, 'test'), ...others.map((copy) => join(copy, 'src/api'))];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(project, 'tsconfig.json'), include }));
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  expect(await runNode([compiler, '--singleThreaded'], { cwd: folder })).toEqual({ out: '', err: '', code: 0 });
});

describe('integration, sandbox and conformance agree', () => {
  let lines: string[];

  beforeAll(async () => {
    const folders = copies.map(([name]) => folderOf(name));
    const { out, err } = await runNode(['test/api/adapting/rounds.ts', ...folders]);
    expect(err).toBe('');
    lines = out.trim().split('\n');
  });

  test.each(copies.map(([name, differences], index) => ({ name, differences, index })))(
    'in a copy of the project with $name',
    ({ differences, index }) => {
      const { app, lostByMask, unheld, wire } = printed.parse(JSON.parse(lines[index] ?? ''));
      expect(unheld).toEqual([]);
      expect(lostByMask).toEqual([]);
      const headings = headingsOf(differences);
      const hasTemplates = !headings.includes("Calls that don't exist");
      const hasWebhooks = !headings.includes('No webhooks');
      const { steps, ...given } = app;
      expect(['find_template', 'list_channels'].map((step) => steps.includes(step))).toEqual([
        hasTemplates,
        hasTemplates,
      ]);
      expect(['message_sent', 'send_message_and_wait'].map((step) => steps.includes(step))).toEqual([
        hasWebhooks,
        hasWebhooks,
      ]);
      expect(given).toEqual({
        dropdowns: hasTemplates ? ['channel', 'template'] : [],
        sent: { id: 'string', to: '+12025550123', variables: { parcel_id: 'PX-1', arrival_time: '14:30' } },
        ...(hasTemplates && { plan: 'advanced' }),
        ...(hasWebhooks && {
          started: {
            text: 'Your parcel PX-20418 arrives today at about 14:30.',
            to: expect.any(String),
            direction: 'outbound',
          },
        }),
        read: 'read',
        exists:
          'Another contact already has this phone number or email (ID). To change that contact, use Create or Update Contact, or choose it in Update Contact.',
        history: 110,
      });
      const text = JSON.stringify(wire);
      for (const [heading, after, before] of differences) {
        const isBefore = before !== undefined && text.includes(before);
        expect({ heading, after: text.includes(after), before: isBefore }).toEqual({
          heading,
          after: true,
          before: false,
        });
      }
    },
  );
});

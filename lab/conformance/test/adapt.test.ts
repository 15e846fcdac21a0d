/** `npm run adapt`: from the OpenAPI file of a service to the first edits of the contract. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeDocument } from '../../../scripts/openapi/document';
import { printedBy } from '../../../test/support/printed';
import { project } from '../../cli/environment';
import { readDocument } from '../adapt/document';
import { adapt } from '../adapt/main';
import { type Description, describeService, type Operation } from '../adapt/operations';
import { type Plan, planAdaptation } from '../adapt/plan';
import type { EditedFile } from '../edits';
import { withServer } from './server';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The contract as nobody has edited it, also in a project that is adapted. Only copies of it may be edited. */
let contract: string;

/** What an adapter edits of what the command edits. */
const unedited: [file: string, edited: RegExp, line: string][] = [
  [
    'service',
    /^import .* from '\.\/presets';(\nimport .* from '\.\/presets';)?$/m,
    "import { bearer } from './presets';",
  ],
  ['service', /^export const prefix: string = .*;$/m, "export const prefix: string = '/v1';"],
  ['service', /^export const authorize: Authorize = .*;$/m, 'export const authorize: Authorize = bearer;'],
  ['service', /^export const hooks: Hooks = \{(\n.*?\n)?\};$/ms, 'export const hooks: Hooks = {};'],
  ['endpoints', /^(export const keepsIdempotencyKeys: boolean =) .*;$/m, '$1 true;'],
];

beforeAll(() => {
  contract = mkdtempSync(join(tmpdir(), 'contract-'));
  cpSync(join(project, 'src/api'), join(contract, 'src/api'), { recursive: true });
  for (const [name, edited, line] of unedited) {
    const file = join(contract, `src/api/${name}.ts`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(edited, line));
  }
});
afterAll(() => rmSync(contract, { recursive: true, force: true }));

const run = (args: string[], root = contract) => printedBy(() => adapt(args, root));

const write = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** Runs the command for the file of a service with these paths, each with its methods. */
const runFor = (paths: Record<string, Record<string, object>>, more: object = {}) => {
  const info = { title: 'A service', version: '1' };
  return run(['--openapi', write('openapi.json', JSON.stringify({ openapi: '3.0.3', info, paths, ...more }))]);
};

/** Copies the contract into a folder, where it may be edited. */
const copyContract = (): string => {
  cpSync(join(contract, 'src/api'), join(folder, 'src/api'), { recursive: true });
  return folder;
};

const ofText = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const returning = (properties: object, more: object = {}) => ({
  ...more,
  responses: {
    200: { description: 'Done', content: { 'application/json': { schema: { type: 'object', properties } } } },
  },
});
const record = { get: returning(ofText('id')) };

let ownFile: string;
let own: Description;
let ours: readonly Operation[];
beforeAll(async () => {
  ownFile = join(contract, 'openapi.json');
  writeFileSync(ownFile, writeDocument());
  own = describeService((await readDocument(ownFile)).content, ownFile);
  ours = own.operations;
});

test('makes no edit and asks nothing for the file of its own contract', async () => {
  const { out, err, code } = await run(['--openapi', ownFile]);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toMatch(/\n\n0 questions are open\. Then compare the service itself: npm run conformance\n$/);
  expect(out).not.toContain('src/api');
});

test('edits the prefix and a path, how requests are authorized, and that keys are ignored', async () => {
  const keyless = JSON.parse(readFileSync(ownFile, 'utf8'), (key, value) => {
    if (key === 'securitySchemes') return { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } };
    if (key !== 'parameters' || !Array.isArray(value)) return value;
    return value.filter((each) => !/idempotency/i.test(each.name ?? each.$ref));
  });
  const theirs = JSON.stringify(keyless)
    .replaceAll('"/v1/templates', '"/v1/message-templates')
    .replaceAll('"/v1/', '"/api/v2/');
  const root = copyContract();
  const { out } = await run([write('theirs.json', theirs), '--fix'], root);
  expect(out).toContain('\nEdited src/api. Run the command again:\n--- src/api/endpoints.ts\n');
  const changed = (name: string) => {
    const [before, after] = [contract, root].map((each) =>
      readFileSync(join(each, `src/api/${name}.ts`), 'utf8').split('\n'),
    );
    return after?.filter((line) => !before?.includes(line));
  };
  expect(changed('service')).toEqual([
    "import { inHeader } from './presets';",
    "export const prefix: string = '/api/v2';",
    "export const authorize: Authorize = inHeader('X-Api-Key');",
    'export const hooks: Hooks = {',
    "  listTemplates: { path: '/api/v2/message-templates' },",
  ]);
  expect(changed('endpoints')).toEqual(['export const keepsIdempotencyKeys: boolean = false;']);
  const again = await run(['--openapi', write('again.json', theirs), '--fix'], root);
  expect(again.out).not.toContain('+++ src/api');
});

const scheme = (each: object) => ({ components: { securitySchemes: { each } } });

const list = returning({ data: { type: 'array', items: { type: 'object', properties: ofText('id') } } });
const pageNumbers = [
  { name: 'page', in: 'query' },
  { name: 'per_page', in: 'query' },
];
const body = { content: { 'application/json': { schema: { properties: ofText('recipient', 'text') } } } };

interface Asked {
  what: string;
  /** By default only a call that reads a contact. */
  paths?: Parameters<typeof runFor>[0];
  more?: object;
  questions: string[];
  /** A line that is added; null for no edit at all. */
  edit?: string | null;
}

test.each<Asked>([
  {
    what: 'each call that has two matches, another method or none',
    paths: {
      '/contacts': { get: list },
      '/contacts/{id}': { put: returning(ofText('id')) },
      '/inboxes': { get: list },
      '/senders': { get: list },
    },
    questions: [
      '`updateContact` may be PUT /contacts/{id}.',
      '`listChannels` may be GET /inboxes or GET /senders.',
      'The file has nothing like `sendMessage`, ',
    ],
  },
  {
    what: 'which of two versions is meant',
    paths: { '/v1/contacts/{id}': record, '/v2/contacts/{id}': record },
    questions: ['`getContact` may be GET /v1/contacts/{id} or GET /v2/contacts/{id}.'],
    edit: null,
  },
  {
    what: 'about every call of a file that has none of them',
    paths: { '/invoices': { get: returning({}) } },
    questions: ['`getContact`', 'Find each call, or add it to `missing`.'],
    edit: null,
  },
  {
    what: 'how lists are paged that have page numbers',
    paths: { '/contacts': { get: returning({ data: { type: 'array' } }, { parameters: pageNumbers }) } },
    questions: ['`listContacts` has no `after` in its query (page, per_page). See "Pages".'],
  },
  {
    what: 'what a call sends that its body does not have',
    paths: { '/messages': { post: returning(ofText('id'), { requestBody: body }) } },
    questions: [
      "`sendMessage` sends `channel`, `to`, `template`, `variables`, which its body doesn't have; there is `recipient`, `text`.",
    ],
  },
  {
    what: 'about a project in every path, which is part of the address',
    paths: { '/contacts': { get: returning({}) }, '/contacts/{contactId}': record },
    more: { servers: [{ url: 'https://{region}.example.com/v3/projects/{project_id}' }] },
    questions: ['1. Every path starts with /v3/projects/{project_id}. API Base URL then has this part,'],
    edit: "export const prefix: string = '';",
  },
  {
    what: 'about a path with other characters, which would be code',
    paths: { "/o'brien/contacts/{id}": record },
    questions: ["The start of every path has unusual characters: /o'brien. Edit `prefix` by hand."],
    edit: null,
  },
  {
    what: 'about a prefix that would make the address another host',
    paths: { '/contacts/{id}': record },
    more: { servers: [{ url: 'https://api.example.com/{account}@evil.example/v1' }] },
    questions: ['The start of every path has unusual characters: @evil.example/v1.'],
    edit: null,
  },
  {
    what: 'nothing about calls below two starts',
    paths: { '/v2/contact/contacts': { get: list }, '/v2/whatsapp/Messages.json': { post: list } },
    questions: ['`getMessage`'],
    edit: "  sendMessage: { path: '/v2/whatsapp/Messages.json' },",
  },
  {
    what: 'nothing of a call that reads customers, for one that reads the account',
    paths: { '/v2/contacts': { get: list }, '/v2/accounts': { get: list } },
    questions: ['The file has nothing like', '`getWorkspace`'],
  },
  {
    what: 'who the user is',
    more: scheme({ type: 'http', scheme: 'basic' }),
    questions: ['Basic authentication needs a user: '],
    edit: null,
  },
  {
    what: 'how the key is written in the header Authorization',
    more: scheme({ type: 'apiKey', in: 'header', name: 'Authorization' }),
    questions: ['perhaps after a word'],
    edit: null,
  },
  {
    what: 'which of several ways to authorize is meant',
    more: { components: { securitySchemes: { a: { type: 'apiKey', in: 'query', name: 'a' }, b: { type: 'oauth2' } } } },
    questions: ['Choose one.'],
    edit: null,
  },
  {
    what: 'which group of calls is meant, and takes no other group for ours',
    paths: { '/v2/contacts/{id}': record, '/v2/email/threads': { get: list }, '/v2/email/messages': { post: list } },
    questions: ['`listConversations` may be GET /v2/email/threads.', '`sendMessage` may be POST /v2/email/messages.'],
    edit: 'export const keepsIdempotencyKeys: boolean = false;',
  },
  {
    what: 'about a webhook that nothing removes, since it may be the only one of an account',
    paths: { '/v1/contacts/{id}': record, '/v1/whatsapp/webhooks': { get: list, put: list } },
    questions: [
      '`createWebhook` may be PUT /v1/whatsapp/webhooks.',
      '`listWebhooks` may be GET /v1/whatsapp/webhooks.',
    ],
    edit: null,
  },
  {
    what: 'about a body that is a form',
    paths: {
      '/v1/messages': {
        post: returning({}, { requestBody: { content: { 'application/x-www-form-urlencoded': {} } } }),
      },
    },
    questions: ['`sendMessage` takes application/x-www-form-urlencoded instead of JSON.'],
    edit: 'export const keepsIdempotencyKeys: boolean = false;',
  },
  {
    what: 'nothing about a key in the query',
    more: scheme({ type: 'apiKey', in: 'query', name: 'key' }),
    questions: [],
    edit: "export const authorize: Authorize = inQuery('key');",
  },
  {
    what: 'what to do about OAuth',
    more: scheme({ type: 'oauth2' }),
    questions: ['1. The file has no way to authorize that the contract knows.'],
    edit: null,
  },
  {
    what: 'for the parts of a file that are elsewhere',
    paths: { '/v1/contacts/{id}': { get: { $ref: 'contact.yaml#/get' } } },
    questions: [
      "1. The file refers to what isn't in it, which isn't downloaded: contact.yaml#/get. Add these parts to the file.",
    ],
    edit: null,
  },
])('asks $what', async ({ paths = { '/v1/contacts/{id}': record }, more, questions, edit }) => {
  const { out, code } = await runFor(paths, more);
  expect(code).toBe(1);
  for (const question of questions) expect(out).toContain(question);
  if (edit === null) expect(out).not.toContain('+++ src/api');
  if (edit) expect(out).toContain(`\n+${edit}\n`);
});

test.each([
  ['that is missing', 'no.json', undefined, "no.json can't be read: "],
  ['that is no OpenAPI 3', 'old.json', '{"swagger": "2.0", "paths": {}}', "old.json isn't an OpenAPI 3 file."],
])('says in one line what is wrong with a file %s', async (_what, name, content, problem) => {
  if (content !== undefined) write(name, content);
  const { out, err, code } = await run(['--openapi', join(folder, name)]);
  expect({ out, err, code }).toEqual({ out: '', err: expect.stringContaining(problem), code: 2 });
  expect(err.trim().split('\n').length).toBeLessThan(3);
});

test('requests nothing, wherever a reference leads', async () => {
  const requests: unknown[] = [];
  await withServer(
    ({ url }, response) => {
      requests.push(url);
      response.end('{}');
    },
    async (url) => {
      const item = { get: { $ref: `${url}/item.json` } };
      const { out } = await runFor({
        '/v1/contacts/{id}': item,
        '/v1/contacts': { get: { $ref: `//${new URL(url).host}/` } },
      });
      expect(out).toContain(`${url}/item.json, //`);
    },
  );
  expect(requests).toEqual([]);
});

test('ends within two seconds and 200 MB for schemas that hold themselves many times', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Schema${index}`);
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const properties = Object.fromEntries(references.map((each, index) => [`field_${index}`, each]));
  const schema = { type: 'object', allOf: references, anyOf: references, properties };
  const schemas = Object.fromEntries(names.map((name) => [name, schema]));
  const media = { 'application/json': { schema: references[0] } };
  const operation = { requestBody: { content: media }, responses: { 200: { description: 'Done', content: media } } };
  const before = { cpu: process.cpuUsage(), heap: process.memoryUsage().heapUsed };
  const { code } = await runFor({ '/messages': { get: operation, post: operation } }, { components: { schemas } });
  const { user, system } = process.cpuUsage(before.cpu);
  expect(code).toBe(1);
  expect((user + system) / 1e6).toBeLessThan(2);
  expect((process.memoryUsage().heapUsed - before.heap) / 1e6).toBeLessThan(200);
});

/** Texts that would end a literal, a comment or a line of code, or write over a terminal. */
const hostile = [
  "'",
  '"',
  '`',
  '\\',
  '`${',
  '\n',
  '\u2028',
  '*/',
  '//',
  "', process.exit(), '",
  '\u001b[2K',
  '\u202e',
  '@evil.example/',
];

/** A text, mostly as it is, and else with something hostile in it. */
const spoiled = (text: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(text) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...hostile), fc.nat({ max: text.length }))
        .map(([added, at]) => text.slice(0, at) + added + text.slice(at)),
    },
  );

/** A text in quotes that ends where it should. */
const quoted = String.raw`'(?:[^'\\\n\r\u2028\u2029]|\\.)*'`;
const plainPath = String.raw`'(?:/[\w.~:@+=,{}-]+)*'`;

/** Everything that an edit may write in place of a line. */
const written = new RegExp(
  `^(?:${[
    String.raw`import \{ \w+ \} from '\./presets';`,
    `export const prefix: string = ${plainPath};`,
    `export const authorize: Authorize = \\w+\\(${quoted}\\);`,
    'export const keepsIdempotencyKeys: boolean = false;',
    String.raw`export const hooks: Hooks = \{`,
    `  \\w+: \\{ path: ${plainPath} \\},`,
    String.raw`\};`,
  ].join('|')})$`,
);

test('an edit writes nothing but the lines that it may, with texts that end where they should, whatever is in the file', () => {
  const spoiledOperation = (operation: Operation) =>
    spoiled(operation.path.replace('/v1', '/v2').replace('/templates', '/message-templates')).map((path) => ({
      ...operation,
      path,
    }));
  let edited = 0;
  fc.assert(
    fc.property(fc.tuple(...ours.map(spoiledOperation)), spoiled('/v2'), spoiled('x-api-key'), (all, prefix, name) => {
      const operations = all.map((each) => ({ ...each, path: each.path.replace('/v2', prefix) }));
      const { edits } = planAdaptation(contract, { operations, schemes: [{ type: 'apiKey', in: 'header', name }] });
      const lines = edits.flatMap((each) => each.lines.flatMap(({ from, to }) => to.filter((line) => line !== from)));
      expect(lines.filter((line) => !written.test(line))).toEqual([]);
      edited += edits.length;
    }),
  );
  expect(edited).toBeGreaterThan(10);
});

test('prints nothing that writes over the terminal', async () => {
  const path = '/v1/\u001b[2Kcontacts/{\u009b1A}';
  const { out } = await runFor({ [path]: { get: returning(ofText('\u001b]0;first', '\u202efirst_name')) } });
  expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

/** Words of paths that stand for the same record, ours first. */
const synonyms = [
  ['messages', 'msgs'],
  ['templates', 'message-templates'],
  ['contacts', 'people', 'customers'],
  ['conversations', 'chats', 'threads'],
  ['campaigns', 'broadcasts'],
  ['webhooks', 'hooks', 'subscriptions'],
  ['channels', 'inboxes', 'senders'],
];

/** Returns an operation whose path has another word for the same record; the number chooses among them. */
const alternativeTo = (operation: Operation, choice: number): Operation => {
  const words = synonyms.find((each) => each.some((word) => operation.path.split('/').includes(word))) ?? [];
  const [word, ...others] = words.toSorted((one) => (operation.path.split('/').includes(one) ? -1 : 1));
  return { ...operation, path: operation.path.replace(`/${word}`, `/${others[choice % others.length]}`) };
};

/** How an operation of the service differs from ours. */
const difference = fc.record({ isThere: fc.boolean(), word: fc.nat({ max: 2 }) });

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

test('an operation that is as good as another one turns edits into a question, and never into another edit', () => {
  const differences = fc.array(difference, { minLength: ours.length, maxLength: ours.length });
  fc.assert(
    fc.property(differences, fc.nat(), fc.nat({ max: 2 }), (all, index, choice) => {
      const theirs = ours.flatMap((operation, at) => {
        const given = all[at];
        if (!given?.isThere) return [];
        return [given.word > 0 ? alternativeTo(operation, given.word) : operation];
      });
      const meant = theirs[index % theirs.length];
      fc.pre(meant !== undefined);
      const alternative = alternativeTo(meant, choice);
      const before = planAdaptation(contract, { ...own, operations: theirs });
      const call = callOf(before, meant);
      fc.pre(call !== undefined && !theirs.some(({ path }) => path === alternative.path));
      const after = planAdaptation(contract, { ...own, operations: [...theirs, alternative] });
      expect(callOf(after, meant)).toBeUndefined();
      expect(after.questions.join('\n')).toContain(`\`${call}\` may be `);
      expect(linesOf(before.edits)).toEqual(expect.arrayContaining(linesOf(after.edits)));
    }),
    { numRuns: 40 },
  );
});

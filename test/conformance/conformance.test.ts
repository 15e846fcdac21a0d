import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { readOptions, WrongUse } from '../../conformance/options';
import { mask } from '../../conformance/recording/mask';
import { checkService } from '../../conformance/run';
import { startSandbox } from '../../sandbox/sandbox';
import { list } from '../../src/api/endpoints';
import { contact, message, webhook } from '../../src/api/resources';
import { receivedBy } from '../received';
import { newNumber, Running } from '../sandbox/running';
import { type Bend, startBent } from './faulty-proxy';

const running = new Running();
const project = resolve(__dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command as a person does, and gives what it printed and how it ended. */
const run = async (...args: string[]) => {
  const command = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'conformance/main.ts', ...args];
  const child = spawn(process.execPath, command, { cwd: project });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
};

const connection = (url = running.url): string[] => {
  return ['--base-url', url, '--token', running.sandbox.tokens.advanced, '--record', join(folder, 'recorded')];
};

/** What differs, and how, when the service is bent. */
const findDifferences = async (bend: Bend, ...args: string[]): Promise<string[]> => {
  const bent = await startBent(running.url, bend);
  const { rows } = await checkService(readOptions([...connection(bent.url), ...args]), () => undefined);
  await bent.stop();
  return rows.filter(({ outcome }) => outcome === 'differs').map(({ check, how }) => `${check}: ${how}`);
};

describe('against the sandbox', () => {
  test('everything that only reads holds, and nothing else is done', async () => {
    await running.control('DELETE', '/requests');
    const { out, err, code } = await run(...connection());
    expect(out).toMatch(/^check +basis +outcome +how\n/);
    expect(out).toMatch(/\nsendMessage +specified +not asked +add --write\n/);
    expect(out).toMatch(/\n38 held, 0 differ, 0 could not be checked, 20 were not asked for\./);
    expect(err).toContain('[58/58] the rate limit');
    expect(code).toBe(0);
    const methods = (await receivedBy(running.sandbox)).map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  test('everything holds, a message is sent to the number alone, and nothing is left behind', async () => {
    const number = newNumber();
    await running.control('DELETE', '/requests');
    const { out, code } = await run(...connection(), '--write', '--to', number);
    expect(out).toMatch(/\n56 held, 0 differ, 0 could not be checked, 2 were not asked for\./);
    expect(code).toBe(0);
    const sends = (await receivedBy(running.sandbox)).filter(
      ({ path, method }) => `${method} ${path}` === 'POST /v1/messages',
    );
    expect(new Set(sends.map(({ body }) => message.schema.parse({ id: '', ...Object(body) }).to))).toEqual(
      new Set([number]),
    );
    const { data: messages } = await running.get(list(message.schema), '/v1/messages?direction=outbound');
    expect(messages.filter(({ to }) => to === number)).toHaveLength(1);
    expect(await running.get(list(contact.schema), '/v1/contacts?tag=conformance-check')).toMatchObject({ data: [] });
    expect(await running.get(list(webhook.schema), '/v1/webhooks')).toMatchObject({ data: [] });
  });

  test('a field that the contract does not know is told and is no difference', async () => {
    const value = (key: string, it: unknown) => (key === '' ? { ...Object(it), shoe_size: 43 } : it);
    const bent = await startBent(running.url, { value });
    const { rows } = await checkService(readOptions(connection(bent.url)), () => undefined);
    await bent.stop();
    expect(rows.filter(({ outcome }) => outcome === 'differs')).toEqual([]);
    expect(rows).toContainEqual(
      expect.objectContaining({ check: 'getContact', how: '200, with fields besides such as `shoe_size`' }),
    );
  });

  test('the limit of requests is looked for only when the command says so', async () => {
    const limited = await startSandbox({ rateLimit: 150 });
    const options = ['--base-url', limited.url, '--token', limited.tokens.advanced, '--rate-limit'];
    const { rows } = await checkService(readOptions(options), () => undefined);
    await limited.stop();
    expect(rows.filter(({ outcome }) => outcome !== 'not asked' && outcome !== 'held')).toEqual([]);
    expect(rows.at(-1)).toMatchObject({ outcome: 'held', how: '429 rate_limited, retry-after of 1 seconds' });
  });
});

/** Leaves out or changes what is called so. */
const changed =
  (name: string, change: (value: unknown) => unknown) =>
  (key: string, value: unknown): unknown =>
    key === name ? change(value) : value;

const paged = [
  ...['listMessages', 'listTemplates', 'listContacts', 'listConversations'],
  ...['listConversationMessages', 'listCampaigns'],
];
const single = [
  'getMessage',
  'getTemplate',
  'getContact',
  'getConversation',
  'listConversationMessages',
  'getCampaign',
];

/** Ways in which a service can be bent, and what is named then, and nothing besides. */
const bends: [what: string, bend: Bend, named: string[]][] = [
  [
    'a missing field',
    { value: changed('assignee', () => undefined) },
    ['listConversations: `data[].assignee` is missing', 'getConversation: `assignee` is missing'],
  ],
  [
    'another type',
    { value: changed('message_count', String) },
    [
      'listConversations: `data[].message_count` is text, not a number',
      'getConversation: `message_count` is text, not a number',
    ],
  ],
  [
    'a word that is not known',
    { value: changed('consent', () => 'agreed') },
    [
      'listContacts: `data[].consent` has the unknown word "agreed"',
      'getContact: `consent` has the unknown word "agreed"',
    ],
  ],
  [
    'another way to write a time',
    { value: changed('updated_at', () => '11-06-2026 09:41') },
    [
      'listContacts: `data[].updated_at` is not a time in ISO 8601 with Z',
      'getContact: `updated_at` is not a time in ISO 8601 with Z',
    ],
  ],
  [
    'a page that comes again and again',
    { deafTo: ['after'] },
    [
      ...paged.map((name) => `${name}, in pages: the next page repeats the page before`),
      'a cursor that is none: answers 200 and not 422',
    ],
  ],
  [
    'pages without a cursor',
    { value: changed('next_cursor', () => null) },
    paged.map((name) => `${name}, in pages: has no cursor though there are more records`),
  ],
  [
    'a filter that is not heard',
    { deafTo: ['direction'] },
    ['listMessages, filtered: `direction` lets through what has another value'],
  ],
  [
    'another shape of errors',
    { value: (key, value) => (key === '' && Object(value).request_id ? { title: 'No' } : value) },
    [
      ...single.map((name) => `${name}, when there is none`),
      'a path that does not exist',
      'a wrong token',
      'no token',
      'a limit that cannot be',
      'a cursor that is none',
    ].map((name) => `${name}: \`error\` is missing; \`request_id\` is missing`),
  ],
  [
    'another status for what does not exist',
    { status: { 404: 400 } },
    [...single.map((name) => `${name}, when there is none`), 'a path that does not exist'].map(
      (name) => `${name}: answers 400 and not 404`,
    ),
  ],
  [
    'another status for a wrong token',
    { status: { 401: 403 } },
    ['a wrong token: answers 403 and not 401', 'no token: answers 403 and not 401'],
  ],
  [
    'an answer that nobody can trace',
    { lost: ['x-request-id'] },
    ['the header x-request-id: an answer to GET /v1/workspace is without'],
  ],
];

test.each(bends)('%s is named, by check and how', async (_what, bend, named) => {
  expect(await findDifferences(bend)).toEqual(named);
});

const writingBends: [what: string, bend: Bend, named: string[]][] = [
  [
    'another secret than the one that signs',
    { value: changed('secret', () => 'whsec_c29tZWJvZHkgZWxzZQ==') },
    ['a delivery, signed: the signature is not the one of Standard Webhooks with the secret of the webhook'],
  ],
  [
    'a key that is not heard',
    { lost: ['idempotency-key'] },
    [
      'createContact, repeated with its key: answers 409 and not 201: A contact with this phone exists already.',
      'createContact, another with that key: another contact is taken with the same key',
      'sendMessage, repeated with its key: a repeat with the same key does it again',
    ],
  ],
  [
    'a change that is not made',
    { value: changed('last_name', () => 'Check') },
    ['updateContact: `last_name` is not what was sent'],
  ],
];

test.each(writingBends)('%s is named, by check and how, when the command writes', async (_what, bend, named) => {
  expect(await findDifferences(bend, '--write', '--to', newNumber())).toEqual(named);
});

test('what differs ends the command with 1 and shows neither the token nor a stack', async () => {
  const bent = await startBent(running.url, { value: changed('assignee', () => undefined) });
  const { out, err, code } = await run(...connection(bent.url));
  await bent.stop();
  expect(out).toMatch(/\ngetConversation +assumed +differs +`assignee` is missing\n/);
  expect(out + err).not.toMatch(new RegExp(`${running.sandbox.tokens.advanced}|\\n +at `));
  expect(code).toBe(1);
});

test('the token does not follow a redirect, and is not shown when the service says it', async () => {
  await running.control('DELETE', '/requests');
  const elsewhere = createServer(({ url, headers }, response) => {
    response.writeHead(307, { location: running.url + url }).end(headers.authorization);
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(elsewhere.address());
  const { out, err, code } = await run(...connection(`http://127.0.0.1:${port}`));
  await new Promise((stopped) => elsewhere.close(stopped).closeAllConnections());
  expect(out).toContain('answers 307 and not 200: Bearer …');
  expect(out + err).not.toContain(running.sandbox.tokens.advanced);
  expect(code).toBe(1);
  expect(await receivedBy(running.sandbox)).toEqual([]);
});

test('a service that does not answer ends the command with 1 and a sentence', async () => {
  const silent = await startBent(running.url, {});
  await silent.stop();
  const { out, err, code } = await run(...connection(silent.url));
  expect(err).toMatch(/^The service could not be checked: GET \/v1\/workspace got no answer: .+\.\n$/);
  expect([out, code]).toEqual(['', 1]);
});

describe('wrong use', () => {
  const right = ['--base-url', 'https://api.example.com', '--token', 'tok_1'];
  test.each<[words: string, args: string[]]>([
    ['--base-url is missing', []],
    ['--token is missing', right.slice(0, 2)],
    ['the address has to begin with https://', ['--base-url', 'http://api.example.com', '--token', 'tok_1']],
    ['this address is inside a private network', ['--base-url', 'https://10.0.0.1', '--token', 'tok_1']],
    ['The API Token contains characters', [...right.slice(0, 3), 'tök']],
    ["Unknown option '--fast'", [...right, '--fast']],
    ["Unexpected argument 'fast'", [...right, 'fast']],
    ['--to, --callback-url and --port need --write', [...right, '--to', '+31612345678']],
    ['--to takes a phone number', [...right, '--write', '--to', '0612345678']],
    ['--callback-url takes an https address', [...right, '--write', '--callback-url', 'http://example.com']],
    ['--port takes a number', [...right, '--write', '--port', '70000']],
  ])('is told in a sentence: %s', (words, args) => {
    expect(() => readOptions(args)).toThrow(new RegExp(`^([A-Z][^.]+: )?${words}[^\n]*\\.$`));
    expect(() => readOptions(args)).toThrow(WrongUse);
  });

  test('ends the command with 2 and shows how it is used', async () => {
    const { out, err, code } = await run('--base-url', running.url);
    expect(err).toMatch(/^--token is missing: .+\.\n\nnpm run conformance -- --base-url URL --token TOKEN\n/);
    expect([out, code]).toEqual(['', 2]);
  });

  test('of a port that is taken is told by the number of the port', async () => {
    const { port } = new URL(running.url);
    const options = readOptions([...connection(), '--write', '--port', port]);
    await expect(checkService(options, () => undefined)).rejects.toThrow(`--port: ${port} cannot be opened.`);
  });
});

describe('what is recorded', () => {
  const read = (file: string): string => readFileSync(join(folder, 'personal', file), 'utf8');

  test('has one file for each kind of answer, refusal and delivery, and nothing of a person or a door', async () => {
    const number = newNumber();
    const options = ['--base-url', running.url, '--token', running.sandbox.tokens.advanced, '--write', '--to', number];
    await run(...options, '--record', join(folder, 'personal'));
    const files = readdirSync(join(folder, 'personal'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.json'),
    );
    expect(files.toSorted()).toEqual(
      expect.arrayContaining([
        'answers/listContacts.json',
        'deliveries/message.sent.json',
        'refusals/getContact-404.json',
      ]),
    );
    const all = files.map(read).join('\n');
    const { data } = await running.get(list(contact.schema), '/v1/contacts?limit=100');
    const personal = data.flatMap(({ id, phone, email, first_name, last_name }) =>
      [id, phone, email, first_name, last_name].filter((text) => text && text.length > 3),
    );
    expect(personal.length).toBeGreaterThan(300);
    for (const text of [...personal, number, running.sandbox.tokens.advanced, 'Harbour', 'whsec_']) {
      expect(all).not.toContain(text);
    }
  });

  test('keeps the look of every text, and nothing of a number that the contract does not know', () => {
    const schema = list(contact.schema);
    const sent = {
      data: [{ ...contact.sample, birth: 19900101, 'noor@example.com': ['Ünal 7'] }],
      next_cursor: 'aB3=',
    };
    expect(mask(schema, sent)).toEqual({
      data: [
        expect.objectContaining({
          id: 'xxx_0Xx0Xx',
          phone: '+00000000000',
          email: 'xxxx.xxxxxx@xxxxxxx.xxx',
          attributes: { customer_number: '00000' },
          consent: 'opted_in',
          created_at: '2026-03-02T08:15:00Z',
          birth: 0,
          'xxxx@xxxxxxx.xxx': ['Xxxx 0'],
        }),
      ],
      next_cursor: 'xX0=',
    });
  });

  test('keeps apart what only differs by a number', () => {
    expect(mask(undefined, { '1': 'a', '2': 'b' })).toEqual({ '0': 'x', '0_': 'x' });
  });

  test('keeps a list a list, where the service sends one without anything around it', async () => {
    const bare = await startBent(running.url, {
      value: (key, value) => (key === '' ? (Object(value).data ?? value) : value),
    });
    await run(...connection(bare.url), '--record', join(folder, 'bare'));
    await bare.stop();
    const saved = z.object({ body: z.array(z.unknown()) });
    const file = readFileSync(join(folder, 'bare/answers/listContacts.json'), 'utf8');
    expect(saved.parse(JSON.parse(file)).body).toHaveLength(3);
  });
});

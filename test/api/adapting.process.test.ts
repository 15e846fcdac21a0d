import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
import { events } from '../../src/api/events';
import { contact } from '../../src/api/resources';
import { withServer } from '../conformance/server';
import { runNode } from '../support/processes';
import { checkCopy, copyProject, makeEdit, makeFolder, readEdits } from './adapting/copy';
import { runSteps } from './adapting/run-steps';

/** The edits under each heading. */
const examples = new Map(
  readFileSync(join(project, 'docs/adapting.md'), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), readEdits(section)]),
);

/** What is on the wire after an example, and what no longer is. */
type Difference = [heading: string, after: string, before?: string];

/** These exclude each other, so each list has its own copy. */
const copies: [name: string, differences: Difference[]][] = [
  [
    'most examples',
    [
      ['A path', '/message-templates"', '/templates"'],
      ['The prefix of every path', '"/api/v2/', '"/v1/'],
      ['A method', '"PUT"', '"PATCH"'],
      ['A search by POST', '/campaigns/search"', '/campaigns?'],
      ['A query parameter', '"label":', '"tag":'],
      ['Names in camelCase', '"conversationId":', '"conversation_id":'],
      ['A field', '"content":"Your parcel', '"text":"Your parcel'],
      ['An event', '"message.dispatched"', '"message.sent"'],
      ['The type of an event', '"event":', '"type":"message'],
      ['A status word', '"status":"seen"', '"status":"read"'],
      ['Phone numbers without a plus', '"phone":"1202555', '"phone":"+1202555'],
      ['Errors', '"error":{"type":', '"error":{"code":'],
      ['Times', '"createdAt":1', '"createdAt":"'],
      ['Ids', '"id":1', '"id":"'],
      ['Variables as a list', '"variables":[{"name":', '"variables":{'],
      ['A single response in an envelope', '{"body":{"data":{', '{"body":{"id":'],
      ['A list in another envelope', '"paging":{"next":', '"nextCursor":'],
      ['The cursor', '"cursor":', '"after":'],
      ['A send that returns an id', '{"body":{"message_id":'],
      ['Several events in a payload', '"body":{"events":[', '"body":{"id":'],
      ['A header', '"x-service-signature":', '"webhook-signature":'],
      ['Another signature', '"x-service-signature":"t=1', '"v1,'],
      ['A rate limit that gives the time of its end', '"x-ratelimit-reset"', '"retry-after"'],
    ],
  ],
  [
    'page numbers and unsigned deliveries',
    [
      ['A parameter in the path', '/contacts/by-phone/', '"query":{"phone"'],
      ['Errors with status 200', '"ok":false,"status":4', '"status":401,"headers"'],
      ['Page numbers', '"pages":', '"next_cursor":'],
      ['Variables by position', '"variables":["PX-20418","14:30"]', '"variables":{"parcel_id"'],
      ['A payload in another envelope', '%22payload%22%3A', '"id":"evt_'],
      ['A payload as a form', '"body":"payload=%7B', '"body":{"payload"'],
      ['No signature', '?secret=', '"webhook-signature":'],
      ['Webhooks that live shorter', ''],
    ],
  ],
  [
    'offsets and events without the record',
    [
      ['A value of the body in the path', '/channels/whatsapp/messages', '"channel":"whatsapp","to"'],
      ['Offsets', '"total":', '"next_cursor":'],
      ['Events without the record', '"object_id":', '"body":{"id":"evt_1","data":{"id"'],
      ['The type of an event outside the body', '"x-event":"message.sent"', '"type":"message.sent"'],
      ['Several words for one', '"status":"OPEN"', '"status":"open"'],
      ['A signature of the address and a digest', '"x-signature":', '"webhook-signature"'],
      ["Calls that don't exist", 'There is nothing at GET /v1/channels'],
    ],
  ],
  [
    'no webhooks and no keys',
    [
      ['Constant headers and another content type', '"x-api-version":"2"', '"content-type":"application/json","accept'],
      ['The next page in the header `Link`', '"link":"<https', '"next_cursor":'],
      ['No webhooks', 'There is nothing at GET /v1/webhooks'],
      ['Idempotency keys that are ignored', '', '"idempotent-replayed"'],
    ],
  ],
  [
    'much that is missing',
    [
      ["Events, headers and error codes that don't exist", '"code":"refused"', '"x-request-id"'],
      ["A field that doesn't exist", '', '"assignee"'],
      ["A field of a contact that can't be written", ''],
      ["Messages that don't say who sent them", '', '"source":"'],
      ["A filter that doesn't exist", '', '"query":{"tag"'],
      ["A filter of a webhook that doesn't exist", '', '"filters":{"from"'],
      ['A name for each list', '{"body":{"contacts":['],
      ['A campaign that starts by PUT', ''],
      ['Names that repeat in the query', '"query":{"status[]":'],
    ],
  ],
  [
    'URLs of pages and no prefix',
    [
      ['The next page as a URL', '"next":"https://api.example.com/v1?after=', '"next_cursor":'],
      ['No prefix', '"path":"/contacts"', '"path":"/v1'],
      ['A created record in the header `Location`', '"location":"/contacts/con_'],
      ['Times in milliseconds', '"created_at":1', '"created_at":"'],
      ['Phone numbers as objects', '"phone":{"number":"+1202555', '"phone":"+1202555'],
      ['A field whose line is deleted', '', '"assignee"'],
      ["A body that isn't JSON", '"body":"channel=whatsapp'],
    ],
  ],
  [
    'opaque URLs and errors as text',
    [
      ['The next page as an opaque URL', '"next":"https://api.example.com/v1?after=', '"next_cursor":'],
      ['Errors as plain text', '{"body":"The ', '"error":{"code"'],
      ['One event for several', '"type":"message.status"', '"type":"message.delivered"'],
      ['A signature in base64 after its time', '"webhook-signature":"t=1', '"v1,'],
    ],
  ],
  [
    'fields of the connection',
    [
      ['Fields of the connection', '"path":"/v1/projects/prj_1/messages"', '"path":"/v1/messages"'],
      ['A field that only this service has', ''],
    ],
  ],
  [
    'totals in a header and an ID in the query',
    [
      ['The total in a header', '"x-total-count":"', '"next_cursor":'],
      ['An ID in the query', '"query":{"contact_id":"con_', '"DELETE","path":"/v1/contacts/'],
    ],
  ],
];

const headingsOf = (differences: Difference[]): string[] => differences.map(([heading]) => heading);

test('every example of the page is tried', () => {
  expect(copies.flatMap(([, differences]) => headingsOf(differences)).toSorted()).toEqual(
    [...examples.keys()].toSorted(),
  );
});

test('the order of work names every example once', () => {
  const page = readFileSync(join(project, 'docs/adapting.md'), 'utf8');
  const [, order = ''] = /^## The order of work\n(.*?)^## /ms.exec(page) ?? [];
  const named = [...order.matchAll(/\[([^\]]+)\]\(#/g)].flatMap(([, heading]) => heading ?? []);
  expect(named.toSorted()).toEqual([...examples.keys()].toSorted());
});

test('an edit of an example takes at most 15 lines, in a file of src/api', () => {
  for (const edits of examples.values()) {
    expect(edits).not.toEqual([]);
    for (const { file } of edits) expect(file).toMatch(/^src\/api\/\w+\.ts$/);
    for (const { to } of edits) expect(to.split('\n').length - 1).toBeLessThanOrEqual(15);
  }
});

const texts = z.array(z.string());
const printed = z.object({
  app: z.looseObject({ steps: texts, forms: texts, results: texts, statuses: texts, senders: texts }),
  campaign: texts,
  lostByMask: z.unknown(),
  notPassed: z.array(z.looseObject({ outcome: z.string() })),
  wire: z.unknown(),
});

/** One folder with all copies, so that one compiler and one process read the packages once. */
let folder: string;
const folderOf = (name: string): string => join(folder, name.replaceAll(' ', '-'));

beforeAll(() => {
  folder = makeFolder();
  for (const [name, differences] of copies) {
    const copy = folderOf(name);
    copyProject(copy);
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
  test.each(copies.map(([name, differences]) => ({ name, differences })))(
    'in a copy of the project with $name',
    async ({ name, differences }) => {
      const { round }: typeof import('./adapting/round') = require(join(folderOf(name), 'test/api/adapting/round'));
      const { app, campaign, lostByMask, notPassed, wire } = printed.parse(JSON.parse(JSON.stringify(await round())));
      const headings = headingsOf(differences);
      const hasText = headings.includes('Errors as plain text');
      expect(notPassed.filter(({ outcome }) => !hasText || outcome !== 'copes')).toEqual([]);
      expect(lostByMask).toEqual([]);
      const keepsKeys = !headings.includes('Idempotency keys that are ignored');
      expect(campaign).toEqual([
        'triggerCampaign: passed',
        ...(keepsKeys ? ['triggerCampaign, repeated with its key: passed'] : []),
      ]);
      const hasTemplates = !headings.includes("Calls that don't exist");
      const hasWebhooks = !headings.includes('No webhooks');
      const { steps, forms, results, statuses, senders, ...given } = app;
      expect(steps.includes('find_template')).toBe(hasTemplates);
      expect(steps.includes('message_received')).toBe(true);
      const lacksMuch = headings.includes("A field that doesn't exist");
      expect(['message_sent', 'send_message_and_wait'].map((step) => steps.includes(step))).toEqual([
        hasWebhooks && !lacksMuch,
        hasWebhooks && !lacksMuch,
      ]);
      expect(senders).toEqual(
        hasWebhooks && !lacksMuch ? ['message_sent', 'message_status_updated', 'message_failed'] : [],
      );
      expect(steps.includes('conversation_closed')).toBe(hasWebhooks && !lacksMuch);
      const reported = ['sent', 'delivered', ...(lacksMuch ? [] : ['read']), 'failed'];
      expect(statuses).toEqual(hasWebhooks ? reported : []);
      expect(forms.includes('language')).toBe(!lacksMuch);
      expect(forms.includes('company')).toBe(headings.includes('A field that only this service has'));
      expect(results.includes('assignee')).toBe(!lacksMuch && !headings.includes('A field whose line is deleted'));
      expect(given).toEqual({
        dropdowns: hasTemplates ? ['channel', 'template'] : [],
        sent: { id: 'string', to: '+12025550123', variables: { parcel_id: 'PX-1', arrival_time: '14:30' } },
        ...(hasTemplates && { plan: 'advanced' }),
        ...(steps.includes('message_sent') && {
          started: {
            text: 'Your parcel PX-20418 arrives today at about 14:30.',
            to: expect.any(String),
            direction: 'outbound',
          },
          // An event without its record leads to what the message has become.
          updatedTo: expect.stringMatching(/^(delivered|read)$/),
        }),
        read: 'read',
        exists: hasText
          ? expect.stringContaining('A contact with this email already exists.')
          : lacksMuch
            ? 'The messaging service refused this step with the code refused. A contact with this email already exists. Look this code up in the documentation of the messaging service, or ask its support.'
            : 'Another contact (ID) already has this phone number or email, so no contact was created. To change the existing one, use Create or Update Contact, or choose it in Update Contact.',
        updated: 'Sanne',
        history: 110,
        pause: 600,
        baseUrl: 'https://api.example.com/messaging',
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

test('the next page in the header `Link` is read however its cursor is encoded', async () => {
  const { email = '' } = contact.sample;
  const link = '<https://api.example.com/v1?after=%E0%A4%A>; rel="next"';
  const pages: RequestListener = ({ url }, response) => {
    const isLast = url?.includes('after=');
    response.writeHead(200, isLast ? {} : { link }).end(JSON.stringify(isLast ? [contact.sample] : []));
  };
  const { results } = await withServer(pages, (base_url) =>
    runSteps(folderOf('no webhooks and no keys'), { base_url, api_token: 'tok_link' }, [
      ['searches.find_contact.operation.perform', { email }],
    ]),
  );
  expect(results).toMatchObject([[{ email }]]);
});

test('New Inbound Message polls where there are no webhooks, and only for the inbound messages of its form', async () => {
  const data = events['message.received'].sample;
  const other = { ...data, id: 'msg_2', text: 'Thanks!' };
  const messages: RequestListener = (_request, response) => {
    response.end(JSON.stringify([data, { ...data, id: 'msg_3', direction: 'outbound' }, other]));
  };
  const { results } = await withServer(messages, (base_url) =>
    runSteps(folderOf('no webhooks and no keys'), { base_url, api_token: 'tok_polling' }, [
      ['triggers.message_received.operation.perform', { contains: ['thanks'] }],
    ]),
  );
  expect(results).toMatchObject([[{ id: 'msg_2' }]]);
});

test.each([
  ['is missing', {}, 'The Project ID is missing. Reconnect this account and enter it.'],
  ["can't be one", { project_id: 'prj_é' }, "The Project ID contains characters that it can't have."],
])('a field of the connection that %s asks to reconnect', async (_what, values, problem) => {
  const account = { base_url: 'https://api.example.com', api_token: 'tok_connection', sender: 'Harbor', ...values };
  const { results } = await runSteps(folderOf('fields of the connection'), account, [['authentication.test', {}]]);
  expect(results).toEqual([expect.stringMatching(`^ExpiredAuthError: ${problem}`)]);
});

test('conformance asks for a field of the connection that is missing', async () => {
  const env = { BASE_URL: 'https://api.example.com', API_TOKEN: 'tok_connection' };
  const ran = await checkCopy(folderOf('fields of the connection'), [], env);
  expect(ran).toMatchObject({
    err: expect.stringMatching(/^PROJECT_ID is missing. Set the Project ID in .env.\n/),
    code: 2,
  });
});

describe('values by position', () => {
  const names = ['parcel_id', 'arrival_time', 'street'];
  const values = { parcel_id: 'PX-1', arrival_time: '14:30', street: 'High Street' };
  const versionOf = (language: string, variables: readonly { name: string }[] | undefined) => {
    const body = (variables ?? [{ name: '1' }, { name: '2' }]).map(({ name }) => `{{${name}}}`).join(' ');
    return { name: 'parcel', channel: 'whatsapp', status: 'approved', body, language, variables };
  };
  const listed = (...all: string[]) => all.map((name) => ({ name, format: 'text' }));

  /** Sends with each list of variables as a Zap has them. Returns what arrives, or why the step stops. */
  const sendAll = async (versions: readonly unknown[], all: readonly object[]): Promise<unknown[]> => {
    const arrived: unknown[] = [];
    const service: RequestListener = async (request, response) => {
      const content = await text(request);
      if (request.method === 'POST') arrived.push(JSON.parse(content).variables);
      const list = { data: versions, page: 1, pages: 1 };
      response.end(JSON.stringify(request.method === 'POST' ? { id: 'msg_1' } : list));
    };
    const inputData = { channel: 'whatsapp', template: 'parcel', to: '+12025550123' };
    const { results } = await withServer(service, (base_url) =>
      runSteps(
        folderOf('page numbers and unsigned deliveries'),
        { base_url, api_token: 'tok_positions' },
        all.map((variables) => ['creates.send_message.operation.perform', { ...inputData, variables }]),
      ),
    );
    return results.map((result) => (typeof result === 'string' ? result : arrived.shift()));
  };

  test('arrive in the order of the template, whatever the order of the Zap', async () => {
    const orders = fc.sample(fc.shuffledSubarray(Object.entries(values), { minLength: 3 }), 20);
    const arrived = await sendAll([versionOf('en', listed(...names))], orders.map(Object.fromEntries));
    expect(arrived).toEqual(orders.map(() => ['PX-1', '14:30', 'High Street']));
  });

  test.each([
    [
      'a value is missing',
      [versionOf('en', listed(...names))],
      { parcel_id: 'PX-1', street: 'High Street' },
      'Arrival Time is empty',
    ],
    [
      'a value is for no variable',
      [versionOf('en', listed(...names))],
      { ...values, floor: '2' },
      'no variable "floor"',
    ],
    [
      'two languages differ in their order',
      [versionOf('en', listed('parcel_id', 'street')), versionOf('de', listed('street', 'parcel_id'))],
      { parcel_id: 'PX-1', street: 'High Street' },
      'the same variables in the same order',
    ],
    [
      'the variables are not listed',
      [versionOf('en', undefined)],
      { parcel_id: 'PX-1', street: 'High Street' },
      'no variable "parcel_id"',
    ],
    ['a number is left out', [versionOf('en', undefined)], { 1: 'PX-1', 3: 'High Street' }, 'no variable "3"'],
  ])('stop the step when %s', async (_case, versions, variables, reason) => {
    expect(await sendAll(versions, [variables])).toEqual([expect.stringContaining(reason)]);
  });

  test('go by their numbers, also when the service lists them otherwise', async () => {
    const numbered = { 2: '14:30', 1: 'PX-1' };
    expect(await sendAll([versionOf('en', listed('2', '1'))], [numbered])).toEqual([['PX-1', '14:30']]);
    expect(await sendAll([versionOf('en', undefined)], [numbered])).toEqual([['PX-1', '14:30']]);
  });

  test('leave the place of an optional variable empty', async () => {
    const optional = [{ name: 'floor', required: false }, ...listed('street')];
    expect(await sendAll([versionOf('en', optional)], [{ street: 'High Street' }])).toEqual([['', 'High Street']]);
  });
});

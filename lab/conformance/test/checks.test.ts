/** What the checks say: each sentence in conformance/, and a service that earns it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints, headers } from '../../../src/api/endpoints';
import { deliveryHeaders } from '../../../src/api/presets';
import { message } from '../../../src/api/resources';
import type { EndpointName } from '../../../src/api/transport';
import { Running } from '../../../test/support/running';
import { startSeeded } from '../../../test/support/seeded';
import { project } from '../../cli/environment';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { callAt } from '../../sandbox/http/route';
import { campaignChecks } from '../checks/campaigns';
import { type Check, type CheckResult, runCheck } from '../checks/check';
import { contactChecks } from '../checks/contacts';
import { filterChecks } from '../checks/filters';
import { messageChecks, prepareMessage } from '../checks/messages';
import { missingChecks } from '../checks/missing';
import { noteChecks } from '../checks/notes';
import { pagingChecks } from '../checks/paging';
import { readingChecks } from '../checks/reading';
import { openReceiver } from '../checks/receiver';
import { Records } from '../checks/records';
import { refusalChecks } from '../checks/refusals';
import { trafficChecks } from '../checks/traffic';
import { prepareWebhooks, readSecret, webhookChecks } from '../checks/webhooks';
import { removeCreated } from '../clean-up';
import type { MessageOptions } from '../options';
import type { ServiceClient } from '../service-client';
import { checkDeliveries, webhooks as createdWebhooks, fromOther, genuine } from './checked-deliveries';
import { clientOf } from './client';
import { faultyFetch, lose, type ProxyFault, type Reviver } from './faulty-proxy';

const running = new Running({ isSmall: true });

/** Makes checks of a service. */
type Make = (service: ServiceClient, records: Records) => readonly Check[];

/** Runs the checks, and removes what they created. */
const runChecks = async (service: ServiceClient, make: Make): Promise<CheckResult[]> => {
  const rows: CheckResult[] = [];
  for (const each of make(service, new Records(service))) rows.push(await runCheck(each));
  await removeCreated(service.requests, service);
  return rows;
};

/** Checks the sandbox through a proxy with the fault. */
const faulty = (fault: ProxyFault, make: Make) => (): Promise<CheckResult[]> =>
  runChecks(clientOf(running.url, running.sandbox.tokens.advanced, faultyFetch(running.respond, fault)), make);

interface Reply {
  status?: number;
  /** In our names, or text. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Checks a service that gives these replies, by the call, its query, and how many of it came before. */
const replying =
  (reply: (name: EndpointName | undefined, query: Record<string, string>, before: number) => Reply, make: Make) =>
  (): Promise<CheckResult[]> => {
    const counts = new Map<string | undefined, number>();
    const send: typeof fetch = async (target, init) => {
      const { pathname, searchParams } = new URL(String(target));
      const name = callAt(init?.method ?? '', pathname);
      const before = counts.get(name) ?? 0;
      counts.set(name, before + 1);
      const { status = 200, body, headers: given = {} } = reply(name, Object.fromEntries(searchParams), before);
      const content = typeof body === 'string' ? body : JSON.stringify(body);
      return new Response(content, { status, headers: { 'content-type': 'application/json', ...given } });
    };
    return runChecks(clientOf('http://127.0.0.1', undefined, send), make);
  };

/** The checks of these names alone. */
const only =
  (make: Make, ...names: string[]): Make =>
  (service, records) =>
    make(service, records).filter(({ name }) => names.includes(name));

const paging: Make = (service, records) => pagingChecks(service, records);
const filters: Make = (service, records) => filterChecks(service, records);
/** Marks the records of a list as private or not. */
const withFlag = (value: unknown, isPrivate: (index: number) => boolean): unknown => {
  const { data } = Object(value);
  if (!Array.isArray(data)) return value;
  return { ...Object(value), data: data.map((each, index) => ({ ...each, private: isPrivate(index) })) };
};

const notes: Make = (_service, records) => noteChecks(records);
const reading: Make = (_service, records) => readingChecks(records);
const refusals: Make = (service) => refusalChecks(service);
const contacts: Make = (service) => contactChecks(service);
const limits: Make = (service) => trafficChecks(service, true, 5);
const noOptions: MessageOptions = { template: undefined, channel: undefined, variables: undefined };
const messagesTo =
  (to: string, options = noOptions): Make =>
  (service, records) =>
    messageChecks(service, prepareMessage(service, records, to, options));
const sends = messagesTo('+12025550123');
const webhooks: Make = (service, records) =>
  webhookChecks(
    service,
    records,
    prepareWebhooks(
      service,
      records,
      'http://127.0.0.1:9',
      prepareMessage(service, records, '+12025550123', noOptions),
    ),
  );
const contactPages = only(paging, 'listContacts, in pages');
const contactFilters = only(filters, 'listContacts, filtered');
const someContacts = only(reading, 'listContacts');
const firstWebhook = only(webhooks, 'createWebhook');

const changed =
  (name: string, change: (value: unknown) => unknown): Reviver =>
  (key, value) =>
    key === name ? change(value) : value;
const emptied: ProxyFault = {
  reviveResponse: (key, value) => {
    if (key === 'data' && Array.isArray(value)) return [];
    return key === 'next_cursor' ? null : value;
  },
};

const contactAt = (index: number, more: object = {}) => ({
  id: `con_${index}`,
  created_at: new Date(1e12 - index * 1000).toISOString(),
  ...more,
});
const pageOf = (from: number, limit: number, next_cursor: string | null): Reply => ({
  body: { data: Array.from({ length: limit }, (_, index) => contactAt(from + index)), next_cursor },
});
const limitOf = ({ limit }: Record<string, string>) => Number(limit ?? 20);
/** A list of 150 contacts in pages, with what another page than the first gives. */
const pages = (next: (at: number, limit: number) => Reply) =>
  replying(
    (_name, query) =>
      query.after ? next(Number(query.after), limitOf(query)) : pageOf(0, limitOf(query), String(limitOf(query))),
    contactPages,
  );
const refusal = (code: string) => ({ error: { code, message: 'No.' }, request_id: 'req_1' });
const limited = (given: Record<string, string> = {}) =>
  replying(() => ({ status: 429, body: refusal('rate_limited'), headers: given }), limits);

const detailsOf = (rows: Iterable<CheckResult>): string[] => [...rows].map(({ detail }) => detail);

const delivered =
  (delivery = genuine(), names?: string[], to?: typeof createdWebhooks) =>
  async () => [...(await checkDeliveries(delivery, names, undefined, to)).values()];

const refusedWebhook = async () => ({ ...(await createdWebhooks.first.response()), status: 422, body: {} });

const { listContacts } = endpoints;
const { query } = listContacts;
/** Runs while the contract says that the contacts come on one page. */
const withoutPages = (run: () => Promise<CheckResult[]>) => async () => {
  Object.assign(listContacts, { query: undefined });
  return run().finally(() => Object.assign(listContacts, { query }));
};

/** Gives the first response to a call, and another one to those after it. */
const later = (give: () => Response) => {
  let count = 0;
  return (got: Response): Response => {
    count += 1;
    return count === 1 ? got : give();
  };
};

/** A service that earns each sentence. `…` is what differs. */
const earned: Record<string, () => Promise<CheckResult[]>> = {
  // conformance/service-client.ts
  '… … got no response: …': () => runChecks(clientOf('http://127.0.0.1', undefined, lose), someContacts),
  'the service is rate limited for … seconds': replying(
    () => ({ status: 429, body: refusal('rate_limited'), headers: { [headers.retryAfter]: '61' } }),
    someContacts,
  ),
  // conformance/checks/missing.ts
  'the service has it (…)…': faulty({}, (service, records) => missingChecks(service, records, ['getWorkspace'])),
  // conformance/checks/traffic.ts
  'is missing from the response to … …': faulty({ droppedHeaders: [headers.requestId] }, (service, records) => [
    ...someContacts(service, records),
    ...trafficChecks(service, false),
  ]),
  "… requests didn't hit a rate limit": replying(() => ({ body: {} }), only(limits, 'the rate limit')),
  '`…` is missing, or neither seconds nor a date': limited(),
  '`…` asks for a pause of over … minutes; it may be a time, or in milliseconds…': limited({
    [headers.retryAfter]: '60000',
  }),
  // conformance/checks/filters.ts
  'add a record to filter': faulty(emptied, contactFilters),
  'add a record with a value for …': replying(
    (_name, query) => (Object.keys(query).some((name) => name !== 'limit') ? pageOf(0, 0, null) : pageOf(0, 3, null)),
    contactFilters,
  ),
  "`…` doesn't find a record with the value…": replying(
    (_name, { email }) => ({
      body: { data: email ? [] : [contactAt(0, { email: 'a@example.com' })], next_cursor: null },
    }),
    contactFilters,
  ),
  '`…` returns records with another value…': faulty({ ignoredParams: ['email'] }, contactFilters),
  '`…` returns records for an unknown value…': faulty({ ignoredParams: ['query'] }, contactFilters),
  'add a message of the other direction': faulty(
    { afterwards: { listMessages: async () => Response.json({ data: [], next_cursor: null }) } },
    only(filters, 'a filter with two values and a comma'),
  ),
  "doesn't find both": replying(
    (_name, { direction = '' }) => ({
      body: { data: [{ ...message.sample, id: `msg_${direction}`.slice(0, 8) }], next_cursor: null },
    }),
    only(filters, 'a filter with two values and a comma'),
  ),
  // conformance/checks/message-body.ts
  'the workspace lists no approved template: add --template': faulty(emptied, sends),
  '… is a template of several channels: add --channel': faulty(
    {},
    messagesTo('+12025550123', { ...noOptions, template: 'parcel_ready' }),
  ),
  "the channel of … isn't known: add --channel": faulty(
    emptied,
    messagesTo('+12025550123', { ...noOptions, template: 'unknown' }),
  ),
  // conformance/checks/deliveries.ts
  "`…` isn't the time in seconds": delivered(genuine({}, new Date(Date.now() - 3_600_000))),
  "the signature isn't the one of the contract with the webhook's secret…": delivered({
    ...genuine(),
    content: `${genuine().content} `,
  }),
  'nothing was delivered for the message': delivered(genuine(), []),
  "the payload isn't an event of the contract": delivered({ ...genuine(), content: '{"kind":"message.sent"}' }),
  'nothing was delivered': delivered(genuine(), []),
  'no delivery arrived for the message in … seconds, but … arrived for other events': delivered(genuine(), []),
  'the … of two webhooks gets no delivery': delivered(genuine(), ['second', 'matching']),
  "a webhook whose filters match doesn't deliver": delivered(genuine(), ['first', 'second']),
  // conformance/checks/reading.ts
  'no message says who sent it, so New Outbound Message would never start…': faulty(
    { reviveResponse: changed('source', () => undefined) },
    only(reading, 'listMessages'),
  ),
  'no contact has a consent, so Contact Opted Out would never start…': faulty(
    { reviveResponse: changed('consent', () => undefined) },
    someContacts,
  ),
  'no contact has tags, so Find Contacts would find nobody by them…': faulty(
    { reviveResponse: changed('tags', () => undefined) },
    someContacts,
  ),
  'has more pages…': withoutPages(replying(() => pageOf(0, 1, 'more'), someContacts)),
  'add a record to look at': faulty(emptied, someContacts),
  // conformance/checks/messages.ts
  'the service refuses this person (…): choose another number with --to': faulty(
    {},
    messagesTo(specialNumbers.optedOut),
  ),
  'nothing was sent': faulty({}, messagesTo(specialNumbers.optedOut)),
  // conformance/checks/paging.ts
  'add records until there are two': faulty(emptied, contactPages),
  'returns … records for a limit of …': replying(() => pageOf(0, 5, null), contactPages),
  'has no cursor, but more records…': faulty({ reviveResponse: changed('next_cursor', () => null) }, contactPages),
  'the next page is empty, but there are more records': pages(() => pageOf(0, 0, null)),
  'the next page repeats the page before…': faulty({ ignoredParams: ['after'] }, contactPages),
  'the next page skips records': pages((at, limit) => pageOf(at + 1, limit, null)),
  "isn't sorted newest first": replying(
    (_name, query) => ({
      body: {
        data: Array.from({ length: Math.min(3, limitOf(query)) }, (_, index) =>
          contactAt(Number(query.after ?? 0) + index, { created_at: `2026-06-1${index}T10:00:00Z` }),
        ),
        next_cursor: limitOf(query) < 3 ? '1' : null,
      },
    }),
    contactPages,
  ),
  'no record says when it was created, so the list may not have the newest first': faulty(
    { reviveResponse: changed('created_at', () => undefined) },
    only(paging, 'listConversations, in pages'),
  ),
  'has a cursor on its last page': replying(
    (_name, query) => pageOf(Number(query.after ?? 0), Math.min(3, limitOf(query)), String(limitOf(query))),
    contactPages,
  ),
  // conformance/checks/records.ts
  'add a record that … returns': faulty(emptied, only(reading, 'getContact')),
  // conformance/checks/own.ts
  "the service doesn't show the new … under the ID of the response, so nobody touches it": faulty(
    { instead: { getContact: () => new Response('{}', { status: 404 }) } },
    contacts,
  ),
  // conformance/checks/contacts.ts
  'a different contact is accepted with the same key': faulty({ droppedHeaders: [headers.idempotencyKey] }, contacts),
  "the refusal doesn't give the id of the existing contact": faulty(
    { reviveResponse: changed('existing_id', () => undefined) },
    contacts,
  ),
  "the service changes the contact that exists, so Create Contact would change a customer's name": faulty(
    {
      afterwards: {
        createContact: async (got) =>
          got.status === 409 ? Response.json({ id: Object(await got.json()).error.existing_id }) : got,
      },
    },
    contacts,
  ),
  'an update of the name removes or changes `…`…': faulty(
    {
      reviveRequest: (key, value) =>
        key === '' && Object(value).first_name === 'Changed again' ? { ...Object(value), last_name: 'Other' } : value,
    },
    contacts,
  ),
  "the new contact isn't on the first page, so New Contact would miss people…": faulty(
    { reviveResponse: changed('data', (data) => (Array.isArray(data) && data.length > 1 ? data.slice(1) : data)) },
    contacts,
  ),
  // conformance/checks/webhooks.ts
  'the service gave no secret': faulty({ reviveResponse: changed('secret', () => undefined) }, (service, records) => {
    const message_ = prepareMessage(service, records, '+12025550123', noOptions);
    const { first } = prepareWebhooks(service, records, 'http://127.0.0.1:9', message_);
    return [{ name: 'a secret', run: () => readSecret(first) }];
  }),
  '`secret` is …': faulty({ reviveResponse: changed('secret', () => undefined) }, firstWebhook),
  "the new webhooks aren't in the list": faulty(
    { afterwards: { listWebhooks: async () => Response.json({ data: [], next_cursor: null }) } },
    webhooks,
  ),
  'the list shows secrets': faulty(
    { reviveResponse: (_key, value) => (Object(value).events ? { ...Object(value), secret: 'whsec_1' } : value) },
    webhooks,
  ),
  // conformance/compare/response.ts
  "the token doesn't have the scope …": replying(
    () => ({ status: 403, body: refusal('insufficient_scope') }),
    someContacts,
  ),
  'the workspace needs …': replying(() => ({ status: 403, body: refusal('plan_required') }), someContacts),
  "the token or the plan doesn't allow it (…)": replying(() => ({ status: 403, body: '{}' }), someContacts),
  'responds … instead of …': faulty({ statuses: { 200: 500, 401: 403 } }, (service, records) => [
    ...someContacts(service, records),
    ...refusalChecks(service),
  ]),
  'the error code is "…" instead of "…"…': faulty(
    { reviveResponse: changed('code', (code) => (code === 'validation_failed' ? 'template_not_found' : code)) },
    refusals,
  ),
  "a step can't use the response (…): …": faulty(
    { reviveResponse: (key, value) => (key === '' && Object(value).data ? { ...Object(value), ok: false } : value) },
    someContacts,
  ),
  "the response isn't a list of the contract…": faulty({ reviveResponse: changed('data', () => 'none') }, contactPages),
  "the response isn't a record of the contract": faulty(
    { afterwards: { createContact: later(() => Response.json('created', { status: 201 })) } },
    contacts,
  ),
  'the records have no id': faulty({ reviveResponse: changed('id', () => undefined) }, contactPages),
  'nothing was created, or the response has no `id`': delivered(genuine(), undefined, {
    ...createdWebhooks,
    excluding: createdWebhooks.excluding.map((each) => ({ ...each, response: refusedWebhook })),
  }),
  'a record with `…`: … is taken for a message, so a note could start a Zap or reach a customer': faulty(
    { reviveResponse: (key, value) => (key === '' ? withFlag(value, (index) => index === 0) : value) },
    notes,
  ),
  'messages have `…`, which may mark internal notes: write one, and run the command again': faulty(
    { reviveResponse: (key, value) => (key === '' ? withFlag(value, () => false) : value) },
    notes,
  ),
  'an update of another attribute removes `…`, so customers lose what is known of them…': faulty(
    { afterwards: { getContact: async (got) => Response.json({ ...Object(await got.json()), attributes: {} }) } },
    only(contacts, 'updateContact, another attribute'),
  ),
  'the service refuses the attribute `…`: give a contact two attributes of the service': faulty(
    { instead: { updateContact: () => Response.json(refusal('validation_failed'), { status: 422 }) } },
    contacts,
  ),
  'a repeat with the same key creates another record': faulty({ droppedHeaders: [headers.idempotencyKey] }, webhooks),
  '`…` is … on a repeat': faulty({ droppedHeaders: [headers.idempotentReplayed] }, messagesTo('+12025550123')),
};

/** The text of a literal, with `…` for the expressions in it. */
const textAt = (source: string, start: number): string => {
  let [text, depth] = ['', 0];
  for (let at = start + 1; depth > 0 || source[at] !== source[start]; at += 1) {
    const [isExpression, isEscape] = [source.startsWith('${', at), source[at] === '\\'];
    if (isExpression || isEscape) at += 1;
    if (depth === 0) text += isExpression ? '…' : source[at];
    if (isExpression) depth += 1;
    else if (depth > 0 && source[at] === '}') depth -= 1;
  }
  return text.replaceAll(/…+/g, '…');
};

const folder = join(project, 'lab/conformance');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^(?!test\b).*\.ts$/.test(name),
);

const outcomeOf: Record<string, string> = { Differs: 'differs', NotChecked: 'not checked', Lacking: 'skipped' };

/** Every sentence that conformance/ throws, and how it counts. */
const thrown = files.flatMap((name) => {
  const source = readFileSync(join(folder, name), 'utf8');
  return [...source.matchAll(/throw new (Differs|NotChecked|Lacking)\(\s*(?=['"`])/g)].map((found) => ({
    text: textAt(source, found.index + found[0].length),
    outcome: outcomeOf[found[1] ?? ''],
  }));
});

const outcomes = new Map(thrown.map(({ text, outcome }) => [text, outcome]));

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replaceAll(/[.*+?()|[\]$^{}\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );

test('every sentence that a check throws is shown by a service that earns it', () => {
  expect(thrown.length).toBeGreaterThan(50);
  expect([...outcomes.keys()].filter((text) => !Object.hasOwn(earned, text))).toEqual([]);
});

test('every sentence is thrown in one place, so that what shows it reaches that place', () => {
  const texts = thrown.map(({ text }) => text);
  expect(texts.filter((text, index) => texts.indexOf(text) < index)).toEqual([]);
});

test('only what collects several differences throws texts that come from elsewhere', () => {
  const sources = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const composed = [...sources.matchAll(/new (?:Differs|NotChecked|Lacking)\((?!\s*['"`])[^)]*\)/g)];
  expect(composed.map(([call]) => call).toSorted()).toEqual([
    'new Differs(...differences, ...tolerated)',
    'new Differs(problem)',
  ]);
});

test.each(Object.entries(earned))('a service earns "%s"', async (text, run) => {
  const rows = await run();
  const isShown = ({ detail }: CheckResult) =>
    [detail, ...detail.split('; ')].some((each) => patternOf(text).test(each));
  const found = rows.filter(isShown);
  expect({ details: detailsOf(rows), outcomes: found.map(({ outcome }) => outcome) }).toEqual({
    details: expect.anything(),
    outcomes: expect.arrayContaining([outcomes.get(text) ?? expect.stringMatching(/^(differs|copes)$/)]),
  });
});

const reviveIds = changed('id', (id) => Number(String(id).replace(/\D/g, '').slice(0, 6) || 7));
const renameCode = changed('code', (code) => (code === 'idempotency_mismatch' ? 'recipient_opted_out' : code));
const missingCalls =
  (...names: EndpointName[]): Make =>
  (service, records) =>
    missingChecks(service, records, names);
const withOffsets =
  (revive: Reviver): Reviver =>
  (key, value) =>
    typeof value === 'string' && key.endsWith('_at') ? value.replace(/Z$/, '+00:00') : revive(key, value);
const quotedAsNote: Reviver = (_key, value) => {
  const { last_message: last, ...others } = Object(value);
  return last ? { ...others, last_message: last, messages: [{ content: last.text, private: true }] } : value;
};
const unsigned = Object.fromEntries(
  Object.entries(genuine().headers).filter(([name]) => name.toLowerCase() !== deliveryHeaders.signature),
);
const elsewhere = ['first', 'second', 'matching'];
const fromNumber = (from: string) => async () => [
  ...(await checkDeliveries(genuine(), elsewhere, fromOther(from))).values(),
];

/** What a check says of a service, by its name. */
const said: [what: string, run: () => Promise<CheckResult[]>, ...row: string[]][] = [
  [
    'numbers as ids',
    faulty({ reviveResponse: reviveIds }, someContacts),
    ...['listContacts', 'copes', '`data[].id` is a number, not text (`id` of a contact, src/api/resources.ts)'],
  ],
  [
    'an unknown error code',
    faulty({ reviveResponse: changed('code', () => 'nope') }, refusals),
    ...['a wrong token', 'copes', '`error.code` has the unknown word "nope" (`errorCodes`, src/api/errors.ts)'],
  ],
  [
    'fields that are absent, and others that are there',
    faulty(
      {
        reviveResponse: (key, value) => {
          if (key === 'assignee') return undefined;
          return key === '' ? { ...Object(value), shoe_size: 43 } : value;
        },
      },
      only(reading, 'getConversation'),
    ),
    ...['getConversation', 'passed', '200; absent: `assignee`; also there: `shoe_size`'],
  ],
  [
    'a filter without a value to try',
    faulty({ reviveResponse: changed('tags', () => []) }, contactFilters),
    ...['listContacts, filtered', 'passed', 'by phone, email, query, consent; no record has a value for tag'],
  ],
  [
    'a refusal with the known code of another one, although a Zap would stop as well',
    faulty({ reviveResponse: renameCode }, contacts),
    ...['createContact, another contact with that key', 'differs'],
    'the error code is "recipient_opted_out" instead of "idempotency_mismatch" (`errorCodes`, src/api/errors.ts)',
  ],
  [
    'a field that a trigger needs, beside times with an offset',
    faulty({ reviveResponse: withOffsets(changed('consent', () => undefined)) }, someContacts),
    ...['listContacts', 'differs'],
    'no contact has a consent, so Contact Opted Out would never start (`consent` of a contact, src/api/resources.ts)',
  ],
  [
    'a note that a conversation quotes as its last message',
    faulty({ reviveResponse: quotedAsNote }, only(notes, 'listConversations, without notes')),
    ...['listConversations, without notes', 'differs'],
    'a record with `private`: true is taken for a message, so a note could start a Zap or reach a customer',
  ],
  [
    'a call that changes something',
    faulty({}, missingCalls('createWebhook')),
    ...['createWebhook, declared missing', 'skipped', 'try it by hand: it changes something'],
  ],
  [
    'a call that is missing',
    replying(() => ({ status: 404, body: '' }), missingCalls('getWorkspace')),
    ...['getWorkspace, declared missing', 'passed', '404'],
  ],
  [
    'a delivery without a signature',
    delivered({ ...genuine(), headers: unsigned }),
    ...['a delivery, signed', 'differs', '`webhook-signature` is missing (`signature`, src/api/service.ts)'],
  ],
  [
    'a field of another type in a delivery',
    delivered(genuine({ text: { body: 'Hello' } })),
    ...['a delivery, its fields', 'differs'],
    'message.sent: `text` is an object, not text (`text` of a message, src/api/resources.ts)',
  ],
  [
    'a payload of another shape, before what depends on it',
    delivered({ ...genuine(), content: '{"kind":"message.sent","object":{}}' }),
    ...['a delivery to each of two webhooks', 'not checked', "the payload isn't an event of the contract"],
  ],
  [
    'a webhook that lets everything through',
    delivered(genuine(), [...elsewhere, 'excluding-source']),
    ...['deliveries, filtered', 'differs'],
    'the filter `source` is ignored (`source` in `webhookFilters`, src/api/resources.ts)',
  ],
  [
    "a webhook for one number that gets another number's message",
    fromNumber('+12025550199'),
    ...[
      'deliveries, filtered',
      'differs',
      'the filter `from` is ignored (`from` in `webhookFilters`, src/api/resources.ts)',
    ],
  ],
  [
    'a webhook for one number that gets a message of that number',
    fromNumber('+447700900001'),
    ...['deliveries, filtered', 'passed', 'by source, from'],
  ],
];

test.each(said)('a check says of %s what it is', async (_what, run, ...[check, outcome, detail]) => {
  expect(await run()).toContainEqual(expect.objectContaining({ check, outcome, detail }));
});

test('deliveries by Standard Webhooks with all fields pass', async () => {
  const rows = await delivered()();
  expect(rows.map(({ outcome }) => outcome)).toEqual(Array(5).fill('passed'));
});

test('a test campaign starts once under one key, although it is asked for twice', async () => {
  const { data } = await running.read('listCampaigns', { query: { status: 'draft' } });
  const rows = await faulty({}, (service) => campaignChecks(service, { campaign: String(data[0]?.id) }))();
  expect(rows.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  await running.settle();
});

test('the rate limit is looked for', async () => {
  const { url: baseUrl, tokens, stop } = await startSeeded({ rateLimit: 3, speed: 0.1 });
  const rows = await runChecks(clientOf(baseUrl, tokens.advanced), (service) => trafficChecks(service, true));
  await stop();
  const detail = expect.stringMatching(/^429 rate_limited, retry-after: \d+ s$/);
  expect(rows.at(-1)).toMatchObject({ outcome: 'passed', detail });
});

test('a request that a browser sends for a web page is no delivery', async () => {
  const receiver = await openReceiver(0);
  const statuses = [];
  for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }, {}]) {
    const request = { method: 'POST', headers: Object.entries(headers), body: '{}' };
    statuses.push((await fetch(`${receiver.url}/first`, request)).status);
  }
  await receiver.stop();
  expect(statuses).toEqual([403, 403, 200]);
  expect(receiver.received).toHaveLength(1);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { project } from '../lab/cli/environment';
import { specialNumbers } from '../lab/sandbox/domain/phone-numbers';
import { writeDocument } from '../scripts/openapi/document';
import { takesKey } from '../src/api/adapter';
import { exampleConnection } from '../src/api/connection';
import { encode } from '../src/api/encode';
import { calls, type Endpoint, endpoints, headers, maxBodyBytes } from '../src/api/endpoints';
import { errorCodes } from '../src/api/errors';
import { events } from '../src/api/events';
import { contact } from '../src/api/resources';
import type { EndpointName } from '../src/api/transport';
import { serializePath } from '../src/call/request';
import { type Answered, ask, errorOf, newNumber, parcelMessage, Running } from './support/running';
import { writeSeeded } from './support/seeded';

const committed = readFileSync(join(project, 'docs/openapi.json'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const basis = z.enum(['specified', 'assumed']);
const based = z.looseObject({ 'x-basis': basis });
const schema = z.looseObject({ pattern: z.optional(z.string()), required: z.optional(z.array(z.string())) });
const failure = z.looseObject({ error: z.looseObject({ code: z.string() }) });
const response = z.looseObject({
  ...based.shape,
  content: z.optional(
    z.object({
      'application/json': z.looseObject({
        schema: z.looseObject({ allOf: z.optional(z.array(schema)) }),
        examples: z.optional(z.record(z.string(), z.object({ value: z.unknown() }))),
      }),
    }),
  ),
});
const operation = z.looseObject({
  ...based.shape,
  operationId: z.string(),
  'x-section': z.optional(z.string()),
  'x-scope': z.optional(z.nullable(z.string())),
  'x-plan': z.optional(z.string()),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), schema: z.looseObject({}) })),
  requestBody: z.optional(z.unknown()),
  responses: z.record(z.string(), response),
});
const item = z.looseObject({
  ...based.shape,
  get: z.optional(operation),
  post: z.optional(operation),
  put: z.optional(operation),
  patch: z.optional(operation),
  delete: z.optional(operation),
});
const component = z.looseObject({ ...based.shape, properties: z.record(z.string(), schema) });
const document = z
  .object({
    openapi: z.string(),
    paths: z.record(z.string(), item),
    webhooks: z.record(z.string(), z.object({ ...based.shape, post: operation })),
    components: z.object({
      securitySchemes: z.record(z.string(), z.looseObject({ type: z.string(), scheme: z.string() })),
      schemas: z.record(z.string(), component),
    }),
  })
  .parse(JSON.parse(committed));
const operations = Object.values(document.paths).flatMap((path) =>
  [path.get, path.post, path.put, path.patch, path.delete].filter((each) => each !== undefined),
);
const findOperation = (name: string) => operation.parse(operations.find(({ operationId }) => operationId === name));

const examplesOf = ({ content }: z.output<typeof response>) =>
  Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => failure.parse(value).error);
const errorsOf = ({ responses }: z.output<typeof operation>): string[] =>
  Object.entries(responses).flatMap(([status, each]) => examplesOf(each).map(({ code }) => `${status} ${code}`));

test('docs/openapi.json is up to date (run `npm run openapi`)', () => {
  expect(writeDocument()).toBe(committed);
});

describe('docs/openapi.json', () => {
  test('is OpenAPI 3.1 and describes every endpoint, event and error code', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(calls.map(([name]) => name).toSorted());
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(events));
    const codes = operations.flatMap(errorsOf).map((each) => each.split(' ')[1]);
    expect([...new Set(codes)].toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  });

  test('describes every property of every schema', () => {
    const described = z.looseObject({ description: z.string() });
    for (const [name, { properties }] of Object.entries(document.components.schemas)) {
      const silent = Object.entries(properties).filter(([, property]) => !described.safeParse(property).success);
      expect([name, silent]).toEqual([name, []]);
    }
    expect(document.components.schemas.Message?.properties.status).toMatchObject({
      description: expect.stringContaining("- `delivered`: it is on the contact's phone."),
    });
  });

  test('marks only what the specification covers as specified, with its section', () => {
    const specified = ([, { 'x-basis': each }]: [string, z.output<typeof based>]) => each === 'specified';
    const { paths, webhooks, components } = document;
    expect(operations.filter((each) => each['x-basis'] === 'specified')).toMatchObject([
      { operationId: 'sendMessage', 'x-section': '§4', 'x-scope-basis': 'assumed', 'x-plan-basis': 'specified' },
    ]);
    expect(operations.flatMap(({ responses }) => Object.entries(responses).filter(specified))).toEqual([]);
    expect(Object.entries(paths).filter(specified)).toMatchObject([[endpoints.sendMessage.path, {}]]);
    expect(Object.entries(components.schemas).filter(specified)).toMatchObject([
      [
        'SendMessageBody',
        { 'x-section': '§4', 'x-required-basis': 'assumed', properties: { to: { 'x-pattern-basis': 'assumed' } } },
      ],
    ]);
    expect(Object.entries(webhooks).filter(specified)).toEqual([]);
  });
});

describe('compared with the sandbox', () => {
  const database = writeSeeded(folder);
  // Every campaign of the seed has a template that it can send.
  beforeAll(() => {
    const connection = new DatabaseSync(database);
    const setTemplate = connection.prepare(
      "UPDATE records SET document = json_set(document, '$.template', ?) WHERE kind = 'campaign' AND document ->> 'status' = ?",
    );
    setTemplate.run('parcel_lost', 'draft');
    setTemplate.run('summer_promotion', 'failed');
    setTemplate.run('parcel_out_for_delivery', 'scheduled');
    connection.close();
  });
  const service = new Running({ database, speed: 1 });
  const busy = new Running({ rateLimit: 0 });

  const send = (change: object) =>
    service.request('sendMessage', { body: { ...parcelMessage(newNumber()), ...change } });
  const createContact = (body: object, key?: string) =>
    service.request('createContact', { body }, key === undefined ? {} : { [headers.idempotencyKey]: key });
  const findCampaign = async (status: string): Promise<string> => {
    const { data } = await service.read('listCampaigns', { query: { status } });
    return data[0]?.id ?? '';
  };
  const trigger = async (status: string, body = {}) =>
    service.request('triggerCampaign', { id: await findCampaign(status), body });
  /** Takes the number of another contact, for a new one or for one that exists. */
  const takeNumber = async (take: (phone: string) => Promise<Answered>): Promise<Answered> => {
    const phone = newNumber();
    await createContact({ phone });
    return take(phone);
  };
  const refusedFor: Record<string, () => Promise<Answered>[]> = {
    sendMessage: () => [
      send({ template: 'parcel_lost' }),
      send({ template: 'summer_promotion' }),
      send({ variables: {} }),
      send({ to: specialNumbers.unreachable }),
      send({ to: specialNumbers.optedOut }),
    ],
    createContact: () => [takeNumber((phone) => createContact({ phone }))],
    updateContact: () => [
      takeNumber(async (phone) => {
        const { id } = contact.schema.parse((await createContact({ phone: newNumber() })).body);
        return service.request('updateContact', { id, body: { phone } });
      }),
    ],
    triggerCampaign: () => [
      ...['draft', 'failed', 'scheduled'].map((status) => trigger(status)),
      ...[specialNumbers.unreachable, specialNumbers.optedOut].map((to) => trigger('completed', { to })),
    ],
  };

  const bodies: Record<string, () => object> = {
    sendMessage: () => parcelMessage(newNumber()),
    createContact: () => ({ phone: newNumber() }),
    triggerCampaign: () => ({ to: newNumber() }),
    createWebhook: () => ({ url: `https://hooks.example.com/${newNumber()}`, events: ['message.sent'] }),
  };
  /** Repeats a request with its key while it runs, then uses the key for another body. */
  const repeat = async (name: EndpointName): Promise<Answered[]> => {
    const id = await findCampaign('completed');
    const key = { [headers.idempotencyKey]: name };
    const body = bodies[name]?.();
    const hold = () => service.request(name, { id, body }, { ...key, 'x-sandbox-fault': 'hold' });
    const both = [hold(), hold()];
    // The one that is refused responds at once.
    await Promise.race(both);
    await service.control('DELETE', '/faults');
    return [...(await Promise.all(both)), await service.request(name, { id, body: bodies[name]?.() }, key)];
  };

  const tokenWithoutScopes = async (): Promise<string> =>
    z.object({ token: z.string() }).parse((await service.control('POST', '/tokens', { scopes: [] })).body).token;

  const refuseAll = async (name: EndpointName, { body }: Endpoint): Promise<Answered[]> => {
    const { method, path, parameters } = encode(endpoints[name], { id: 'unknown' }, exampleConnection);
    const at = serializePath(path, parameters);
    const content = body && {};
    const withToken = (token: string) => service.call(method, at, content, { authorization: `Bearer ${token}` });
    const texts = findOperation(name).requestBody ? ['{', 'x'.repeat(maxBodyBytes + 1)] : [];
    const answers = await Promise.all([
      ask(service.url + at, method, content),
      withToken(service.sandbox.tokens.starter),
      withToken(await tokenWithoutScopes()),
      busy.call(method, at, content),
      service.call(method, `${at}?expand=all`, content),
      service.call(method, at, content),
      ...texts.map((text) => service.call(method, at, text)),
    ]);
    return [...answers, ...(await Promise.all(refusedFor[name]?.() ?? []))];
  };

  test('lists the errors that each call gives', async () => {
    // One after another, because the end of a hold ends every hold.
    const repeated: Record<string, Answered[]> = {};
    for (const [name] of calls.filter(([, endpoint]) => takesKey(endpoint))) repeated[name] = await repeat(name);
    const given = calls.map(async ([name, endpoint]) => {
      const answers = [...(await refuseAll(name, endpoint)), ...(repeated[name] ?? [])];
      const refused = answers.filter(({ status }) => status >= 400);
      const codes = new Set(refused.map((each) => `${each.status} ${errorOf(each).code}`));
      return [name, [...codes].toSorted()];
    });
    const listed = calls.map(([name]) => [name, errorsOf(findOperation(name)).toSorted()]);
    expect(Object.fromEntries(await Promise.all(given))).toEqual(Object.fromEntries(listed));
  });

  test.each(['+1234567', '+123456789012345', '+123456', '+1234567890123456', '12025550123', '+2025550123', ''])(
    'has the pattern of the phone numbers that the service takes, such as %j or not',
    async (to) => {
      const pattern = new RegExp(document.components.schemas.SendMessageBody?.properties.to?.pattern ?? '$^');
      expect(await send({ to })).toMatchObject({ status: pattern.test(to) ? 202 : 422 });
    },
  );

  test('has the length of the idempotency keys that the service takes', async () => {
    const key = { name: headers.idempotencyKey, schema: { minLength: 1, maxLength: 255 } };
    expect(findOperation('createContact').parameters).toMatchObject([key]);
    const created = [0, 1, 255, 256].map((length) => createContact({ phone: newNumber() }, 'k'.repeat(length)));
    expect((await Promise.all(created)).map(({ status }) => status)).toEqual([422, 201, 201, 422]);
  });

  test('requires a phone number or an email address of a new contact, as the service does', async () => {
    const either = { allOf: [{}, { anyOf: [{ required: ['phone'] }, { required: ['email'] }] }] };
    expect(findOperation('createContact').requestBody).toMatchObject({
      content: { 'application/json': { schema: either } },
    });
    const bodies = [{ first_name: 'Noor', phone: null }, { phone: newNumber() }, { email: 'noor@example.com' }];
    const created = await Promise.all(bodies.map((body) => createContact(body)));
    expect(created.map(({ status }) => status)).toEqual([422, 201, 201]);
  });
});

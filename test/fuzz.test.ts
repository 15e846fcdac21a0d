import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { callAt } from '../sandbox/http/route';
import app from '../src';
import { type Endpoint, type EndpointName, endpoints } from '../src/api/endpoints';
import { errorResponse } from '../src/api/errors';
import { message, webhook } from '../src/api/resources';
import { toWire } from '../src/api/translate';
import { unwrapMessage } from '../zapier/core/error-message';
import { type LocalServer, listen } from '../zapier/listen';
import { type Bundle, listRuns } from './runs';
import { goodResponse, pathOf } from './support/calls';
import { cpuSeconds } from './support/cpu';
import { deliveryOf, signed, subscribeData } from './support/deliveries';
import { skipPauses } from './support/pauses';
import { exampleRecords } from './support/records';
import { countValues, wrongValue } from './support/wrong-types';
import { runStep } from './support/zapier';

const token = 'tok_F4zzS3cr3tV4lu3';

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

/** What one step sends, and what it gets: the first few responses are good. */
interface Service {
  good: number;
  respond: Respond;
  /** The idempotency keys of each POST, by its address. */
  keys: Map<string, Set<string | undefined>>;
  /** The names of the endpoints that the step called. */
  called: string[];
}

const services: Service[] = [];

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status).end(JSON.stringify(body));

/** The call of a request, whose path begins with the number of its service. */
const callOf = ({ method = '', url = '' }: IncomingMessage): EndpointName | undefined =>
  callAt(method, url.replace(/^\/\d+|\?.*$/g, ''));

/** Responds as the contract says. */
const respondWell: Respond = (response, request) => {
  const name = callOf(request);
  if (!name) return response.writeHead(404).end();
  const { response: schema, status }: Endpoint = endpoints[name];
  return json(response, toWire(schema, goodResponse(name)), status);
};

let server: LocalServer;
const respond = (request: IncomingMessage, response: ServerResponse): unknown => {
  request.resume();
  const service = services[Number(request.url?.split('/')[1])];
  if (!service) return response.writeHead(500).end();
  const name = callOf(request);
  if (name) service.called.push(name);
  const isRead = name && endpoints[name].method === 'GET';
  if (request.method === 'POST' && !isRead) {
    const keys = service.keys.get(`${request.url}`) ?? new Set();
    service.keys.set(`${request.url}`, keys.add(request.headers['idempotency-key']?.toString()));
    // What the service was too busy for wasn't done, so the next attempt may be a new request.
    response.once('finish', () => response.statusCode === 429 && service.keys.delete(`${request.url}`));
  }
  service.good -= 1;
  return (service.good >= 0 ? respondWell : service.respond)(response, request);
};
skipPauses();

/** What core logs. */
const logged: string[] = [];

beforeAll(async () => {
  process.env.LOG_TO_STDOUT = 'true';
  process.env.DETAILED_LOG_TO_STDOUT = 'true';
  jest.spyOn(console, 'log').mockImplementation((...parts) => void logged.push(parts.join(' ')));
  server = await listen(respond);
});

afterEach(() => expect(logged.splice(0).filter((text) => text.includes(token))).toEqual([]));

afterAll(async () => {
  delete process.env.LOG_TO_STDOUT;
  delete process.env.DETAILED_LOG_TO_STDOUT;
  jest.restoreAllMocks();
  await server.stop();
});

const subscription = {
  subscribeData: { id: 'wh_1', secret: webhook.sample.secret },
  targetUrl: 'https://hooks.example.com/1',
};
const kindOf = ({ key, operation }: (typeof app.triggers)[keyof typeof app.triggers]): string =>
  operation.type === 'hook' ? String(Object.keys(operation.sample ?? {})) : key;

/** The trigger that polls, and one instant trigger for each kind of record. */
const triggers = [...new Map(Object.values(app.triggers).map((trigger) => [kindOf(trigger), trigger])).values()];

type Step = [path: string, bundle: Bundle];

/** Every step that makes requests. */
const steps: Step[] = [
  ['authentication.test', {}],
  ...listRuns(exampleRecords).map(({ place, part, bundle }): Step => [`${place}.operation.${part}`, bundle]),
  ...triggers.map(
    ({ key, operation }): Step => [
      `triggers.${key}.operation.${operation.type === 'hook' ? 'performList' : 'perform'}`,
      {},
    ],
  ),
  ['creates.send_message.operation.inputFields.0.choices.perform', {}],
  ['triggers.message_received.operation.performSubscribe', subscription],
  ['triggers.message_received.operation.performUnsubscribe', subscription],
];

/** Checks that a person can read the error, and that it shows no secrets. */
const checkError = (path: string, error: Error): void => {
  const sentence = unwrapMessage(error.message).message;
  expect([path, error.name]).toEqual([path, expect.stringMatching(/^(App|Halted|ExpiredAuth|Throttled)Error$/)]);
  expect(sentence).toMatch(/^[A-Z"].*[.)…]$/);
  expect(sentence.length).toBeLessThan(250);
  expect(sentence).not.toMatch(/<[a-z!/]|\bat \S+:\d+:\d+|\p{Cc}|\u202e/iu);
  expect(JSON.stringify(error) + error.message).not.toContain(token);
};

/** Runs a step and checks what holds for each one, whatever it is given. */
const run = async ([path, bundle]: Step, respond = respondWell, good = 0) => {
  const service: Service = { good, respond, keys: new Map(), called: [] };
  const base_url = `${server.url}/${services.push(service) - 1}`;
  const authData = { base_url, api_token: ` Bearer ${token}\n`, default_country: 'US' };
  const result = await runStep(path, { authData, ...bundle }).catch((error: unknown) => error);
  for (const [address, keys] of service.keys) {
    // A step may ask for a second webhook, with another filter.
    expect(keys.size).toBeLessThanOrEqual(address.endsWith(pathOf('createWebhook')) ? 2 : 1);
    expect([...keys]).toEqual([...keys].map(() => expect.any(String)));
  }
  if (result instanceof Error) checkError(path, result);
  else expect(JSON.stringify(result) ?? '').not.toContain(token);
  return service.called;
};

const asRecord = (change: object) => (response: ServerResponse) =>
  json(response, { ...message.sample, ...change, data: [{ ...message.sample, ...change }], next_cursor: null });

const raw =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** A body of a million characters, made when it is asked for. */
const huge =
  (start: string, unit: string, end: string, status = 200): Respond =>
  (response) =>
    response.writeHead(status).end(start + unit.repeat(1_000_000 / unit.length) + end);

const nested = (depth: number) => `{"id":"1","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const escapedToken = token.replace(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
const refusal = (error: unknown) => JSON.stringify({ error, request_id: token });

/** Responses that no step may fall for. */
const shapes: Record<string, Respond> = {
  'an empty body': raw(''),
  null: raw('null'),
  'a text': raw('"text"'),
  'an empty object': raw('{}'),
  'no list': raw('{"id": "1", "name": "x", "data": null}'),
  'a list of nothing': raw('{"id": "1", "name": "x", "data": [null, [], 1, {}]}'),
  HTML: raw('<!DOCTYPE html><html><script>alert(1)</script></html>', 200, { 'content-type': 'text/html' }),
  'a byte order mark': raw(`\ufeff${JSON.stringify(message.sample)}`),
  'bytes that are no text': raw(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x80])),
  'the wrong encoding': raw('not gzip', 200, { 'content-encoding': 'gzip' }),
  'numbers, objects and lists for texts': asRecord({
    id: 7,
    name: 7,
    text: {},
    phone: [],
    contact: 'x',
    body: 1,
    variables: [[1]],
  }),
  'no id': asRecord({ id: {}, name: {}, key: {}, secret: {} }),
  'the names of prototypes': raw(
    '{"__proto__": {"x": 1}, "constructor": {"prototype": 1}, "id": "__proto__", "data": [{"id": "__proto__", "__proto__": 1}]}',
  ),
  'control characters': asRecord({
    id: '\u0000\u202e\ud800',
    name: '\r\n\u2028',
    text: '\u0007'.repeat(1_000),
    created_at: '+275760-09-13',
  }),
  'a cursor that never ends': raw(JSON.stringify({ data: [message.sample], next_cursor: 'again' })),
  'the token everywhere': raw(
    `{"id": "${escapedToken}", "name": "${token}", "${token}": "x${token}x", "data": [{"id": "1", "name": "${escapedToken}"}]}`,
    200,
    { 'x-request-id': token },
  ),
  'a redirect': raw('', 307, { location: 'https://evil.invalid/' }),
  'status 204 with a body': raw('x', 204),
  '401': raw(refusal({ code: 'invalid_token', message: token }), 401),
  '404': raw('<html>404</html>', 404),
  '409': raw(refusal({ code: 'contact_exists', existing_id: escapedToken }), 409),
  '422 with HTML': raw(
    refusal({ code: 'validation_failed', message: '<b>no</b>', details: [{ field: '<i>', message: '{"a":1}' }] }),
    422,
  ),
  '422 with a stack trace': raw(
    refusal('Error: x\n at send (/srv/app.js:10:5)\nTraceback (most recent call last): File "/srv/main.py", line 10'),
    422,
  ),
  '429 for ever': raw('', 429, { 'retry-after': '9'.repeat(400) }),
  '500 with a code': raw(refusal({ code: 'invalid_token', message: token }), 500),
  'nesting 6,000 deep': raw(nested(6_000)),
  'a connection that closes': (response) => response.destroy(),
  'a response that is cut off': (response) => response.write('{"id": "', () => response.destroy()),
  'a response in drips': (response) => {
    const text = [...JSON.stringify({ ...message.sample, data: [] })];
    const drip = (): unknown =>
      text.length > 0 ? response.write(text.splice(0, 20).join(''), () => setImmediate(drip)) : response.end();
    drip();
  },
};

/** Long responses. */
const largeShapes: Record<string, Respond> = {
  'long texts': asRecord({
    id: 'x'.repeat(100_000),
    name: 'y '.repeat(50_000),
    body: '{{'.repeat(50_000),
    created_at: '1:11'.repeat(25_000),
  }),
  '422 with thousands of problems': raw(
    JSON.stringify({ errors: Array(2_000).fill({ loc: Array(5).fill(token), msg: 'at ('.repeat(10) }) }),
    422,
  ),
  '422 nested deeply': raw(`{"error": ${'{"error":'.repeat(6_000)}1${'}'.repeat(6_000)}}`, 422),
};

/** Each is slow, so only one step gets them. */
const hugeShapes: Record<string, Respond> = {
  '1 MB of brackets': huge('[', '[', ']'),
  '1 MB of one text': huge('{"id": "msg_1", "text": "', 'at (', '"}'),
  '1 MB of a refusal': huge('{"error": {"message": "', '{{ ', '"}}', 422),
};

/** A step, and how many good responses it gets before a hostile one. */
type Run = [step: Step, good: number];

/** One run for each endpoint, in which its response is the first hostile one. */
const runOfEndpoint = new Map<string, Run>();

/** What core logged of these runs. */
let logOfRuns = '';

beforeAll(async () => {
  for (const step of steps) {
    const called = await run(step);
    called.forEach((name, index) => {
      if (!runOfEndpoint.has(name)) runOfEndpoint.set(name, [step, index]);
    });
  }
  logOfRuns = logged.join('\n');
});

test('the steps call every endpoint that the app uses, and core logs each request', () => {
  expect(logOfRuns).toContain(`POST ${server.url}/`);
  expect([...runOfEndpoint.keys()].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

// In parallel, because they mostly wait between retries.
test('whatever the service sends, steps return a result or a sentence', async () => {
  const failures: string[] = [];
  const stories = Object.entries(shapes).flatMap(([shape, respond]) =>
    [...runOfEndpoint.values()].map(([step, good]) => ({ shape, respond, step, good })),
  );
  await Promise.all(
    stories.map(({ shape, respond, step, good }) =>
      run(step, respond, good).catch((error: Error) => {
        failures.push(`when it sends ${shape} to ${step[0]} after ${good}: ${error.message}`);
      }),
    ),
  );
  expect(failures).toEqual([]);
});

test.each(Object.entries(largeShapes))(
  'when the service sends %s, a step takes under 5 s of CPU time',
  async (_shape, respond) => {
    for (const [step, good] of [...runOfEndpoint.values()]) {
      expect(await cpuSeconds(() => run(step, respond, good))).toBeLessThan(5);
    }
  },
);

for (const [shape, respond] of Object.entries(hugeShapes)) {
  test(`when the service sends ${shape}, a send takes under 5 s of CPU time`, async () => {
    const send = steps.find(([path]) => path === 'creates.send_message.operation.perform');
    if (!send) throw new Error('No step sends a message.');
    expect(await cpuSeconds(() => run(send, respond))).toBeLessThan(5);
  });
}

describe('at the limits of what is read, under 5 s of CPU time', () => {
  const expectSoon = async (name: string, body: unknown, status = 200): Promise<void> => {
    const [step, good] = runOfEndpoint.get(name) ?? [];
    if (!step) throw new Error(`No step calls ${name}.`);
    const text = JSON.stringify(body);
    // One that is too much isn't read at all.
    expect(countValues(text)).toBeLessThan(200_000);
    const respond = raw(text, status);
    expect(await cpuSeconds(() => run(step, respond, good))).toBeLessThan(5);
  };

  /** One call for each schema of a response. */
  const schemas = new Map(Object.entries(endpoints).map(([name, { response }]) => [response, { name, response }]));

  for (const { name, response } of schemas.values()) {
    test(`a step takes a response to ${name} whose values all have the wrong type`, () =>
      expectSoon(name, toWire(response, wrongValue(response))));
  }

  const extremes: [what: string, name: string, body: () => unknown][] = [
    ['records without an id', 'listMessages', () => ({ data: Array(45_000).fill({}) })],
    ['records with nothing but an id', 'listContacts', () => ({ data: Array(45_000).fill({ id: 'con_1' }) })],
    [
      'unknown names',
      'getMessage',
      () => ({ id: '1', ...Object.fromEntries(Array.from({ length: 45_000 }, (_, index) => [`x${index}`, index])) }),
    ],
    ['one text of 19 MB', 'listMessages', () => ({ data: [{ id: '1', text: 'a\n'.repeat(6_300_000) }] })],
  ];
  for (const [what, name, body] of extremes) test(`a step takes ${what}`, () => expectSoon(name, body()));

  test('a step takes a refusal whose values all have the wrong type', () =>
    expectSoon('sendMessage', toWire(errorResponse, wrongValue(errorResponse)), 422));

  for (const count of [1, 2_000]) {
    test(`a trigger takes a delivery of ${count} events whose values all have the wrong type`, async () => {
      const data = Object(wrongValue(message.schema, 145_000 / count));
      const delivery = signed(deliveryOf('message.received', data), {
        change: (text) => `[${Array(count).fill(text)}]`,
      });
      const path = 'triggers.message_received.operation.perform';
      expect(await cpuSeconds(() => run([path, { subscribeData, ...delivery }]))).toBeLessThan(5);
    });
  }
});

/** Any character. The unit `binary` takes seconds, since it maps each of them first. */
const character = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/** What people paste and map, and what attackers write. */
const hostileText = fc.oneof(
  fc.string({ unit: character, maxLength: 50 }),
  fc.constantFrom(
    ...['', ' ', '0', '-1', '1e9', 'null', '[]', '{}', '__proto__', 'constructor', '../..', '%', '%2e%2e', 'a\r\nX: y'],
    ...[
      '<script>alert(1)</script>',
      '{{bundle.authData.api_token}}',
      '{{process.env.PATH}}',
      '\u202e\u0000',
      '\ud800',
      '"},"to":"+1',
    ],
    ...[
      '+12025550123',
      '2026-06-12T12:30:00Z',
      '2pm',
      'https://x.example',
      'whatsapp',
      'saved',
      'one',
      'GET',
      'DELETE',
      'NL',
    ],
    ...['at x (y.js:1:1)', 'Traceback', '@evil.example', '//evil.example', "' OR 1=1 --", 'ſ', '﷽'.repeat(50)],
  ),
  fc
    .constantFrom('{{', '1:11', 'at (', '[[', '<', '9', '\u200b', 'é', '%', '/', '+', '"')
    .map((unit) => unit.repeat(100_000 / unit.length)),
);

/** A field can be mapped to anything an earlier step gave. */
const hostileValue = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 1, arbitrary: hostileText.map((text) => [text, text]) },
  { weight: 1, arbitrary: hostileText.map((text) => ({ [text]: text })) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, -1, 1e308, true, [], {}, [[]], [{}], [null]) },
);

/** Fields that a form adds once others are filled in. */
const dynamicFields = ['variables', 'variable_a', 'variable_arrival_time', 'to', 'max_recipients'];

const inputKeysOf = ([path]: Step): string[] => {
  const [group, key = ''] = path.split('.');
  const operations: Record<string, { operation: { inputFields?: unknown } }> = {
    ...app.creates,
    ...app.searches,
    ...app.triggers,
  };
  const fields = group === 'authentication' ? [] : [operations[key]?.operation.inputFields].flat();
  return fields.flatMap((field) =>
    typeof field === 'object' && field !== null && 'key' in field ? [String(field.key)] : dynamicFields,
  );
};

const stepAndField = fc.constantFrom(
  ...steps.flatMap((step) => inputKeysOf(step).map((field): [Step, string] => [step, field])),
);

test('whatever is in a field, every step gives a result or a sentence', async () => {
  await fc.assert(
    fc.asyncProperty(stepAndField, hostileValue, async ([[path, bundle], field], value) => {
      const seconds = await cpuSeconds(() =>
        run([path, { ...bundle, inputData: { ...bundle.inputData, [field]: value } }]),
      );
      expect(seconds).toBeLessThan(5);
    }),
    { numRuns: 60, seed: 14, endOnFailure: true },
  );
});

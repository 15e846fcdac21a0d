import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import app from '../src';
import { endpoints } from '../src/api/endpoints';
import { message } from '../src/api/resources';
import {
  callsOfStep,
  json,
  logOfRuns,
  type Respond,
  raw,
  run,
  runOfEndpoint,
  type Step,
  serviceUrl,
  steps,
  token,
} from './support/hostile-service';
import { isWide } from './support/width';

const asRecord = (change: object) => (response: ServerResponse) =>
  json(response, { ...message.sample, ...change, data: [{ ...message.sample, ...change }], next_cursor: null });

/** A long body, made when it is asked for. */
const huge =
  (start: string, unit: string, end: string, status = 200): Respond =>
  (response) =>
    response.writeHead(status).end(start + unit.repeat(100_000 / unit.length) + end);

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
  '100 KB of brackets': huge('[', '[', ']'),
  '100 KB of one text': huge('{"id": "msg_1", "text": "', 'at (', '"}'),
  '100 KB of a refusal': huge('{"error": {"message": "', '{{ ', '"}}', 422),
};

test('the steps call every endpoint that the app uses, and core logs each request', () => {
  expect(logOfRuns).toContain(`POST ${serviceUrl()}/`);
  expect([...runOfEndpoint.keys()].toSorted()).toEqual(Object.keys(endpoints).toSorted());
});

/** What each action needs where nobody filled in a form, and the runs that need nothing: those that only read. */
const needOf = (path: string, { inputData }: Step[1]): string => {
  const { audience } = { audience: '', ...inputData };
  if (/delete_contact/.test(path)) return 'everything';
  if (/start_campaign/.test(path)) return audience === 'one' ? 'message' : 'everything';
  return path.startsWith('creates.') ? 'message' : 'read';
};

test('without a form, only what the account lets AI agents do is done; with one, everything', async () => {
  const levels = ['read', 'message', 'everything'];
  const performs = steps.filter(([path]) => /^(creates|searches)\..*\.perform$/.test(path) && !/choices/.test(path));
  expect(performs.length).toBeGreaterThan(20);
  for (const step of performs) {
    const [path, bundle] = step;
    const allCalls = callsOfStep.get(step);
    const needed = levels.indexOf(needOf(path, bundle));
    // All levels from its limit on allow it, and none below does. An unknown level allows only reading.
    const atLimit = levels.slice(Math.max(needed - 1, 0), needed + 1);
    for (const ai_agents of [...atLimit, undefined, ...(needed === 1 ? ['any'] : [])]) {
      const level = ai_agents === undefined ? 'message' : levels.includes(ai_agents) ? ai_agents : 'read';
      const called = await run(step, undefined, 0, { ai_agents });
      expect([path, ai_agents, called]).toEqual([path, ai_agents, needed <= levels.indexOf(level) ? allCalls : []]);
    }
    const withForm: Step = [path, { ...bundle, inputDataRaw: { ...bundle.inputData } }];
    expect(await run(withForm, undefined, 0, { ai_agents: 'read' })).toEqual(allCalls);
  }
});

// In parallel, because they mostly wait between retries.
test('whatever the service sends, steps return a result or a sentence', async () => {
  const failures: string[] = [];
  // All calls read a response alike, so each shape meets a sixth of them, and each of them a sixth of the shapes.
  const stories = Object.entries(shapes).flatMap(([shape, respond], at) =>
    [...runOfEndpoint.values()]
      .map(([step, good]) => ({ shape, respond, step, good }))
      .filter((_, index) => isWide || (at + index) % 6 === 0),
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

/** Any character. The unit `binary` takes seconds, since it maps each of them first. */
const character = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/** What people paste and map, and what attackers write. */
const hostileText = fc.oneof(
  fc.string({ unit: character, maxLength: 50 }),
  fc.constantFrom(
    ...['', ' ', '0', '-1', '1e9', 'null', '[]', '{}', '__proto__', 'constructor', '../..', '%', '%2e%2e', 'a\r\nX: y'],
    ...['<script>alert(1)</script>', '{{bundle.authData.api_token}}', '{{process.env.PATH}}', '\u202e\u0000', '\ud800'],
    ...['"},"to":"+1', '+12025550123', '2026-06-12T12:30:00Z', '2pm', 'https://x.example', 'whatsapp', 'saved', 'one'],
    ...['GET', 'DELETE', 'NL'],
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
      await run([path, { ...bundle, inputData: { ...bundle.inputData, [field]: value } }]);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

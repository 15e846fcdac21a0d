import fc from 'fast-check';
import { errorCodes, explainRefusal } from '../../src/api/errors';
import { parseRefusal } from '../../src/api/refusal';

const labels = { to: 'Phone Number', variables: 'Template Variables' };

const explained = (status: number, body: unknown, requestId?: string) =>
  explainRefusal({ ...parseRefusal(status, body, requestId), labels });

describe('a refusal in the agreed shape', () => {
  test.each(Object.entries(errorCodes))('%s has its own sentence and reaction', (code, { status, reaction }) => {
    const answer = explained(status, { error: { code, message: 'The reason.', field: 'to' }, request_id: 'req_1' });
    expect(answer.reaction).toBe(reaction);
    expect(answer.message).toMatch(/^[A-Z"].+[.)]$/);
    expect(answer.message.length).toBeLessThan(250);
    expect(answer.message).not.toContain('undefined');
  });

  test('names every field that the service names, by the words a person sees', () => {
    const details = [
      { field: 'to', message: 'is not in international form' },
      { field: 'variables.parcel_id', message: 'is missing' },
    ];
    expect(explained(422, { error: { code: 'validation_failed', message: 'No.', details } }).message).toBe(
      'Phone Number is not in international form; Template Variables: parcel_id is missing. Correct the fields of this step and try again.',
    );
  });

  test.each(['constructor', 'toString'])('names a field that is called %s', (field) => {
    const { message } = explained(422, { error: { code: 'validation_failed', message: 'is missing', field } });
    expect(message).toMatch(new RegExp(`^${field} is missing\\.`, 'i'));
  });

  test('keeps what to do about it when the service has much to say', () => {
    const { message } = explained(422, { error: { code: 'validation_failed', message: 'L'.repeat(1000) } }, 'req_1');
    expect(message).toMatch(/… Correct the fields of this step and try again\.$/);
  });

  test('names the scope that is missing and how to grant it', () => {
    const error = { code: 'insufficient_scope', message: 'No.', required_scope: 'messages:write' };
    expect(explained(403, { error })).toEqual({
      reaction: 'refuse',
      message:
        'The API token doesn\'t have the scope "messages:write". Add it to the token in the messaging service, or create a token that has it and reconnect this account.',
    });
  });

  test('names the plan that is needed and what works without it', () => {
    const needs = (required_plan: string) =>
      explained(403, { error: { code: 'plan_required', message: 'No.', required_plan } });
    expect(needs('growth').message).toContain('needs the Growth plan or above');
    expect(needs('advanced').message).toMatch(
      /^Instant triggers and .+ need the Advanced plan\. .+New Contact trigger, which work on the Growth plan\.$/,
    );
  });

  test('names a variable that the template needs', () => {
    const details = [{ field: 'variables.parcel_id', message: 'is required' }];
    expect(explained(422, { error: { code: 'template_variables_missing', message: 'No.', details } }).message).toBe(
      'Template Variables: parcel_id is required, so nothing was sent. Fill in every variable of the template.',
    );
  });

  test('names the contact that is there already', () => {
    const error = { code: 'contact_exists', message: 'No.', existing_id: 'con_7Hq2Zr' };
    expect(explained(409, { error }).message).toContain('Another contact (con_7Hq2Zr) already has');
  });
});

/** Problem details and a message give their reason. Any other shape is survived, and an adapter's `response` reads it. */
describe('a refusal in another shape', () => {
  const reason = 'is too long';
  test.each<[string, unknown]>([
    ['RFC 9457', { type: 'https://example.com/problem', title: 'Bad', detail: `to ${reason}`, status: 422 }],
    ['RFC 9457 with errors', { title: 'Bad', errors: [{ detail: reason, pointer: '#/to' }] }],
    ['a message', { message: `to ${reason}` }],
  ])('%s gives the reason', (_name, body) => {
    const { reaction, message } = explained(422, body, 'req_1');
    expect(reaction).toBe('halt');
    expect(message).toMatch(/(Phone Number|to) is too long\. .+ \(Request ID: req_1\)$/);
  });

  test('invisible characters become spaces', () => {
    expect(explained(422, { message: 'is\u202etoo\u0007\u200blong' }).message).toContain('is too long.');
  });

  test('the request ID of the body comes before that of the header', () => {
    expect(explained(500, { request_id: 'req_2' }, 'req_1').message).toMatch(/\(Request ID: req_2\)$/);
  });

  test('the name of a variable in braces stays in the reason', () => {
    const { message } = explained(422, { message: 'The variable {{arrival_time}} is missing' });
    expect(message).toContain('The variable {{arrival_time}} is missing.');
  });

  test('a field that is HTML, JSON or no name is left out', () => {
    for (const field of ['<script>', '{"a":1}', { a: 1 }]) {
      expect(explained(422, { error: { details: [{ field, message: 'too long' }] } }).message).toMatch(
        /input\. too long\. Correct/,
      );
    }
  });

  test.each<[string, unknown]>([
    ['HTML', '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>'],
    ['half a JSON', '{"error": {"code": "validation_failed", "mess'],
    ['a stack trace', 'Error: no\n    at send (/srv/app/send.js:10:5)'],
    ['a stack trace of Java', 'java.lang.NullPointerException: null at com.acme.Foo.bar(Foo.java:42)'],
    ['a stack trace of Python', 'Traceback (most recent call last): File "/srv/app/main.py", line 10'],
    ['a stack trace of PHP', '/var/www/index.php:12 Stack trace: #0 /var/www/a.php(3): b()'],
    ['escaped JSON', '{\\"a\\": 1}'],
    ['JSON of numbers', '[1,2,3]'],
    ['HTML inside JSON', { message: '<b>no</b>' }],
    ['nothing', undefined],
    ['an empty text', ''],
    ['null', null],
    ['a number', 42],
    ['an empty object', {}],
    ['an error text', { error: 'too long' }],
    ['a list of errors by field', { errors: { to: ['too long'] } }],
    ['an array', [{ message: 'too long' }]],
    ['a text', 'too long'],
    ['an error of null', { error: null }],
  ])('%s gives a sentence all the same', (_name, body) => {
    expect(explained(500, body, 'req_1').message).toBe(
      "The messaging service failed (status 500). This isn't caused by your Zap. Try again later. If it keeps happening, contact the messaging service's support. (Request ID: req_1)",
    );
    expect(explained(422, body, 'req_1').message).toBe(
      "The messaging service didn't accept the input. Correct the fields of this step and try again. (Request ID: req_1)",
    );
  });

  test.each([
    [400, 'halt'],
    [401, 'reconnect'],
    [403, 'refuse'],
    [404, 'halt'],
    [409, 'halt'],
    [413, 'halt'],
    [422, 'halt'],
    [429, 'wait'],
    [500, 'fail'],
    [502, 'fail'],
    [503, 'fail'],
  ])('status %i alone decides what the Zap does: %s', (status, reaction) => {
    expect(explained(status, undefined).reaction).toBe(reaction);
  });

  test.each(Object.keys(errorCodes))('status 429 is a rate limit, even with the code %s', (code) => {
    expect(explained(429, { error: { code, message: 'No' } }).reaction).toBe('wait');
  });

  test.each([408, 425, 500, 503])('status %i is a failure of the service, whatever code comes with it', (status) => {
    for (const code of Object.keys(errorCodes)) {
      const { reaction, message } = explained(status, { error: { code, message: 'No', required_scope: 'x' } });
      expect({ code, reaction, message }).toEqual({
        code,
        reaction: 'fail',
        message: expect.stringMatching(/^The messaging service failed/),
      });
    }
  });

  test('whatever comes, the message is one short line without HTML', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.anything(), fc.string(), (status, body, requestId) => {
        const { message } = explained(status, body, requestId);
        expect(message.length).toBeLessThan(250);
        expect(message).toMatch(/^[A-Z].+[.)…]$/);
        expect(message).not.toMatch(/<[a-z!/]|"[{[]/i);
      }),
    );
  });
});

test.each([
  [
    422,
    { error: { code: '131049', message: 'This message was not delivered to maintain healthy ecosystem engagement.' } },
  ],
  [
    400,
    { error: { code: 131049, message: 'This message was not delivered to maintain healthy ecosystem engagement.' } },
  ],
])(
  'a code of the service alone, with status %i, says what it said and where to look, and not to correct fields',
  (status, body) => {
    const { reaction, message } = explainRefusal(parseRefusal(status, body));
    expect(reaction).toBe('halt');
    expect(message).toBe(
      'The messaging service refused this step with the code 131049. This message was not delivered to maintain healthy ecosystem engagement. Look this code up in the documentation of the messaging service, or ask its support.',
    );
  },
);

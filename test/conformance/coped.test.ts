/** What looks like a difference in one response, although the app reads it. */
import { Copes, Differs } from '../../conformance/checks/check';
import { comparePayloads, readPayload } from '../../conformance/compare/event';
import { requireReplay, requireSame } from '../../conformance/compare/response';
import { compare } from '../../conformance/compare/shape';
import { type Endpoint, endpoints, headers } from '../../src/api/endpoints';
import { contact, message } from '../../src/api/resources';
import { deliver } from '../../src/api/service';
import { toWire } from '../../src/api/translate';
import { deliveryOf, toPayload } from '../support/deliveries';

test('a bare list of events is compared event by event', () => {
  const events = [deliveryOf('message.sent'), deliveryOf('message.read')].map(toPayload);
  const { url: path, ...received } = deliver(events, '/hooks');
  const { differences, coped } = comparePayloads([readPayload({ path, ...received })]);
  expect({ differences: [...differences], coped: [...coped] }).toEqual({ differences: [], coped: [] });
});

test('an event of a list that lacks a field still differs', () => {
  const { id: _, ...event } = deliveryOf('message.sent');
  const { url: path, ...received } = deliver([toPayload(event)], '/hooks');
  const { differences } = comparePayloads([readPayload({ path, ...received })]);
  expect([...differences].join()).toContain('is missing');
});

test.each([
  ['tags', [1, true], ['a number, not text', 'true or false, not text']],
  ['attributes', { floor: 3 }, ['a number, not text']],
])('a value of %s that is a number or a boolean is read as text', (field, value, told) => {
  const { differences, coped } = compare(
    contact.schema,
    toWire(contact.schema, { ...contact.sample, [field]: value }),
    'contact',
  );
  expect([...differences]).toEqual([]);
  expect([...coped]).toEqual(told.map((each) => expect.stringContaining(each)));
});

test('a list in the place of a text is no text', () => {
  const { differences } = compare(contact.schema, { ...contact.sample, tags: [['vip']] }, 'contact');
  expect([...differences]).toEqual([expect.stringContaining('is a list, not text')]);
});

test('an empty body is missing, and no text in the place of a record', () => {
  const { differences } = compare(message.schema, '', 'message');
  expect([...differences]).toEqual([expect.stringMatching(/^the body is missing/)]);
});

test.each<[what: string, name: keyof typeof contact.sample, sent: unknown, got: unknown]>([
  ['a list in another order', 'tags', ['a', 'b'], ['b', 'a']],
  ['a phone number with separators', 'phone', '+12025550123', '+1 (202) 555-0123'],
])('%s is what was sent', (_what, name, sent, got) => {
  expect(() => requireSame({ [name]: sent }, { [name]: got }, endpoints.createContact)).not.toThrow();
  expect(() => requireSame({ [name]: sent }, { [name]: 'x' }, endpoints.createContact)).toThrow("isn't what was sent");
});

describe('a repeat under the same key', () => {
  const repeat = (endpoint: Endpoint, replayed?: string) => () =>
    requireReplay(
      {
        ...{ endpoint, status: endpoint.status, body: toWire(endpoint.response, { id: 'con_1' }), failure: undefined },
        ...{ sent: { query: {}, body: {} }, retryAfter: undefined, hasScope: true },
        headers: new Headers(replayed ? { [headers.idempotentReplayed]: replayed } : {}),
      },
      'con_1',
    );

  test('may say so in capitals', () => {
    expect(repeat(endpoints.sendMessage, 'TRUE')()).toBe('the first response again');
  });

  test('must say so where a step tells whether something was sent before, and elsewhere the app copes', () => {
    const problem = `\`${headers.idempotentReplayed}\` is missing on a repeat`;
    expect(repeat(endpoints.sendMessage)).toThrow(new Differs(problem));
    expect(repeat(endpoints.createContact)).toThrow(Copes);
  });
});

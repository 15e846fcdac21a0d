/** How responses, deliveries and their places are compared with the contract. */

import { type Endpoint, endpoints, headers } from '../../../src/api/endpoints';
import { contact, conversation, message, vocabulary } from '../../../src/api/resources';
import { Copes, Differs } from '../checks/check';
import { fictionalPhone } from '../checks/fictional';
import { pagingHints } from '../compare/paging-hints';
import { placeOf } from '../compare/place';
import { refusedEvents } from '../compare/refused-events';
import { resourceOf } from '../compare/resource';
import { requireReplay, requireShape, requireSuccess } from '../compare/response';
import { compare } from '../compare/shape';
import type { ServiceResponse } from '../service-client';
import { responseOf } from './client';

const { listContacts, listConversations, getWorkspace } = endpoints;

describe('tolerated', () => {
  test.each([
    ['tags', [1, true], ['a number, not text', 'true or false, not text']],
    ['attributes', { floor: 3 }, ['a number, not text']],
  ])('a value of %s that is a number or a boolean is read as text', (field, value, told) => {
    const { differences, tolerated } = compare(contact.schema, { ...contact.sample, [field]: value }, 'contact');
    expect([...differences]).toEqual([]);
    expect([...tolerated]).toEqual(told.map((each) => expect.stringContaining(each)));
  });

  test('a list in the place of a text is no text', () => {
    const { differences } = compare(contact.schema, { ...contact.sample, tags: [['vip']] }, 'contact');
    expect([...differences]).toEqual([expect.stringContaining('is a list, not text')]);
  });

  test('an empty body is missing, and no text in the place of a record', () => {
    const { differences } = compare(message.schema, '', 'message');
    expect([...differences]).toEqual([expect.stringMatching(/^the body is missing/)]);
  });

  test.each<[what: string, name: keyof typeof contact.sample, sent: unknown, got: unknown, other: unknown]>([
    ['a list in another order', 'tags', ['a', 'b'], ['b', 'a'], ['c']],
    ['a phone number with separators', 'phone', '+12025550123', '+1 (202) 555-0123', '+12025550199'],
  ])('%s is what was sent', (_what, name, sent, got, other) => {
    const problem = (value: unknown, more: object = {}): string => {
      const body = { ...contact.sample, [name]: value, ...more };
      try {
        return requireShape(responseOf(endpoints.createContact, body), { [name]: sent });
      } catch (error) {
        return String(error);
      }
    };
    expect(problem(got)).not.toContain("isn't what was sent");
    expect(problem(other)).toContain("isn't what was sent");
    // The app copes with times in another form, which hides nothing else.
    expect(problem(other, { created_at: '2026-06-11T09:41:02+02:00' })).toContain("isn't what was sent");
  });

  describe('a repeat under the same key', () => {
    const repeat = (endpoint: Endpoint, replayed?: string) => () =>
      requireReplay(
        responseOf(
          endpoint,
          { id: 'con_1' },
          { headers: new Headers(replayed ? { [headers.idempotentReplayed]: replayed } : {}) },
        ),
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
});

describe('place', () => {
  test.each<[owner: string, path: string[], place: string]>([
    ['message', ['text'], '`text` of a message, src/api/resources.ts'],
    ['message', ['data', 'contact', 'phone'], '`contact.phone` of a message, src/api/resources.ts'],
    ['campaignRun', ['recipients'], '`recipients` of a run, src/api/resources.ts'],
    ['webhookFilters', ['from'], '`from` in `webhookFilters`, src/api/resources.ts'],
    ['contact', ['language'], '`language` in `personFields`, src/api/resources.ts'],
    ['contact', ['tags'], '`tags` of a contact, src/api/resources.ts'],
    ['contact', ['data'], '`data` in `list`, src/api/endpoints.ts'],
    ['contact', ['next_cursor'], '`next_cursor` in `list`, src/api/endpoints.ts'],
    ['listContacts', ['tag'], '`tag` in `listContacts`, src/api/endpoints.ts'],
    ['listContacts', ['after'], '`after` in `listQuery`, src/api/endpoints.ts'],
    ['missing', [], '`missing`, src/api/service.ts'],
    ['errorResponse', ['error', 'code'], '`error.code` in `errorResponse`, src/api/errors.ts'],
    ['delivery', ['data'], '`data` in `delivery`, src/api/events.ts'],
    ['signature', [], '`signature`, src/api/service.ts'],
  ])('names where src/api declares %s %j', (owner, path, place) => {
    expect(placeOf(owner, path)).toBe(` (${place})`);
  });
});

describe('pagingHints', () => {
  const beside = (body: unknown, headers: Record<string, string> = {}) =>
    pagingHints({ endpoint: endpoints.listContacts, body, headers: new Headers(headers) });

  test('names the lists and counts in the body', () => {
    expect(beside({ items: [], meta: { total: 40, page: { size: 2 } }, ok: true })).toBe(
      '; with it came the list `items`, `meta.total`: 40, `meta.page`: an object',
    );
  });

  test('names the headers that lead to other pages, and a bare list', () => {
    expect(beside([], { link: '</v1?after=2>; rel="next"', 'x-total-count': '40', server: 'x' })).toBe(
      '; with it came a list as the body, the header `link`: "</v1?after=2>; rel="next"", the header `x-total-count`: "40"',
    );
  });

  test('says nothing when nothing came', () => {
    expect(beside({ ok: true })).toBe('');
    expect(beside('text')).toBe('');
    expect(beside({ data: [], next_cursor: null })).toBe('');
  });
});

describe('fictional', () => {
  // Two contacts with one number would look like a difference of the service.
  test('phone numbers for contacts only repeat after a thousand', () => {
    expect(new Set(Array.from({ length: 1000 }, fictionalPhone)).size).toBe(1000);
  });
});

describe('a record as it came', () => {
  const listOf = (...data: object[]) => ({ data, next_cursor: null });

  test.each([
    [
      'a cursor that is neither text nor a number',
      { data: [], next_cursor: { page: 2 } },
      '`next_cursor` is an object, not text (`next_cursor` in `list`, src/api/endpoints.ts)',
    ],
    [
      'a time in another form',
      listOf({ ...contact.sample, updated_at: '11-06-2026 09:41' }),
      "`data[].updated_at` isn't an ISO 8601 time with Z (`updated_at` of a contact, src/api/resources.ts)",
    ],
    [
      'a phone number without a plus, which the app takes for an id of the messaging app',
      listOf({ ...contact.sample, phone: '12025550123' }),
      "`data[].phone` isn't a phone number with a plus (`phone` in `personFields`, src/api/resources.ts)",
    ],
  ])('differs by %s', (_what, body, difference) => {
    const { differences } = compare(listContacts.response, body, 'contact');
    expect([...differences]).toEqual([difference]);
  });

  const { first_name: _, ...nameless } = contact.sample;
  const inside = { id: '101', phone: '+12025550123', username: 'noor.visser', last_name: 'Visser', given: 'Noor' };
  const conversationsOf = (...contacts: object[]) =>
    listOf(...contacts.map((each) => ({ ...conversation.sample, contact: each })));

  test.each<[what: string, call: Endpoint, body: object, names: string[]]>([
    [
      'is the same name in another spelling, next to any others',
      ...([listContacts, listOf({ ...nameless, given: 'Noor', FirstName: 'Noor', nick: 'N' })] as const),
      ['FirstName'],
    ],
    ['is the only one that is left over', listContacts, listOf({ ...nameless, given: 'Noor', size: 43 }), ['given']],
    ['is none of several', listContacts, listOf({ ...nameless, first_given: 'Noor', nick: 'N' }), []],
    ['may be in an object within the records', listConversations, conversationsOf(inside, inside), ['given']],
    [
      'is none if another record has the field',
      ...([listConversations, conversationsOf(inside, { ...inside, first_name: 'Noor' })] as const),
      [],
    ],
    ['is found in a record that no list has', getWorkspace, { id: '101', title: 'Harbor Parcels' }, ['title']],
  ])('a new name for a missing field %s', (_what, call, body, names) => {
    const { differences } = compare(call.response, body, resourceOf(call));
    expect([...differences].flatMap((each) => /there is `(\w+)`/.exec(each)?.[1] ?? [])).toEqual(names);
  });
});

describe('a refusal of a webhook', () => {
  const refusal = (message: string): ServiceResponse => {
    const error = { code: 'validation_failed', message: 'Invalid webhook', field: 'events' };
    const body = { error: { ...error, details: [{ field: 'events', message }] }, request_id: 'req_1' };
    const sent = { query: {}, body: { events: vocabulary.event } };
    return responseOf(endpoints.createWebhook, body, { status: 422, sent });
  };

  test('points to the list of what is missing when it names an event, and else to the field', () => {
    expect(() => requireSuccess(refusal('does not know conversation.reopened'))).toThrow(
      'responds 422 instead of 201 and refuses `conversation.reopened`: Invalid webhook (`conversation.reopened` in `missing`, src/api/service.ts)',
    );
    expect(() => requireSuccess(refusal('is too long'))).toThrow(
      / and refuses `events`: .*\(`events` in `createWebhook`, \S+\)$/,
    );
  });

  test.each([
    ['Unknown event "conversation.reopened".', ['conversation.reopened']],
    ['must be one of message.sent, message.failed', []],
    [`does not know ${vocabulary.event.join(', ')}`, []],
    ['does not know conversation.reopened_again', []],
  ])('with %j names the events %j', (message, events) => {
    expect(refusedEvents(refusal(message))).toEqual(events);
  });
});

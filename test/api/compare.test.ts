/** Differences in responses just as they are on the wire. */
import { compare } from '../../conformance/compare/shape';
import { endpoints } from '../../src/api/endpoints';
import { contact, conversation, workspace } from '../../src/api/resources';

test.each([
  [
    'a cursor that is neither text nor a number',
    { data: [], next_cursor: { page: 2 } },
    '`next_cursor` is an object, not text (`next_cursor` in `list`, src/api/endpoints.ts)',
  ],
  [
    'a time in another form',
    { data: [{ ...contact.sample, updated_at: '11-06-2026 09:41' }], next_cursor: null },
    "`data[].updated_at` isn't an ISO 8601 time with Z (`updated_at` of a contact, src/api/resources.ts)",
  ],
  [
    'a phone number without a plus, which the app takes for an id of the messaging app',
    { data: [{ ...contact.sample, phone: '12025550123' }], next_cursor: null },
    "`data[].phone` isn't a phone number with a plus (`phone` in `personFields`, src/api/resources.ts)",
  ],
])('reports %s', (_what, body, difference) => {
  const { differences } = compare(endpoints.listContacts.response, body, 'contact');
  expect([...differences]).toEqual([difference]);
});

describe('an object within the records of a list', () => {
  const differencesBetween = (...contacts: object[]): string[] => {
    const body = { data: contacts.map((each) => ({ ...conversation.sample, contact: each })), next_cursor: null };
    return [...compare(endpoints.listConversations.response, body, 'conversation').differences];
  };
  const nameless = { id: '101', phone: '+12025550123', username: 'noor.visser', last_name: 'Visser', given: 'Noor' };

  test('has a new name for a field that no record has', () => {
    const difference =
      '`data[].contact.first_name` is missing; there is `given` (`contact.first_name` of a conversation, src/api/resources.ts)';
    expect(differencesBetween(nameless, nameless)).toEqual([difference]);
  });

  test('has no new name for a field that another record has', () => {
    expect(differencesBetween(nameless, { ...nameless, first_name: 'Noor' })).toEqual([]);
  });
});

test('a record that no list has is compared alone', () => {
  const { differences } = compare(workspace.schema, { id: '101', title: 'Harbor Parcels' }, 'workspace');
  expect([...differences]).toContainEqual(expect.stringContaining('`name` is missing; there is `title`'));
});

describe('a new name for a missing field', () => {
  const { first_name: _, ...nameless } = contact.sample;
  const suggestionsIn = (...records: object[]): (string | undefined)[] => {
    const { differences } = compare(endpoints.listContacts.response, { data: records, next_cursor: null }, 'contact');
    return [...differences].map((each) => /there is `(\w+)`/.exec(each)?.[1]);
  };

  test('is the same name in another spelling, next to any others', () => {
    expect(suggestionsIn({ ...nameless, given: 'Noor', FirstName: 'Noor', nick: 'N' })).toEqual(['FirstName']);
  });

  test('is the only one that is left over for it', () => {
    expect(suggestionsIn({ ...nameless, given: 'Noor', size: 43 })).toEqual(['given']);
  });

  test('is not one of several, and not a similar one', () => {
    expect(suggestionsIn({ ...nameless, first_given: 'Noor', nick: 'N' })).toEqual([]);
  });
});

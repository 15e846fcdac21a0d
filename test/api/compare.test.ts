/** Differences in responses just as they are on the wire. */
import { compare } from '../../conformance/contract/shape';
import { endpoints } from '../../src/api/endpoints';
import { contact, conversation, workspace } from '../../src/api/resources';

test.each([
  [
    'a cursor that is neither text nor a number',
    { data: [], next_cursor: { page: 2 } },
    /^`next_cursor` is an object, not text \(src\/api\/endpoints\.ts:\d+\)$/,
  ],
  [
    'a time in another form',
    { data: [{ ...contact.sample, updated_at: '11-06-2026 09:41' }], next_cursor: null },
    /^`data\[\]\.updated_at` isn't an ISO 8601 time with Z \(src\/api\/resources\.ts:\d+\)$/,
  ],
])('reports %s', (_what, body, difference) => {
  const { differences } = compare(endpoints.listContacts.response, body, 'contact');
  expect([...differences]).toEqual([expect.stringMatching(difference)]);
});

describe('an object within the records of a list', () => {
  const differencesBetween = (...contacts: object[]): string[] => {
    const body = { data: contacts.map((each) => ({ ...conversation.sample, contact: each })), next_cursor: null };
    return [...compare(endpoints.listConversations.response, body, 'conversation').differences];
  };
  const nameless = { id: '101', phone: '+12025550123', last_name: 'Visser', given: 'Noor' };

  test('has a new name for a field that no record has', () => {
    const difference = /^`data\[\]\.contact\.first_name` is missing; there is `given` \(src\/api\/resources\.ts:\d+\)$/;
    expect(differencesBetween(nameless, nameless)).toEqual([expect.stringMatching(difference)]);
  });

  test('has no new name for a field that another record has', () => {
    expect(differencesBetween(nameless, { ...nameless, first_name: 'Noor' })).toEqual([]);
  });
});

test('a record that no list has is compared alone', () => {
  const { differences } = compare(workspace.schema, { id: '101', title: 'Harbour Parcels' }, 'workspace');
  expect([...differences]).toContainEqual(expect.stringContaining('`name` is missing; there is `title`'));
});

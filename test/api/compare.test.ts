/** Differences in responses just as they are on the wire. */
import { compare } from '../../conformance/contract/shape';
import { endpoints } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';

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

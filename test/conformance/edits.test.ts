import { join } from 'node:path';
import { project } from '../../cli/environment';
import { editContract, formatEdits } from '../../conformance/edits';
import type { ServiceResponse } from '../../conformance/service-client';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { contact, message } from '../../src/api/resources';

const responseOf = (endpoint: Endpoint, body: unknown): ServiceResponse => ({
  ...{ endpoint, body, sent: { query: {}, body: {} }, status: 200, headers: new Headers() },
  ...{ retryAfter: undefined, hasScope: true, failure: undefined },
});
const { listMessages, listContacts, getContact } = endpoints;

const editsFor = (...responses: ServiceResponse[]): string => formatEdits(editContract(join(project), responses, []));

test('edits a name that all calls have', () => {
  const edits = editsFor(
    responseOf(listMessages, { items: [message.sample], next_cursor: null }),
    responseOf(listContacts, { items: [contact.sample], next_cursor: null }),
  );
  expect(edits).toContain("wire.renamed('items', z.array(item))");
});

test.each([
  [
    'another call has a third name for it',
    [
      responseOf(listMessages, { messages: [message.sample] }),
      responseOf(listContacts, { contacts: [contact.sample] }),
    ],
  ],
  [
    'another call has the name of the contract',
    [responseOf(listMessages, { messages: [message.sample] }), responseOf(listContacts, { data: [contact.sample] })],
  ],
  ['the list is empty', [responseOf(listMessages, { errors: [] })]],
])('edits no name when %s', (_case, responses) => {
  expect(editsFor(...responses)).not.toContain('z.array(item)');
});

test('edits no name of a field that another call has as declared', () => {
  const { first_name, ...others } = contact.sample;
  const edits = editsFor(
    responseOf(getContact, { ...others, firstName: first_name }),
    responseOf(listContacts, { data: [contact.sample] }),
  );
  expect(edits).toBe('');
});

import { endpoints } from '../src/api/endpoints';
import { call } from '../src/http/client';
import { defineTrigger } from '../src/platform';
import { dropdown, searchField } from '../src/polling/dropdown';

export default defineTrigger({
  key: 'list_contacts',
  noun: 'Contact',
  display: {
    label: 'List Contacts',
    description: 'Triggers when the list of contacts behind a dropdown is opened.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [searchField],
    list: (z, page, { search }) => call(z, endpoints.listContacts, { query: { ...page, query: search } }),
    choice: ({ id, first_name, last_name, phone, email }) => ({
      id,
      name: [first_name, last_name, phone ?? email].filter(Boolean).join(' ') || id,
    }),
    sample: { id: 'con_7Hq2Zr', name: 'Noor Visser +31612345678' },
  }),
});

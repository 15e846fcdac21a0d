import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { nameOfPerson } from '../src/formats/person-name';
import { call } from '../src/http/client';
import { dropdown, searchField } from '../src/polling/dropdown';

export default defineTrigger({
  key: 'list_contacts',
  noun: 'Contact',
  display: {
    label: 'List Contacts',
    description: 'Triggers when someone opens a contact dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [searchField],
    list: (z, page, { search }) => call(z, endpoints.listContacts, { query: { ...page, query: search } }),
    toChoice: (contact) => ({ id: contact.id, name: nameOfPerson(contact) ?? contact.id }),
    sample: { id: 'con_7Hq2Zr', name: 'Noor Visser +12025550123' },
  }),
});

import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { call } from '../src/http/client';
import { nameOfPerson } from '../src/messages/person-name';
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
    list: (z, page, { search }) =>
      call(z, endpoints.listContacts, { query: { ...page, query: search }, labels: { query: searchField.label } }),
    toChoice: (person) => ({ id: person.id, name: nameOfPerson(person) ?? person.id }),
    sample: contact.sample,
  }),
});

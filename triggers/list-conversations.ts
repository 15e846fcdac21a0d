import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { nameOfPerson } from '../src/formats/person-name';
import { call } from '../src/http/client';
import { dropdown } from '../src/polling/dropdown';

export default defineTrigger({
  key: 'list_conversations',
  noun: 'Conversation',
  display: {
    label: 'List Conversations',
    description: 'Triggers when someone opens a conversation dropdown.',
    hidden: true,
  },
  operation: dropdown({
    inputFields: [],
    list: (z, page) => call(z, endpoints.listConversations, { query: page }),
    toChoice: ({ id, contact, status }) => ({
      id,
      name: `${nameOfPerson(contact) ?? id}${status ? ` (${status})` : ''}`,
    }),
    sample: { id: 'cnv_3Tn8Lw', name: 'Noor Visser +12025550123 (open)' },
  }),
});

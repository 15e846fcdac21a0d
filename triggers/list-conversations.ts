import { defineTrigger } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { conversation } from '../src/api/resources';
import { call } from '../src/http/client';
import { nameOfPerson } from '../src/messages/person-name';
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
    sample: conversation.sample,
  }),
});

import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { endpoints, pageSize } from '../src/api/endpoints';
import { call } from '../src/client';
import { hook } from '../src/hook';

const inputFields = defineInputFields([
  {
    key: 'channel',
    label: 'Channel',
    helpText: 'Only messages on this channel, such as `whatsapp`. Leave empty for every channel.',
  },
  {
    key: 'contains',
    label: 'Contains Any Of',
    list: true,
    helpText: 'Only messages with at least one of these words or phrases. Capital letters do not matter.',
  },
]);

export default defineTrigger({
  key: 'message_received',
  noun: 'Message',
  display: {
    label: 'New Inbound Message',
    description: 'Triggers when a contact writes to you.',
  },
  operation: hook({
    events: ['message.received'],
    inputFields,
    filter: ({ channel }) => (channel ? { channel: [channel] } : {}),
    accepts: ({ text }, { contains = [] }) =>
      contains.length === 0 || contains.some((phrase) => text?.toLowerCase().includes(phrase.toLowerCase())),
    list: async (z, { channel }) => {
      const query = { direction: 'inbound', channel, limit: pageSize.most };
      return (await call(z, endpoints.listMessages, { query })).data;
    },
  }),
});

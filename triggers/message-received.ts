import { channelFilter } from '../src/channel-field';
import { hook } from '../src/hook';
import { defineInputFields, defineTrigger } from '../src/platform';
import { recentMessages } from '../src/recent';

const inputFields = defineInputFields([
  channelFilter,
  {
    key: 'contains',
    label: 'Contains Any Of',
    type: 'text',
    list: true,
    helpText: 'Only messages with at least one of these words or phrases. Capital letters do not matter.',
  },
]);

/** As people compare texts: in any case, and with accents however they are written. */
const plain = (text: string): string => text.normalize('NFC').toLowerCase();

export default defineTrigger({
  key: 'message_received',
  noun: 'Message',
  display: {
    label: 'New Inbound Message',
    description: 'Triggers when a contact sends you a message.',
  },
  operation: hook({
    events: ['message.received'],
    inputFields,
    filter: ({ channel }) => ({ channel }),
    accepts: ({ text }, { contains = [] }) =>
      contains.length === 0 || contains.some((phrase) => plain(text ?? '').includes(plain(phrase))),
    list: (z, { channel }) => recentMessages(z, { direction: 'inbound', channel }),
  }),
});

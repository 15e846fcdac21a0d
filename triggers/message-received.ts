import { defineInputFields, defineTrigger } from 'zapier-platform-core';
import { saysNothing } from '../src/api/filters';
import type { Message } from '../src/api/resources';
import { personOf } from '../src/contact/person';
import { channelFilter } from '../src/step/dropdowns';
import { matchesPhrases, phraseFields } from '../src/text/phrase-fields';
import { readMinutesApart, spacingField } from '../src/trigger/fields';
import { instantTrigger, recentMessages } from '../src/trigger/instant-trigger';

const inputFields = defineInputFields([channelFilter, ...phraseFields('Triggers only for messages'), spacingField]);

const conversationOf = (message: Message): string | undefined => {
  const { id, phone } = personOf(message);
  if (message.conversation_id) return `conversation ${message.conversation_id}`;
  if (id) return `contact ${id}`;
  return phone ? `phone ${phone}` : undefined;
};

export default defineTrigger({
  key: 'message_received',
  noun: 'Message',
  display: {
    label: 'New Inbound Message',
    description:
      'Triggers when a contact sends you a message or a photo, by WhatsApp, SMS or another channel (Advanced plan).',
  },
  operation: instantTrigger({
    events: ['message.received'],
    direction: 'inbound',
    inputFields,
    filter: ({ channel }) => ({ channel }),
    accepts: (record, input) => !saysNothing(record) && matchesPhrases(record.text, input),
    spacing: ({ minutes_apart }) => {
      const minutes = readMinutesApart(minutes_apart);
      return minutes === undefined ? undefined : { minutes, keyOf: conversationOf };
    },
    list: (z, { channel }) => recentMessages(z, { direction: 'inbound', channel }),
  }),
});

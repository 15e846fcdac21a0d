import { type CreatePerform, defineCreate } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { message } from '../src/api/resources';
import { messageFields, messageGroups, queuedMessageSample, readMessage, sendMessage } from '../src/message/form';
import { sendingLimit } from '../src/step/limits';
import { output } from '../src/step/output';

const sentMessage = zod.looseObject({ ...message.schema.shape, already_sent: zod.boolean() });
type SentMessage = zod.output<typeof sentMessage>;

const perform = (async (z, bundle) => sendMessage(z, await readMessage(z, bundle))) satisfies CreatePerform<
  typeof messageFields,
  SentMessage
>;

const sample = { ...queuedMessageSample, already_sent: false };

export default defineCreate({
  key: 'send_message',
  noun: 'Message',
  display: {
    label: 'Send Template Message',
    description: 'Sends an approved template message to one phone number, by WhatsApp, SMS or another channel.',
  },
  operation: {
    throttle: sendingLimit,
    inputFieldGroups: messageGroups,
    inputFields: messageFields,
    perform,
    ...output({ record: message, schema: sentMessage, sample }),
  },
});

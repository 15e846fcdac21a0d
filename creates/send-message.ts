import { type CreatePerform, defineCreate } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import type { Message } from '../src/api/resources';
import { messageFields, messageGroups, queuedMessageSample, readMessage } from '../src/forms/message-form';
import { fieldsIn, outputs } from '../src/forms/output';
import { call } from '../src/http/client';

const inputFields = messageFields();

const perform = (async (z, bundle) =>
  call(z, endpoints.sendMessage, await readMessage(z, inputFields, bundle))) satisfies CreatePerform<
  typeof inputFields,
  Message
>;

export default defineCreate({
  key: 'send_message',
  noun: 'Message',
  display: {
    label: 'Send Template Message',
    description: 'Sends an approved template message, such as a delivery notice, to one phone number.',
  },
  operation: {
    inputFieldGroups: messageGroups,
    inputFields,
    perform,
    sample: queuedMessageSample,
    outputFields: fieldsIn(queuedMessageSample, outputs.Message.outputFields),
  },
});

import { type Bundle, defineInputFields, defineSearch, type SearchPerform, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, exists } from '../src/api/endpoints';
import { field } from '../src/api/fields';
import { passesFilters } from '../src/api/filters';
import { type Conversation, conversation, type Message, message } from '../src/api/resources';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { limitField, readRange, sinceField } from '../src/forms/history-fields';
import { formLabels, type InputOf, readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { phoneNumberHelp } from '../src/forms/recipient';
import { channelFilter, conversationField } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { replySample } from '../src/messages/example-reply';
import { textOf, withText } from '../src/messages/text';
import { transcript } from '../src/messages/transcript';
import { halt } from '../src/platform/errors';
import { findContactByValue } from '../src/polling/contacts';
import { readHistory } from '../src/polling/history';
import { firstRecords } from '../src/polling/paginate';

const inputFields = defineInputFields([
  {
    ...conversationField,
    helpText:
      'Choose a conversation, or map its ID from an earlier step. Leave empty to find the newest one by Phone Number.',
  },
  {
    key: 'phone',
    label: 'Phone Number',
    placeholder: '+12025550123',
    helpText: `Used only if Conversation is empty. ${phoneNumberHelp}`,
  },
  channelFilter,
  {
    key: 'status',
    label: 'Status',
    choices: { open: 'Open', closed: 'Closed' },
    helpText: 'Leave empty for the newest conversation, open or closed.',
  },
  sinceField,
  limitField,
]);

const { phone: phoneLabel, channel: channelLabel, status: statusLabel } = formLabels(inputFields);

const history = zod.looseObject({
  ...conversation.schema.shape,
  messages: zod.array(message.schema),
  transcript: zod.string(),
  last_inbound_text: zod.nullable(zod.string()),
  last_inbound_at: zod.nullable(field.time),
  awaiting_reply: zod.boolean(),
  complete: zod.boolean(),
});

/** Returns the newest conversation with a phone number that matches the filters. Throws an error when several contacts have it. */
const findByPhone = async (
  z: ZObject,
  phone: string,
  filters: Pick<InputOf<typeof inputFields>, 'channel' | 'status'>,
): Promise<Conversation | undefined> => {
  const [contact] = await findContactByValue(z, 'Phone Number', { phone });
  if (!contact) return undefined;
  const [newest] = await firstRecords((page) =>
    lookUp(z, endpoints.listConversations, {
      query: { contact_id: contact.id, ...filters, ...page, limit: 1 },
      labels: { contact_id: phoneLabel, channel: channelLabel, status: statusLabel },
    }),
  );
  return newest;
};

const findOne = async (
  z: ZObject,
  { authData }: Bundle,
  { conversation: id, phone, channel, status }: InputOf<typeof inputFields>,
): Promise<Conversation | undefined> => {
  // Without the call, the conversation is known by its messages alone.
  if (id && !exists('getConversation')) return { id };
  if (id) {
    const found = await lookUp(z, endpoints.getConversation, { id });
    return found && passesFilters(found, { channel, status }) ? found : undefined;
  }
  if (!phone) throw halt('Conversation and Phone Number are both empty. Fill in one of them and try again.');
  return findByPhone(z, await parsePhoneNumber('Phone Number', phone, authData.default_country), { channel, status });
};

const perform = (async (z, bundle) => {
  const input = readInput(inputFields, bundle.inputData);
  const timezone = bundle.meta?.timezone;
  const range = readRange(input, timezone);
  const found = await findOne(z, bundle, input);
  if (!found) return [];
  const { id } = found;
  const newest = await readHistory(
    (page) => lookUp(z, endpoints.listConversationMessages, { id, query: page, labels: { limit: limitField.label } }),
    range,
  );
  if (!exists('getConversation') && newest.seen.length === 0) return [];
  const isInConversation = (each: Message) => passesFilters(each, { conversation_id: id });
  const messages = newest.records.filter(isInConversation);
  const seen = newest.seen.filter(isInConversation);
  const lastInbound = seen.find(({ direction }) => direction === 'inbound');
  return [
    {
      ...withText(found),
      messages: messages.map(withText),
      transcript: transcript(messages, timezone),
      last_inbound_text: lastInbound ? textOf(lastInbound) : null,
      last_inbound_at: lastInbound?.created_at ?? null,
      awaiting_reply: seen[0]?.direction === 'inbound',
      complete: newest.isComplete,
    },
  ];
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof history>>;

const newestMessages = [replySample, message.sample];

export default defineSearch({
  key: 'find_conversation',
  noun: 'Conversation',
  display: {
    label: 'Find Conversation History',
    description: 'Finds a conversation with its messages and a transcript for notes and AI steps.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      noun: conversation.noun,
      schema: history,
      sample: {
        ...conversation.sample,
        messages: newestMessages,
        transcript: transcript(newestMessages, undefined),
        last_inbound_text: replySample.text ?? null,
        last_inbound_at: replySample.created_at ?? null,
        awaiting_reply: true,
        complete: true,
      },
    }),
  },
});

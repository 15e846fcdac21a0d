import {
  type Bundle,
  defineInputFields,
  defineSearch,
  type InferInputData,
  type SearchPerform,
  type ZObject,
} from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { field } from '../src/api/fields';
import { passesFilters } from '../src/api/filters';
import { type Conversation, conversation, type Message, message } from '../src/api/resources';
import { replySample } from '../src/formats/example-reply';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { transcript } from '../src/formats/transcript';
import { limitField, readRange, sinceField } from '../src/forms/history-fields';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { phoneNumberHelp } from '../src/forms/recipient';
import { channelFilter, conversationField } from '../src/forms/reference-fields';
import { find } from '../src/http/client';
import { halt } from '../src/platform/errors';
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
    helpText: `${phoneNumberHelp} Used if Conversation is empty.`,
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

const history = zod.looseObject({
  ...conversation.schema.shape,
  messages: zod.array(message.schema),
  transcript: zod.string(),
  last_inbound_text: zod.nullable(zod.string()),
  last_inbound_at: zod.nullable(field.time),
  awaiting_reply: zod.boolean(),
  complete: zod.boolean(),
});

/** Returns the newest conversation with a phone number that matches the filters. */
const findByPhone = async (
  z: ZObject,
  phone: string,
  filters: { channel: string | undefined; status: string | undefined },
): Promise<Conversation | undefined> => {
  const [contact] = await firstRecords((page) =>
    find(z, endpoints.listContacts, { query: { phone, ...page, limit: 1 } }),
  );
  if (!contact) return undefined;
  const [newest] = await firstRecords((page) =>
    find(z, endpoints.listConversations, {
      query: { contact_id: contact.id, ...filters, ...page, limit: 1 },
      labels: { contact_id: 'Phone Number', status: 'Status' },
    }),
  );
  return newest;
};

const findOne = async (
  z: ZObject,
  { authData }: Bundle,
  { conversation: id, phone, channel, status }: InferInputData<typeof inputFields>,
): Promise<Conversation | undefined> => {
  if (id) {
    const found = await find(z, endpoints.getConversation, { id });
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
    (page) => find(z, endpoints.listConversationMessages, { id, query: page, labels: { limit: limitField.label } }),
    range,
  );
  const isInConversation = (each: Message) => passesFilters(each, { conversation_id: id });
  const messages = newest.records.filter(isInConversation);
  const seen = newest.seen.filter(isInConversation);
  const lastInbound = seen.find(({ direction }) => direction === 'inbound');
  return [
    {
      ...found,
      messages,
      transcript: transcript(messages, timezone),
      last_inbound_text: lastInbound?.text ?? null,
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

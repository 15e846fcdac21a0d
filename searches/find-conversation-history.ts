import { type Bundle, defineInputFields, defineSearch, type SearchPerform, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { field } from '../src/api/fields';
import { passesFilters } from '../src/api/filters';
import { type Conversation, conversation, type Message, message } from '../src/api/resources';
import { call } from '../src/call/call';
import { readList } from '../src/call/pages';
import { findContactByValue } from '../src/contact/find';
import { isSamePerson, reachable, withReachability } from '../src/contact/person';
import { withFiles } from '../src/message/files';
import { parsePhoneNumber } from '../src/message/phone';
import { phoneNumberHelp } from '../src/message/recipient';
import { replySample } from '../src/reply/example';
import { type Ambiguity, listMatches, severalMatch } from '../src/step/ambiguity';
import { searching } from '../src/step/chosen';
import { channelFilter, contactField, conversationField } from '../src/step/dropdowns';
import { halt } from '../src/step/errors';
import { formLabels, type InputOf, ordered } from '../src/step/input';
import { output } from '../src/step/output';
import { limitField, readRange, sinceField } from '../src/step/range-fields';
import { textOf, transcript, withText } from '../src/text/lines';

const inputFields = defineInputFields([
  {
    ...conversationField,
    helpText:
      'Choose a conversation, or map its ID from an earlier step. Leave empty to find the newest one by Contact or Phone Number.',
  },
  {
    ...contactField,
    required: false,
    helpText:
      'Used only if Conversation is empty. Choose a contact, or map Contact ID, which also finds people who hide their number.',
  },
  {
    key: 'phone',
    label: 'Phone Number',
    placeholder: '+12025550123',
    helpText: `Used if Conversation and Contact are empty. ${phoneNumberHelp}`,
  },
  channelFilter,
  {
    key: 'status',
    label: 'Status',
    choices: ordered(['open', 'Open'], ['closed', 'Closed']),
  },
  sinceField,
  limitField,
]);

const { channel: channelLabel, status: statusLabel } = formLabels(inputFields);

const history = zod.looseObject({
  ...conversation.schema.shape,
  ...reachable,
  messages: zod.array(message.schema),
  transcript: zod.string(),
  last_inbound_text: zod.nullable(zod.string()),
  last_inbound_at: zod.nullable(field.time),
  awaiting_reply: zod.nullable(zod.boolean()),
  complete: zod.boolean(),
});

type Label = 'Contact' | 'Phone Number';

const ambiguousConversation = (label: Label): Ambiguity => ({
  label,
  plural: 'conversations',
  remedy: 'Choose a Channel or a Status, or map Conversation.',
});

const newestOf = (conversations: Conversation[], label: Label): Conversation | undefined => {
  const timeOf = ({ created_at }: Conversation): number => Date.parse(created_at ?? '');
  const [newest, ...others] = conversations.toSorted((one, other) => timeOf(other) - timeOf(one));
  if (newest && !others.every((each) => timeOf(each) < timeOf(newest)))
    throw severalMatch(ambiguousConversation(label));
  return newest;
};

interface Wanted {
  contactId: string;
  label: Label;
}

/** Whether a conversation is the contact's. A service may ignore the filter of a list. */
const isOfContact = ({ contact }: Conversation, contactId: string): boolean =>
  isSamePerson({ id: contact?.id }, { id: contactId });

const findNewest = async (
  z: ZObject,
  { contactId, label }: Wanted,
  filters: Pick<InputOf<typeof inputFields>, 'channel' | 'status'>,
): Promise<Conversation | undefined> => {
  const conversations = await listMatches(
    (page) =>
      call(z, endpoints.listConversations, {
        query: { contact_id: contactId, ...filters, ...page },
        labels: { contact_id: label, channel: channelLabel, status: statusLabel },
      }),
    ambiguousConversation(label),
  );
  return newestOf(
    conversations.filter((each) => isOfContact(each, contactId)),
    label,
  );
};

const findWanted = async (
  z: ZObject,
  { authData }: Bundle,
  { contact, phone }: Pick<InputOf<typeof inputFields>, 'contact' | 'phone'>,
): Promise<Wanted | undefined> => {
  if (contact) return { contactId: contact, label: 'Contact' };
  if (!phone) throw halt('Conversation, Contact and Phone Number are all empty. Fill in one of them and try again.');
  const number = await parsePhoneNumber('Phone Number', phone, authData.default_country);
  const [found] = await findContactByValue(z, 'Phone Number', { phone: number });
  return found && { contactId: found.id, label: 'Phone Number' };
};

const findOne = async (
  z: ZObject,
  bundle: Bundle,
  { conversation: id, channel, status, ...person }: InputOf<typeof inputFields>,
): Promise<Conversation | undefined> => {
  if (id) {
    const found = await call(z, endpoints.getConversation, { id }, { unless: 'gone' });
    return found && passesFilters(found, { channel, status }) ? found : undefined;
  }
  const wanted = await findWanted(z, bundle, person);
  return wanted && findNewest(z, wanted, { channel, status });
};

/** Whether the contact wrote the newest message; null when the service doesn't say who did, or it may be unreadable. */
const awaitsReply = (newest: Message | undefined, isUnreadable: boolean): boolean | null => {
  if (isUnreadable) return null;
  if (!newest) return false;
  return newest.direction === 'inbound' || (newest.direction === 'outbound' ? false : null);
};

const perform = searching(inputFields, async (z, bundle, input) => {
  const timezone = bundle.meta?.timezone;
  const range = readRange(input, timezone);
  const found = await findOne(z, bundle, input);
  if (!found) return [];
  const { id } = found;
  const newest = await readList(
    (page) =>
      call(
        z,
        endpoints.listConversationMessages,
        { id, query: page, labels: { limit: limitField.label } },
        { unless: 'gone' },
      ),
    range,
  );
  const isInConversation = (each: Message) => passesFilters(each, { conversation_id: id });
  const messages = newest.records.filter(isInConversation);
  const seen = newest.seen.filter(isInConversation);
  const lastInbound = seen.find(({ direction }) => direction === 'inbound');
  return [
    {
      ...withText(found),
      // Without the contact of the conversation, its messages tell.
      has_phone_number: withReachability(found.contact ? found : (seen[0] ?? found)).has_phone_number,
      messages: messages.map((each) => withFiles(z, withText(each))),
      transcript: transcript(messages, timezone),
      last_inbound_text: lastInbound ? textOf(lastInbound) : null,
      last_inbound_at: lastInbound?.created_at ?? null,
      awaiting_reply: awaitsReply(seen[0], newest.gaps.includes('unreadable')),
      complete: newest.gaps.length === 0,
    },
  ];
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof history>>;

const newestMessages = [replySample, message.sample];

export default defineSearch({
  key: 'find_conversation_history',
  noun: 'Conversation',
  display: {
    label: 'Find Conversation History',
    description: 'Finds a conversation with its messages and a transcript for notes and AI steps.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      record: conversation,
      lists: { messages: message },
      schema: history,
      sample: {
        ...withReachability(conversation.sample),
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

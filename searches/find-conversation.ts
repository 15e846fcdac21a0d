import { endpoints } from '../src/api/endpoints';
import { type Conversation, conversation, type Message, message } from '../src/api/resources';
import { channelFilter } from '../src/channel-field';
import { find } from '../src/client';
import { halt } from '../src/errors';
import { readInput } from '../src/input';
import { output } from '../src/output';
import { listFirst } from '../src/paginate';
import { parsePhoneNumber } from '../src/phone-number';
import { defineInputFields, defineSearch, type SearchPerform } from '../src/platform';
import { transcript } from '../src/transcript';

const mostMessages = 500;
const usualMessages = 50;

const inputFields = defineInputFields([
  {
    key: 'phone',
    label: 'Phone Number',
    required: true,
    helpText: 'The number of the contact. Any way of writing it is fine.',
  },
  channelFilter,
  {
    key: 'status',
    label: 'Status',
    choices: { open: 'Open', closed: 'Closed' },
    helpText: 'Leave empty for the newest conversation, open or closed.',
  },
  {
    key: 'message_limit',
    label: 'Number of Messages',
    type: 'integer',
    helpText: `How many of the newest messages to give, up to ${mostMessages}. Leave empty for ${usualMessages}.`,
  },
]);

type History = Conversation & { messages: Message[]; transcript: string };

const perform = (async (z, bundle) => {
  const { phone, channel, status, message_limit: limit = usualMessages } = readInput(inputFields, bundle.inputData);
  if (limit < 1 || limit > mostMessages) throw halt(`Number of Messages: choose a number from 1 to ${mostMessages}.`);
  const number = await parsePhoneNumber('Phone Number', phone, bundle.authData.default_country);
  const contacts = await find(z, endpoints.listContacts, { query: { phone: number, limit: 1 } });
  const contactId = contacts?.data[0]?.id;
  if (!contactId) return [];
  const query = { contact_id: contactId, channel, status, limit: 1 };
  const newest = (await find(z, endpoints.listConversations, { query }))?.data[0];
  if (!newest) return [];
  const messages = await listFirst(limit, (page) =>
    find(z, endpoints.listConversationMessages, { id: newest.id, query: page }),
  );
  return [{ ...newest, messages, transcript: transcript(messages, bundle.meta?.timezone) }];
}) satisfies SearchPerform<typeof inputFields, History>;

const { sample, outputFields } = output(conversation);

export default defineSearch({
  key: 'find_conversation',
  noun: 'Conversation',
  display: {
    label: 'Find Conversation History',
    description: "Finds a contact's newest conversation, with its messages and a transcript for an AI step.",
  },
  operation: {
    inputFields,
    perform,
    sample: {
      ...sample,
      messages: [message.sample],
      // Written out, since making it at every start takes as long as all the rest of the app.
      transcript: '[2026-06-11 09:40] Us: Your parcel PX-20418 arrives today at about 14:30.',
    },
    outputFields,
  },
});

/** What the fields of a result mean, in the words of people who build Zaps. */
import type { ZodMiniObject } from 'zod/mini';
import { endpoints } from '../../src/api/endpoints';
import {
  campaign,
  campaignRun,
  contact,
  conversation,
  message,
  template,
  type vocabulary,
} from '../../src/api/resources';
import { nameOnWire } from '../../src/api/wire';

type Words<K extends keyof typeof vocabulary> = Record<(typeof vocabulary)[K][number], string>;

/** The meaning of a field, and of each value that it is known to have. */
export type Meaning = string | { text: string; values: Record<string, string> };

/** Meanings by the key of the output field, such as `contact__phone`. */
export type Meanings = Record<string, Meaning>;

const statusOfMessage: Words<'messageStatus'> = {
  received: 'the contact sent it to you.',
  queued: "the service accepted it and hasn't sent it yet.",
  sent: 'it is on its way.',
  delivered: "it is on the contact's phone.",
  read: 'the contact read it. Not every messaging app reports this.',
  failed: 'it will not arrive. **Failure Reason** says why.',
};

const sender: Words<'source'> = {
  contact: 'the contact.',
  agent: 'a colleague.',
  automation: 'an automation of the messaging service.',
  campaign: 'a campaign.',
  api: 'a Zap or another app.',
};

const direction: Words<'direction'> = {
  inbound: 'the contact sent it to you.',
  outbound: 'you sent it.',
};

const statusOfConversation: Words<'conversationStatus'> = {
  open: 'someone must answer or close it.',
  closed: 'it is done.',
};

const statusOfCampaign: Words<'campaignStatus'> = {
  draft: "it isn't finished.",
  scheduled: 'it starts later.',
  sending: 'it is sending its messages.',
  completed: 'it has sent all its messages.',
  failed: 'it stopped because of an error.',
  canceled: 'someone stopped it.',
};

const consent: Words<'consent'> = {
  opted_in: 'yes.',
  opted_out: 'no. The service sends them no template messages.',
  unknown: "they haven't said.",
};

const person: Meanings = {
  contact__id: 'Identifies the contact. Map it in **Contact** of a later step.',
  contact__phone: "The contact's phone number.",
  contact__first_name: "The contact's first name. Empty if you don't know it.",
  contact__last_name: "The contact's last name. Empty if you don't know it.",
};

const channel = 'The messaging app, such as `whatsapp` or `sms`.';

/** A kind of record, with the meaning of each of its fields. */
export interface RecordKind {
  title: string;
  text: string;
  record: { noun: string; schema: ZodMiniObject };
  meanings: Meanings;
}

/** The kinds of record in results. */
export const recordKinds: RecordKind[] = [
  {
    title: 'Message',
    text: 'A message that a contact sent to you, or that you sent.',
    record: message,
    meanings: {
      id: 'Identifies the message. Map it in **Message** of Find Reply or Find Message.',
      conversation_id: 'Identifies the conversation. Map it in **Conversation** of Find Conversation History.',
      ...person,
      campaign_id: 'Identifies the campaign that sent the message. Empty for other messages.',
      channel,
      direction: { text: 'Who sent it.', values: direction },
      from: 'The number that sent it.',
      to: 'The number that it was sent to.',
      template: 'The name of the template. Empty for messages without one.',
      variables: 'The values that were put into the template.',
      text: 'The text that the contact sees, with all values filled in.',
      status: { text: 'Where the message was when the step ran.', values: statusOfMessage },
      error__code: 'A short code for the reason of a failure, such as `recipient_unreachable`.',
      error__message: 'The reason of a failure, in words. Empty unless it failed.',
      source: { text: 'Who or what wrote it.', values: sender },
      created_at: 'When the service got the message.',
      sent_at: 'When it was sent. Empty until then.',
      delivered_at: "When it arrived on the contact's phone. Empty until then.",
      read_at: 'When the contact read it. Empty until then.',
      failed_at: 'When it failed. Empty unless it did.',
    },
  },
  {
    title: 'Conversation',
    text: 'All messages with one contact on one channel, until someone closes it.',
    record: conversation,
    meanings: {
      id: 'Identifies the conversation. Map it in **Conversation** of Find Conversation History.',
      channel,
      status: { text: 'Whether it still needs a colleague.', values: statusOfConversation },
      ...person,
      assignee: 'The colleague who answers it. Empty if nobody does yet.',
      message_count: 'How many messages it has.',
      url: 'The page where you read and answer it.',
      last_message_at: 'The time of its newest message.',
      created_at: 'When it started.',
      closed_at: 'When someone closed it. Empty while it is open.',
    },
  },
  {
    title: 'Contact',
    text: 'A person in your workspace.',
    record: contact,
    meanings: {
      id: 'Identifies the contact. Map it in **Contact** of a later step.',
      phone: 'The phone number, with country code. Empty if you have only an email address.',
      email: 'The email address. Empty if you have only a phone number.',
      first_name: 'The first name.',
      last_name: 'The last name.',
      language: 'The language, as a code such as `en` or `nl`.',
      tags: 'The tags of the contact.',
      attributes: 'Your own details, such as a customer number.',
      consent: { text: 'Whether this person agreed to receive messages from you.', values: consent },
      url: "The contact's page in the messaging service.",
      created_at: 'When the contact was added.',
      updated_at: 'When the contact last changed.',
    },
  },
  {
    title: 'Campaign',
    text: 'A template message to many people.',
    record: campaign,
    meanings: {
      id: 'Identifies the campaign. Map it in **Campaign** of Start Campaign.',
      name: 'The name of the campaign.',
      channel,
      template: 'The name of the template that it sends.',
      status: { text: 'How far the campaign is.', values: statusOfCampaign },
      audience_size: 'How many people are in its saved audience.',
      stats__recipients: 'How many people it goes to.',
      stats__sent: 'How many messages were sent so far.',
      stats__delivered: 'How many messages arrived so far.',
      stats__read: 'How many messages were read so far.',
      stats__replied: 'How many people replied so far.',
      stats__failed: 'How many messages failed so far.',
      url: 'The page with its results.',
      created_at: 'When someone created it.',
      started_at: 'When it started. Empty until then.',
      completed_at: 'When it had sent all its messages. Empty until then.',
    },
  },
  {
    title: 'Campaign run',
    text: 'One start of a campaign.',
    record: campaignRun,
    meanings: {
      id: 'Identifies this start of the campaign.',
      campaign_id: 'Identifies the campaign. Map it in **Campaign** of a later step.',
      campaign_name: 'The name of the campaign.',
      status: {
        text: 'What the service does with it.',
        values: { queued: 'it starts in a moment.', test: 'this was a test in the editor, and nothing was sent.' },
      },
      recipients: 'How many people it goes to.',
      created_at: 'When the Zap started it.',
    },
  },
  {
    title: 'Template',
    text: 'A text with gaps for details, such as a name or a time.',
    record: template,
    meanings: {
      name: 'The name of the template. Map it in **Template** of a later step.',
      channel,
      language: 'The language of its text, as a code such as `en` or `nl`.',
      status: { text: 'Whether you can send it.', values: { approved: 'you can.' } },
      category: 'What it is for, such as `utility` or `marketing`.',
      body: 'Its text. Double braces mark the gaps.',
      'variables[]name': 'The name of each gap.',
      'variables[]label': 'The label of its field in the form.',
      'variables[]example': 'An example of its value.',
      'variables[]format': {
        text: 'The kind of value that it takes.',
        values: {
          text: 'any text.',
          time: 'a time of day.',
          date: 'a date.',
          number: 'a number.',
          url: 'a link.',
        } satisfies Words<'variableFormat'>,
      },
      'variables[]required': 'Whether it needs a value.',
    },
  },
];

const after = nameOnWire('after', endpoints.listContacts.query.shape.after);
const replyText = 'The text of the reply.';
const minutes = 'How many minutes passed between your message and the reply.';
const alreadySent =
  'Whether the service had this message before, because of **Send Only Once Per**: true or false. If true, nothing was sent now.';

/**
 * Meanings of the fields that only one step gives, by its key. A key that ends in `__` or `[]` is a record inside the
 * result.
 */
export const stepMeanings: Record<string, Meanings> = {
  send_message: { already_sent: alreadySent },
  trigger_campaign: {
    already_sent:
      'Whether the campaign was started before, because of **Send Only Once Per**: true or false. If true, nothing was started now.',
  },
  send_message_and_wait: {
    reply_text: replyText,
    minutes_to_reply: minutes,
    already_sent: alreadySent,
    reply__: 'The reply.',
    sent__: 'The message that the step sent.',
  },
  find_reply: {
    replied: 'Whether the contact has replied: true or false. Use it in a filter or a path.',
    reply_text: `${replyText} Empty if there is none yet.`,
    minutes_to_reply: `${minutes} Empty if there is no reply yet.`,
    reply__: 'The first reply. Empty if there is none yet.',
  },
  find_conversation: {
    'messages[]': 'The newest messages, as line items.',
    transcript: 'The messages as text, oldest first, one on each line. Made for notes, emails and AI steps.',
    last_inbound_text: "The text of the contact's last message.",
    last_inbound_at: 'When the contact last wrote.',
    awaiting_reply: 'Whether the contact wrote last: true or false.',
    complete: 'Whether these are all messages: true or false.',
  },
  find_messages: {
    count: 'How many messages were found.',
    'messages[]': 'The messages, newest first, as line items.',
    summary: 'The messages as text, one on each line, with status and failure reason. Made for emails.',
    complete: 'Whether these are all messages: true or false.',
  },
  delete_contact: {
    id: 'Identifies the contact that was deleted.',
    deleted: 'Always true.',
  },
  api_request: {
    'response__data[]id': 'The IDs of the records in the response, if it is a list.',
    response__next_cursor: `Send it as \`${after}\` in **Query** to get the next page. Empty on the last page.`,
    response: 'The body of the response, as the service sends it.',
  },
};

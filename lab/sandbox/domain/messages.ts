import * as z from 'zod/mini';
import { linkTo } from '../../../src/api/addresses';
import type { BodyOf } from '../../../src/api/endpoints';
import type { Message } from '../../../src/api/resources';
import { toIso } from '../../zapier/clock';
import { ApiError, validationError } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { addRecord, changeRecord, findDocument, readDocument, readRecord } from '../store/records';
import { publish } from '../webhooks/events';
import { countInCampaign } from './campaigns';
import { ownNumber } from './channels';
import { type Customer, contactOf, languageByPhone, recipientByPhone } from './contacts';
import { openConversation } from './conversations';
import { type Attachment, filePath } from './files';
import { requireE164 } from './phone-numbers';
import { quickRepliesOf, renderTemplate } from './templates';

interface NewMessage {
  contactId: string;
  channel: string;
  direction: 'inbound' | 'outbound';
  /** Null for a customer who hides it. */
  phone: string | null;
  text: string | null;
  attachments?: Attachment[];
  source: 'api' | 'colleague' | 'ai' | 'campaign' | 'automation' | 'contact';
  reply_to?: string | undefined;
  button?: { text: string; payload: string } | undefined;
  template?: string;
  variables?: Record<string, string>;
  campaign?: { id: string; name: string } | undefined;
}

/** Adds a message to its conversation, which it opens when needed. Returns the message's id. */
const addMessage = (
  context: WorkspaceContext,
  { contactId, phone, campaign, attachments = [], ...given }: NewMessage,
): string => {
  const { clock, random } = context;
  const inbound = given.direction === 'inbound';
  const conversation = openConversation(context, contactId, given.channel, 1);
  const id = random.id('msg');
  const now = clock.now();
  const own = ownNumber(given.channel);
  addRecord(context, 'message', id, {
    variables: {},
    ...given,
    id,
    conversation_id: conversation.id,
    contact_id: contactId,
    campaign_id: campaign?.id,
    campaign_name: campaign?.name,
    attachments: attachments.map((each) => ({ url: context.url + filePath(each), ...each })),
    url: linkTo(`conversations/${conversation.id}/messages/${id}`),
    from: inbound ? phone : own,
    to: inbound ? own : phone,
    status: inbound ? 'received' : 'queued',
    created_at: toIso(now),
    due_at: inbound ? null : now + random.integer(300, 900),
  });
  const { direction, text } = given;
  changeRecord(context, 'conversation', conversation.id, {
    last_message: { id, direction, text, created_at: toIso(now) },
  });
  if (conversation.opening) publish(context, conversation.opening, conversation.id);
  return id;
};

/** Queues a template message and returns its id. Throws a 422 unless channel, number, template and recipient allow it. */
export const sendMessage = (
  context: WorkspaceContext,
  { channel, to, template, variables: given }: BodyOf<'sendMessage'>,
  campaign?: { id: string; name: string },
): string => {
  ownNumber(channel);
  requireE164('to', to);
  const language = languageByPhone(context, to);
  const { text, attachments, variables } = renderTemplate(context, { channel, template, language, variables: given });
  const contactId = recipientByPhone(context, to);
  return addMessage(context, {
    contactId,
    channel,
    direction: 'outbound',
    phone: to,
    text,
    attachments,
    source: campaign ? 'campaign' : 'api',
    template,
    variables,
    campaign,
  });
};

const lastOfContact = `SELECT document ->> 'campaign_id' FROM records
  WHERE kind = 'message' AND document ->> 'contact_id' = ? AND document ->> 'direction' <> 'internal' ORDER BY seq DESC`;

/** Counts a reply for a campaign when the contact's previous message is the campaign's. */
const countReply = (context: WorkspaceContext, contactId: string): void => {
  const campaign = context.database.text(lastOfContact, contactId);
  if (campaign) countInCampaign(context, campaign, 'replied');
};

interface InboundMessage extends Customer {
  channel: string;
  text?: string | null | undefined;
  attachments?: Attachment[] | undefined;
  /** The id of the message that the customer quotes. */
  reply_to?: string | undefined;
}

const withTemplate = z.object({ template: z.nullish(z.string()), channel: z.string() });

/** Returns the quick reply of a template message that a customer pressed, whose text the answer has. */
const pressedButton = (context: WorkspaceContext, quoted: string | undefined, text: string | null | undefined) => {
  const { template, channel = '' } = (quoted && findDocument(context, 'message', quoted, withTemplate)) || {};
  const isOffered = template && text && quickRepliesOf(context, { channel, template }).includes(text);
  return isOffered ? { text, payload: text } : undefined;
};

const quotable = z.object({ contact_id: z.nullish(z.string()), direction: z.string() });

/** Throws a 422 when the conversations with the contact don't have the message. */
const requireQuotable = (context: WorkspaceContext, id: string, contactId: string): void => {
  const quoted = findDocument(context, 'message', id, quotable);
  if (quoted?.contact_id === contactId && quoted.direction !== 'internal') return;
  throw validationError([{ field: 'reply_to', message: 'is not a message of this conversation' }]);
};

/**
 * Adds a message from a customer and returns it. Throws a 422 when `from` isn't E.164, the channel doesn't exist, there
 * is neither a text nor an attachment, or `reply_to` isn't a message to or from this customer.
 */
export const receiveMessage = (
  context: WorkspaceContext,
  { from, username, text = null, attachments = [], channel, reply_to }: InboundMessage,
): Message => {
  if (!text && attachments.length === 0) {
    throw validationError([{ field: 'text', message: 'is needed when there are no attachments' }]);
  }
  ownNumber(channel);
  const contactId = contactOf(context, { from, username });
  if (reply_to) requireQuotable(context, reply_to, contactId);
  countReply(context, contactId);
  const id = addMessage(context, {
    contactId,
    channel,
    direction: 'inbound',
    phone: from ?? null,
    reply_to,
    button: pressedButton(context, reply_to, text),
    text,
    attachments,
    source: 'contact',
  });
  publish(context, 'message.received', id);
  return readRecord(context, 'message', id);
};

const withContact = z.object({ channel: z.string(), contact_id: z.nullable(z.string()) });
const reachableInApp = z.object({ phone: z.nullish(z.string()), username: z.nullish(z.string()) });

/** Adds a message from a colleague, an AI agent or an automation and returns it. Throws a 422 when the contact was deleted. */
export const writeMessage = (
  context: WorkspaceContext,
  conversationId: string,
  { text, source }: { text: string; source: 'colleague' | 'ai' | 'automation' },
): Message => {
  const { contact_id, channel } = readDocument(context, 'conversation', conversationId, withContact);
  const { phone, username } = contact_id ? readDocument(context, 'contact', contact_id, reachableInApp) : {};
  if (!contact_id || !(phone || username)) {
    throw new ApiError('recipient_unreachable', 'The contact of this conversation has no phone number.');
  }
  const id = addMessage(context, {
    contactId: contact_id,
    channel,
    direction: 'outbound',
    phone: phone ?? null,
    text,
    source,
  });
  return readRecord(context, 'message', id);
};

/**
 * Adds an internal note of a colleague and returns it. Nobody gets it, although it's among the messages of its conversation
 * and has the event of an outbound message, as at services that keep notes and messages in one list.
 */
export const writeNote = (context: WorkspaceContext, conversation_id: string, { text }: { text: string }): Message => {
  const { channel, contact_id } = readDocument(context, 'conversation', conversation_id, withContact);
  const id = context.random.id('msg');
  const created_at = toIso(context.clock.now());
  const note = { id, direction: 'internal', text, created_at };
  addRecord(context, 'message', id, {
    ...note,
    conversation_id,
    contact_id,
    channel,
    variables: {},
    attachments: [],
    source: 'colleague',
    url: linkTo(`conversations/${conversation_id}/messages/${id}`),
  });
  changeRecord(context, 'conversation', conversation_id, { last_message: note, last_message_at: created_at });
  publish(context, 'message.sent', id);
  return readRecord(context, 'message', id);
};

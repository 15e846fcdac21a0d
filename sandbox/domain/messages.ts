import * as z from 'zod/mini';
import type { BodyOf } from '../../src/api/endpoints';
import { linkTo } from '../../src/api/links';
import type { Message } from '../../src/api/resources';
import { ApiError, validationError } from '../engine/api-error';
import { toIso } from '../engine/clock';
import type { WorkspaceContext } from '../store/context';
import { addRecord, changeRecord, readDocument, readRecord } from '../store/records';
import { publish } from '../webhooks/events';
import { countInCampaign } from './campaigns';
import { ownNumber } from './channels';
import { contactByPhone } from './contacts';
import { openConversation } from './conversations';
import { requireE164, specialNumbers } from './phone-numbers';
import { renderTemplate } from './templates';

/** A file that a customer sends. */
export interface Attachment {
  type: string;
  name: string;
}

interface NewMessage {
  contactId: string;
  channel: string;
  direction: 'inbound' | 'outbound';
  phone: string;
  text: string | null;
  attachments?: Attachment[];
  source: 'api' | 'agent' | 'campaign' | 'automation' | 'contact';
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
    attachments: attachments.map(({ type, name }) => ({
      type,
      url: linkTo(`files/${encodeURIComponent(name)}`),
      name,
    })),
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

const optedOut = (): ApiError =>
  new ApiError('recipient_opted_out', 'This recipient has opted out of messages.', { field: 'to' });

/** Queues a template message and returns its id. Throws a 422 unless channel, number, template and recipient allow it. */
export const sendMessage = (
  context: WorkspaceContext,
  { channel, to, template, variables = {} }: BodyOf<'sendMessage'>,
  campaign?: { id: string; name: string },
): string => {
  ownNumber(channel);
  requireE164('to', to);
  const text = renderTemplate(context, { channel, template, variables });
  if (to === specialNumbers.unreachable) {
    throw new ApiError('recipient_unreachable', 'This number cannot be reached on this channel.', { field: 'to' });
  }
  if (to === specialNumbers.optedOut) throw optedOut();
  const contact = contactByPhone(context, to);
  if (contact.optedOut) throw optedOut();
  return addMessage(context, {
    contactId: contact.id,
    channel,
    direction: 'outbound',
    phone: to,
    text,
    source: campaign ? 'campaign' : 'api',
    template,
    variables,
    campaign,
  });
};

const lastOfContact = `SELECT document ->> 'campaign_id' FROM records
  WHERE kind = 'message' AND document ->> 'contact_id' = ? ORDER BY seq DESC`;

/** Counts a reply for a campaign when the contact's previous message is the campaign's. */
const countReply = (context: WorkspaceContext, contactId: string): void => {
  const campaign = context.database.text(lastOfContact, contactId);
  if (campaign) countInCampaign(context, campaign, 'replied');
};

/**
 * Adds a message from a customer and returns it. Throws a 422 when `from` isn't E.164, the channel doesn't exist, or there
 * is neither a text nor an attachment.
 */
export const receiveMessage = (
  context: WorkspaceContext,
  {
    from,
    text = null,
    attachments = [],
    channel,
  }: { from: string; text?: string | null | undefined; attachments?: Attachment[] | undefined; channel: string },
): Message => {
  if (!text && attachments.length === 0) {
    throw validationError([{ field: 'text', message: 'is needed when there are no attachments' }]);
  }
  ownNumber(channel);
  requireE164('from', from);
  const contact = contactByPhone(context, from);
  countReply(context, contact.id);
  const id = addMessage(context, {
    contactId: contact.id,
    channel,
    direction: 'inbound',
    phone: from,
    text,
    attachments,
    source: 'contact',
  });
  publish(context, 'message.received', id);
  return readRecord(context, 'message', id);
};

const withContact = z.object({ channel: z.string(), contact_id: z.nullable(z.string()) });
const withPhone = z.object({ phone: z.nullish(z.string()) });

/** Adds a message from a colleague or an automation and returns it. Throws a 422 when the contact was deleted. */
export const writeMessage = (
  context: WorkspaceContext,
  conversationId: string,
  { text, source }: { text: string; source: 'agent' | 'automation' },
): Message => {
  const { contact_id, channel } = readDocument(context, 'conversation', conversationId, withContact);
  const { phone } = contact_id ? readDocument(context, 'contact', contact_id, withPhone) : {};
  if (!contact_id || !phone) {
    throw new ApiError('recipient_unreachable', 'The contact of this conversation has no phone number.');
  }
  const id = addMessage(context, {
    contactId: contact_id,
    channel,
    direction: 'outbound',
    phone,
    text,
    source,
  });
  return readRecord(context, 'message', id);
};

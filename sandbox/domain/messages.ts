import type { BodyOf } from '../../src/api/endpoints';
import type { Message } from '../../src/api/resources';
import { ApiError } from '../api-error';
import type { SandboxContext, WorkspaceContext } from '../engine/context';
import { readResource, resourceTypes } from '../store/records';
import { publish } from '../webhooks/events';
import { ownNumber } from './channels';
import { contactByPhone } from './contacts';
import { openConversation } from './conversations';
import { requireE164, specialNumbers } from './phone-numbers';
import { renderTemplate } from './templates';

interface NewMessage {
  contactId: string;
  channel: string;
  direction: 'inbound' | 'outbound';
  phone: string;
  text: string;
  source: 'api' | 'agent' | 'campaign' | 'automation' | 'contact';
  template?: string;
  variables?: Record<string, string>;
  campaignId?: string;
}

/** Adds a message to its conversation, which it opens when needed. Returns the message's id. */
const addMessage = (context: WorkspaceContext, message: NewMessage): string => {
  const { database, clock, random } = context;
  const { contactId, channel, phone, campaignId, template, variables, ...given } = message;
  const inbound = message.direction === 'inbound';
  const conversation = openConversation(context, contactId, channel);
  const id = random.id('msg');
  const now = clock.now();
  const own = ownNumber(channel);
  database.insert('messages', {
    ...given,
    id,
    workspace_id: context.workspaceId,
    conversation_id: conversation.id,
    contact_id: contactId,
    campaign_id: campaignId,
    channel,
    sender: inbound ? phone : own,
    recipient: inbound ? own : phone,
    template,
    variables: JSON.stringify(variables ?? {}),
    status: inbound ? 'received' : 'queued',
    created_at: now,
    due_at: inbound ? null : now + random.integer(300, 900),
  });
  const count = 'UPDATE conversations SET message_count = message_count + 1, last_message_at = ? WHERE id = ?';
  database.run(count, now, conversation.id);
  if (conversation.opening) publish(context, conversation.opening, conversation.id);
  return id;
};

const optedOut = (): ApiError =>
  new ApiError('recipient_opted_out', 'This recipient has opted out of messages.', { field: 'to' });

/** Queues a template message and returns its id. Throws a 422 unless channel, number, template and recipient allow it. */
export const sendMessage = (
  context: WorkspaceContext,
  { channel, to, template, variables = {} }: BodyOf<'sendMessage'>,
  campaignId?: string,
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
    source: campaignId ? 'campaign' : 'api',
    template,
    variables,
    campaignId,
  });
};

/** Counts a reply for a campaign when the contact's previous message is the campaign's. */
const countReply = ({ database }: SandboxContext, contactId: string): void => {
  const campaign = database.text('SELECT campaign_id FROM messages WHERE contact_id = ? ORDER BY seq DESC', contactId);
  if (campaign) database.run('UPDATE campaigns SET replied = replied + 1 WHERE id = ?', campaign);
};

/** Adds a message from a customer and returns it. Throws a 422 when `from` isn't E.164 or the channel doesn't exist. */
export const receiveMessage = (
  context: WorkspaceContext,
  { from, text, channel }: { from: string; text: string; channel: string },
): Message => {
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
    source: 'contact',
  });
  publish(context, 'message.received', id);
  return readResource(context, resourceTypes.message, id);
};

/** Adds a message from a colleague or an automation and returns it. Throws a 422 when the contact was deleted. */
export const writeMessage = (
  context: WorkspaceContext,
  conversationId: string,
  { text, source }: { text: string; source: 'agent' | 'automation' },
): Message => {
  const { contact, channel } = readResource(context, resourceTypes.conversation, conversationId);
  if (!contact?.phone || !channel) {
    throw new ApiError('recipient_unreachable', 'The contact of this conversation has no phone number.');
  }
  const id = addMessage(context, {
    contactId: contact.id,
    channel,
    direction: 'outbound',
    phone: contact.phone,
    text,
    source,
  });
  return readResource(context, resourceTypes.message, id);
};

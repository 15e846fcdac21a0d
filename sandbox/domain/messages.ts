import * as z from 'zod/mini';
import type { BodyOf } from '../../src/api/endpoints';
import type { Message } from '../../src/api/resources';
import type { Service } from '../engine/context';
import { Refusal } from '../refusal';
import { kinds, read } from '../store/records';
import { publish } from '../webhooks/events';
import { ownNumber } from './channels';
import { contactByPhone } from './contacts';
import { openConversation } from './conversations';
import { requireE164, requireReachable } from './phone-numbers';
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

/** Writes a message into its conversation, which opens for it; an outbound one is due for its next step at once. */
const addMessage = (service: Service, workspaceId: string, message: NewMessage): string => {
  const { database, clock, random } = service;
  const { contactId, channel, phone, campaignId, template, variables, ...given } = message;
  const inbound = message.direction === 'inbound';
  const conversation = openConversation(service, workspaceId, contactId, channel);
  const id = random.id('msg');
  const now = clock.now();
  const own = ownNumber(channel);
  database.insert('messages', {
    ...given,
    id,
    workspace_id: workspaceId,
    conversation_id: conversation.id,
    contact_id: contactId,
    campaign_id: campaignId ?? null,
    channel,
    sender: inbound ? phone : own,
    recipient: inbound ? own : phone,
    template: template ?? null,
    variables: JSON.stringify(variables ?? {}),
    status: inbound ? 'received' : 'queued',
    created_at: now,
    due_at: inbound ? null : now + random.integer(300, 900),
  });
  const count = 'UPDATE conversations SET message_count = message_count + 1, last_message_at = ? WHERE id = ?';
  database.run(count, now, conversation.id);
  if (conversation.opening) publish(service, workspaceId, conversation.opening, conversation.id);
  return id;
};

/** Sends a template message, or refuses with 422 as contract §5 has it. It is `queued`; message life does the rest. */
export const sendMessage = (
  service: Service,
  workspaceId: string,
  { channel, to, template, variables = {} }: BodyOf<'sendMessage'>,
  campaignId?: string,
): Message => {
  ownNumber(channel);
  requireE164('to', to);
  const text = renderTemplate(service.database, workspaceId, { channel, template, variables });
  requireReachable(to);
  const contact = contactByPhone(service, workspaceId, to);
  if (contact.optedOut) {
    throw new Refusal('recipient_opted_out', 'This recipient has opted out of messages.', { field: 'to' });
  }
  const id = addMessage(service, workspaceId, {
    contactId: contact.id,
    channel,
    direction: 'outbound',
    phone: to,
    text,
    source: campaignId ? 'campaign' : 'api',
    template,
    variables,
    ...(campaignId && { campaignId }),
  });
  return read(service.database, kinds.message, workspaceId, id);
};

const lastMessage = z.object({ campaign_id: z.nullable(z.string()) });

/** A reply counts for a campaign when the campaign's message is the last thing that was said before it. */
const countReply = ({ database }: Service, contactId: string): void => {
  const sql = 'SELECT campaign_id FROM messages WHERE contact_id = ? ORDER BY seq DESC';
  const last = database.first(lastMessage, sql, contactId);
  if (!last?.campaign_id) return;
  database.run('UPDATE campaigns SET replied = replied + 1 WHERE id = ?', last.campaign_id);
};

/** A customer writes: the message is `received`. 422 when `from` is not E.164 or the channel does not exist. */
export const receiveMessage = (
  service: Service,
  workspaceId: string,
  { from, text, channel }: { from: string; text: string; channel: string },
): Message => {
  ownNumber(channel);
  requireE164('from', from);
  const contact = contactByPhone(service, workspaceId, from);
  countReply(service, contact.id);
  const id = addMessage(service, workspaceId, {
    contactId: contact.id,
    channel,
    direction: 'inbound',
    phone: from,
    text,
    source: 'contact',
  });
  publish(service, workspaceId, 'message.received', id);
  return read(service.database, kinds.message, workspaceId, id);
};

/** A colleague or an automation writes in a conversation; 422 when its contact has been deleted. */
export const writeMessage = (
  service: Service,
  workspaceId: string,
  conversationId: string,
  { text, source }: { text: string; source: 'agent' | 'automation' },
): Message => {
  const { contact, channel } = read(service.database, kinds.conversation, workspaceId, conversationId);
  if (!contact?.phone || !channel) {
    throw new Refusal('recipient_unreachable', 'The contact of this conversation has no phone number.');
  }
  const id = addMessage(service, workspaceId, {
    contactId: contact.id,
    channel,
    direction: 'outbound',
    phone: contact.phone,
    text,
    source,
  });
  return read(service.database, kinds.message, workspaceId, id);
};

/** Finds the reply that a callback names, and the message that it answers. */
import type { ZObject } from 'zapier-platform-core';
import { decode, decodeDelivery } from '../api/decode';
import { endpoints } from '../api/endpoints';
import { type Message, message } from '../api/resources';
import { isFrom, isSameNumber } from '../formats/reply';
import { find } from '../http/client';
import { recentMessages } from '../polling/recent';

/**
 * Returns the message that a callback names, as the API has it; undefined unless it's from `recipient` (E.164). Checking
 * the signature instead would put the secret into the Zap's history.
 */
export const fetchReply = async (z: ZObject, body: unknown, recipient: string): Promise<Message | undefined> => {
  const event = decodeDelivery(body)?.find(({ type }) => type === 'message.received');
  const delivered = event && decode(message.schema, event.data).data;
  if (!delivered) return undefined;
  const found = await find(z, endpoints.getMessage, { id: delivered.id });
  return found?.id === delivered.id && isFrom(found, recipient) ? found : undefined;
};

/** How long a step takes at most, in milliseconds. A reply that overtakes it comes sooner after the message. */
const maxStepMs = 30_000;

/**
 * Returns the message that a reply answers when it isn't known yet: the newest one to `recipient` with the template,
 * shortly before the reply. An older one belongs to another run.
 */
export const findSent = async (
  z: ZObject,
  template: string,
  recipient: string,
  reply: Message,
): Promise<Message | undefined> => {
  const conversation_id = reply.conversation_id ?? undefined;
  const recent = await recentMessages(z, { direction: 'outbound', conversation_id });
  const sent = recent.find((each) => each.template === template && isSameNumber(each.to ?? '', recipient));
  const elapsed = Date.parse(reply.created_at ?? '') - Date.parse(sent?.created_at ?? '');
  return elapsed <= maxStepMs ? sent : undefined;
};

import { events } from '../api/events';
import type { Message } from '../api/resources';

export const replySample = events['message.received'].sample;

/** The time from a message to the example reply. */
export const exampleMinutes = 12;

const addMinutes = (time: string, minutes: number): string => {
  const instant = new Date(Date.parse(time) + minutes * 60_000);
  return Number.isNaN(instant.getTime()) ? time : instant.toISOString();
};

/** Returns an example reply of the person who got the message, so that tests of later steps reach no one else. */
export const exampleReplyTo = ({ contact, conversation_id, channel, to, from, created_at }: Message): Message => ({
  ...replySample,
  text: `Example reply: ${replySample.text}`,
  created_at: created_at && addMinutes(created_at, exampleMinutes),
  contact: contact ?? null,
  conversation_id: conversation_id ?? null,
  url: (conversation_id && replySample.url?.replace(`${replySample.conversation_id}`, conversation_id)) || null,
  channel: channel ?? null,
  from: to ?? null,
  to: from ?? null,
});

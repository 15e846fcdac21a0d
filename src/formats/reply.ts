import type { Message } from '../api/resources';

const digits = (number: string): string => number.replace(/\D/g, '');

/** Whether two phone numbers are the same, however they are written. */
export const isSameNumber = (one: string, other: string): boolean => digits(one) === digits(other);

/** Whether a person wrote a message: the service says so by the number, by the contact, or by both. */
export const isFrom = ({ direction, from, contact }: Message, person: string): boolean =>
  direction === 'inbound' &&
  [from, contact?.phone].some((number) => typeof number === 'string' && isSameNumber(number, person));

/** Whether a message is older than another one. A time that is missing doesn't decide. */
export const isOlder = (message: Message, other: Message | undefined): boolean =>
  Date.parse(message.created_at ?? '') < Date.parse(other?.created_at ?? '');

/** Returns the whole minutes from one message to the reply, or null when a time is missing. */
export const minutesBetween = (sent: Message | undefined, reply: Message): number | null => {
  const minutes = (Date.parse(reply.created_at ?? '') - Date.parse(sent?.created_at ?? '')) / 60_000;
  return Number.isNaN(minutes) ? null : Math.max(0, Math.round(minutes));
};

import type { Message } from '../api/resources';

const digits = (number: string): string => number.replace(/\D/g, '');

/** Whether two phone numbers have the same digits. */
export const isSameNumber = (one: string, other: string): boolean => digits(one) === digits(other);

/** Whether a message is inbound and from a phone number, which `from` or the contact holds. */
export const isFrom = ({ direction, from, contact }: Message, phone: string): boolean =>
  direction === 'inbound' &&
  [from, contact?.phone].some((number) => typeof number === 'string' && isSameNumber(number, phone));

/** Returns when a message was created, in whole seconds, since only one of two times may have fractions. */
const secondOf = ({ created_at }: Message): number => Math.floor(Date.parse(created_at ?? '') / 1000);

/** Whether a message certainly isn't older than another one. Returns false when either has no valid time. */
export const isSince = (message: Message, other: Message): boolean => secondOf(message) >= secondOf(other);

/** Whether a message is older than another one. Returns false when either has no valid time. */
export const isOlder = (message: Message, other: Message): boolean => secondOf(message) < secondOf(other);

/** Returns the whole minutes from a message to its reply, or null when a time is missing. */
export const minutesBetween = (sent: Message, reply: Message): number | null => {
  const minutes = (Date.parse(reply.created_at ?? '') - Date.parse(sent.created_at ?? '')) / 60_000;
  return Number.isNaN(minutes) ? null : Math.max(0, Math.round(minutes));
};

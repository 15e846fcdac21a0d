import type { Message } from '../api/resources';

const digits = (number: string): string => number.replace(/\D/g, '');

/** Whether two phone numbers have the same digits. */
export const isSameNumber = (one: string, other: string): boolean => digits(one) === digits(other);

/** Whether a message is inbound and from a phone number, which `from` or the contact holds. */
export const isFrom = ({ direction, from, contact }: Message, phone: string): boolean =>
  direction === 'inbound' &&
  [from, contact?.phone].some((number) => typeof number === 'string' && isSameNumber(number, phone));

/** Whether a message is outbound and to a phone number. */
export const isTo = ({ direction, to, contact }: Message, phone: string): boolean =>
  direction === 'outbound' && isSameNumber(to ?? contact?.phone ?? '', phone);

/** Returns when a message was created, in milliseconds since 1970; NaN when the service doesn't say. */
export const timeOf = ({ created_at }: Message): number => Date.parse(created_at ?? '');

const isExact = ({ created_at }: Message): boolean => /:\d{2}\.\d/.test(created_at ?? '');

/** Returns how much later one message is than another, in milliseconds; undefined when their times don't tell. */
const elapsed = (from: Message, to: Message): number | undefined => {
  const [start, end] = [timeOf(from), timeOf(to)];
  const isClear = isExact(from) && isExact(to) ? start !== end : Math.floor(start / 1000) !== Math.floor(end / 1000);
  return isClear && !Number.isNaN(end - start) ? end - start : undefined;
};

/**
 * Whether a message came after another one: by their times, or, where the times don't tell, by their places in a list
 * that has both, newest first. Returns undefined when neither tells.
 */
export const isAfter = (
  message: Message,
  other: Message,
  newestFirst: readonly Message[] = [],
): boolean | undefined => {
  const difference = elapsed(other, message);
  if (difference !== undefined) return difference > 0;
  const [place, otherPlace] = [message, other].map(({ id }) => newestFirst.findIndex((each) => each.id === id));
  if (place === undefined || otherPlace === undefined || place < 0 || otherPlace < 0) return undefined;
  return place < otherPlace;
};

/** Returns the whole minutes from a message to its reply, or null when a time is missing. */
export const minutesBetween = (sent: Message, reply: Message): number | null => {
  const minutes = (timeOf(reply) - timeOf(sent)) / 60_000;
  return Number.isNaN(minutes) ? null : Math.max(0, Math.round(minutes));
};

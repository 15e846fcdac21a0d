import type { Message } from '../api/resources';
import { isSamePerson, personOf } from './same-person';

/** Whether a message is outbound and to a phone number. */
export const isTo = (message: Message, phone: string): boolean =>
  message.direction === 'outbound' && isSamePerson(personOf(message), { phone });

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

import type { Message } from '../api/resources';
import type { Verdict } from './same-person';

/** Returns when a message was created, in milliseconds since 1970; NaN when the service doesn't say. */
export const timeOf = ({ created_at }: Message): number => Date.parse(created_at ?? '');

/** How far the clocks of phones, apps and services differ at most, in milliseconds. */
export const clockMs = 120_000;

const isExact = ({ created_at }: Message): boolean => /:\d{2}\.\d/.test(created_at ?? '');

/** Returns how much later one message is than another, in milliseconds; undefined when their times don't tell. */
const elapsed = (from: Message, to: Message): number | undefined => {
  const [start, end] = [timeOf(from), timeOf(to)];
  const isClear = isExact(from) && isExact(to) ? start !== end : Math.floor(start / 1000) !== Math.floor(end / 1000);
  return isClear && !Number.isNaN(end - start) ? end - start : undefined;
};

/** The places of messages in a list, by their ids. */
export type Places = ReadonlyMap<string, number>;

/** Returns the places of messages, newest first. */
export const placesOf = (newestFirst: readonly Message[]): Places =>
  new Map(newestFirst.map(({ id }, place) => [id, place]));

/** Returns how many places a message is above another in a list; undefined when the list lacks one of them. */
const placesAbove = (message: Message, other: Message, places: Places): number | undefined => {
  const [place, otherPlace] = [places.get(message.id), places.get(other.id)];
  return place === undefined || otherPlace === undefined ? undefined : otherPlace - place;
};

/**
 * Returns whether a message came after another one, by their times and their places in a list of which the newest is
 * first. Where these contradict each other within the difference of two clocks, it's unknown.
 */
export const cameAfter = (message: Message, other: Message, places: Places): Verdict => {
  const time = elapsed(other, message);
  const place = placesAbove(message, other, places);
  const isContradiction =
    time !== undefined && place !== undefined && Math.abs(time) < clockMs && time > 0 !== place > 0;
  const difference = time ?? place;
  if (!difference || isContradiction) return 'unknown';
  return difference > 0 ? 'yes' : 'no';
};

/** Returns the whole minutes from a message to its reply, or null when a time is missing. */
export const minutesBetween = (sent: Message, reply: Message): number | null => {
  const minutes = (timeOf(reply) - timeOf(sent)) / 60_000;
  return Number.isNaN(minutes) ? null : Math.max(0, Math.round(minutes));
};

/** Who wrote last in a conversation, when, and how long the contact has been waiting. */
import { isNote } from '../api/filters';
import type { Conversation } from '../api/resources';
import { nameOfPerson, unnamed } from '../contact/person';
import type { TimeZone } from '../step/time-zone';
import { sideOf, timestamp, toQuotedLine } from '../text/lines';

const minuteMs = 60_000;

/** Returns who wrote the newest message. Undefined when the service doesn't say. */
export const lastWriterOf = ({
  last_message: last,
  last_message_at,
  message_count,
}: Conversation): 'contact' | 'us' | 'nobody' | undefined => {
  // Without a number, a time says that there was a message, which may have been deleted.
  const isEmpty = message_count === 0 || (!message_count && !last_message_at);
  if (last === null && isEmpty) return 'nobody';
  if (last?.direction === 'inbound') return 'contact';
  return last?.direction === 'outbound' ? 'us' : undefined;
};

/**
 * Returns when somebody last wrote, in milliseconds since 1970: the start of the conversation before the first message.
 * Undefined when the service doesn't say.
 */
export const lastWrittenAt = (conversation: Conversation): number | undefined => {
  const { last_message, last_message_at, created_at } = conversation;
  const isEmpty = lastWriterOf(conversation) === 'nobody';
  const times = isEmpty ? [created_at] : [last_message?.created_at, last_message_at];
  return times.map((time) => Date.parse(time ?? '')).find((time) => !Number.isNaN(time));
};

/** Whether the newest record of a conversation is an internal note, after which nobody knows who wrote last. */
export const endsWithNote = ({ last_message }: Conversation): boolean =>
  last_message !== null && last_message !== undefined && isNote(last_message);

/** What a list of conversations says about the wait. */
export interface Wait {
  /** Null when nobody can judge it: the service doesn't say who wrote last, or when the contact did. */
  awaiting_reply: boolean | null;
  /** Null unless the contact waits. */
  minutes_waiting: number | null;
}

const isAwaitingReply = (conversation: Conversation): boolean | null => {
  const writer = lastWriterOf(conversation);
  if (!writer) return null;
  if (writer !== 'contact') return false;
  return lastWrittenAt(conversation) === undefined ? null : true;
};

/** Returns whether the contact of a conversation waits, and for how many whole minutes at `now`, in milliseconds. */
export const waitOf = (conversation: Conversation, now: number): Wait => {
  const awaiting_reply = isAwaitingReply(conversation);
  const since = lastWrittenAt(conversation) ?? now;
  return {
    awaiting_reply,
    minutes_waiting: awaiting_reply ? Math.max(0, Math.floor((now - since) / minuteMs)) : null,
  };
};

/** Those who wait, then those who may, then the others. */
const rankOf = (conversation: Conversation): number => [true, null, false].indexOf(isAwaitingReply(conversation));

const startOf = (conversation: Conversation): number => lastWrittenAt(conversation) ?? Number.MAX_VALUE;

/** Compares two conversations for a list in which those whose contacts have waited longest come first. */
export const compareWaits = (one: Conversation, other: Conversation): number =>
  rankOf(one) - rankOf(other) || startOf(one) - startOf(other);

const units = [
  { name: 'day', minutes: 24 * 60 },
  { name: 'hour', minutes: 60 },
  { name: 'minute', minutes: 1 },
];

/** Returns a time as at least two whole units, if it's that long: "90 minutes", "47 hours", "2 days". */
const inWords = (minutes: number): string => {
  const { name, minutes: size } = units.find((unit) => minutes >= 2 * unit.minutes) ?? { name: 'minute', minutes: 1 };
  const count = Math.floor(minutes / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

/** An address that a line can end with. A part of one would lead nowhere. */
const link = /^https?:\/\/[^\s"()\p{C}]{1,500}$/u;

const newestLine = (conversation: Conversation): string => {
  if (endsWithNote(conversation)) return '(an internal note)';
  if (conversation.last_message) return toQuotedLine(conversation.last_message);
  return lastWriterOf(conversation) === 'nobody' ? '(no messages)' : "(the newest message can't be read)";
};

const waitInWords = ({ awaiting_reply, minutes_waiting }: Wait): string => {
  if (awaiting_reply === null) return '(may be waiting)';
  return minutes_waiting === null ? '' : `(waiting ${inWords(minutes_waiting)})`;
};

/**
 * Returns a conversation as one line with its newest message, how long the contact has been waiting, and the link, such as
 * `[2026-06-11 11:52] From Noor Visser +12025550123: "Where is my parcel?" (waiting 35 minutes) https://…`
 */
export const waitingLine = (conversation: Conversation & Wait, timeZone: TimeZone): string => {
  const { contact, last_message: last, url } = conversation;
  const name = nameOfPerson(contact) ?? unnamed;
  const start = `${timestamp(last?.created_at, timeZone)}${sideOf(last?.direction)} ${name}:`;
  const end = url && link.test(url) ? url : '';
  return [start, newestLine(conversation), waitInWords(conversation), end].filter(Boolean).join(' ');
};

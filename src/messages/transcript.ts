/** Messages as text. Whoever reads a text back gets the same messages, sides and times, whatever people wrote. */
import type { Message } from '../api/resources';
import { toPart } from '../formats/text';
import { formatInZone, isKnownZone, type TimeZone } from '../formats/time-zone';
import { nameOfPerson, shortNameOf, shownPhone, unnamed, writers } from './person-name';
import { personOf } from './same-person';
import { toLine, toQuotedLine } from './text';

const sender = (message: Message): string => {
  if (message.direction === 'outbound') return writers.us;
  if (message.direction !== 'inbound') return writers.unknown;
  return shortNameOf(message.contact) ?? shownPhone(personOf(message).phone) ?? unnamed;
};

/**
 * Returns a time in `timeZone` (IANA), such as `[2026-06-11 11:40] `, or `[2026-06-11 09:40 UTC] ` without a known zone; an empty
 * text when there is no time.
 */
export const timestamp = (time: string | null | undefined, timeZone: TimeZone): string => {
  const instant = new Date(time ?? '');
  const local = Number.isNaN(instant.getTime()) ? '' : formatInZone(instant, timeZone);
  return local && `[${local}${isKnownZone(timeZone) ? '' : ' UTC'}] `;
};

/**
 * Returns messages (newest first) as plain text with the oldest first. Each line has the time in `timeZone` (IANA),
 * such as `[2026-06-11 11:40] Noor Visser: Where is my parcel?`
 */
export const transcript = (messages: Message[], timeZone: TimeZone): string =>
  messages
    .map((message) => `${timestamp(message.created_at, timeZone)}${sender(message)}: ${toLine(message)}`)
    .reverse()
    .join('\n');

const sides = new Map([
  ['inbound', 'From'],
  ['outbound', 'To'],
]);

/** Returns which way a message went, in a word before the name of the customer. */
export const sideOf = (direction: string | null | undefined): string => sides.get(direction ?? '') ?? 'With';

/** Returns who a message is to or from, such as "To Noor Visser +12025550123". */
export const toOrFrom = (message: Message): string => {
  const name = nameOfPerson(message.contact) ?? shownPhone(personOf(message).phone) ?? unnamed;
  return `${sideOf(message.direction)} ${name}`;
};

/** The number of characters of a reason that a line has. */
const maxReason = 200;

/** Returns a text without what ends a part of a line. */
const asReason = (text: string): string =>
  toPart(text, maxReason).replaceAll('"', "'").replaceAll('(', '[').replaceAll(')', ']');

const outcome = ({ status, error }: Message): string => {
  const [word, reason] = [status, error?.message ?? error?.code].map((text) => asReason(text ?? ''));
  return word ? ` (${word}${reason ? `: ${reason}` : ''})` : '';
};

/**
 * Returns a message as one line with the contact, the text and the status, such as
 * `[2026-06-11 11:40] To Noor Visser +12025550123: "Your parcel arrives today." (failed: The number can't be reached.)`
 */
export const summaryLine = (message: Message, timeZone: TimeZone): string =>
  `${timestamp(message.created_at, timeZone)}${toOrFrom(message)}: ${toQuotedLine(message)}${outcome(message)}`;

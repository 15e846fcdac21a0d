import type { Message } from '../api/resources';
import { toOneLine } from '../formats/text';
import { formatInZone, type TimeZone } from '../formats/time-zone';
import { nameOfPerson, shortNameOf, unnamed } from './person-name';
import { personOf } from './same-person';
import { toLine } from './text';

const sender = (message: Message): string =>
  message.direction === 'outbound' ? 'Us' : shortNameOf(message.contact) || personOf(message).phone || unnamed;

/**
 * Returns a time in `timeZone` (IANA), such as `[2026-06-11 11:40] `, or `[2026-06-11 09:40 UTC] ` without a zone; an empty
 * text when there is no time.
 */
export const timestamp = (time: string | null | undefined, timeZone: TimeZone): string => {
  const instant = new Date(time ?? '');
  return Number.isNaN(instant.getTime()) ? '' : `[${formatInZone(instant, timeZone)}${timeZone ? '' : ' UTC'}] `;
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

/** Returns who a message is to or from, such as "To Noor Visser +12025550123". */
export const toOrFrom = (message: Message): string => {
  const name = nameOfPerson(message.contact) || personOf(message).phone || unnamed;
  return `${message.direction === 'outbound' ? 'To' : 'From'} ${name}`;
};

const outcome = ({ status, error }: Message): string => {
  const reason = toOneLine(error?.message ?? error?.code ?? '');
  return status ? ` (${status}${reason ? `: ${reason}` : ''})` : '';
};

/**
 * Returns one line per message, in the given order, with the contact, the text and the status, such as
 * `[2026-06-11 11:40] To Noor Visser +12025550123: Your parcel arrives today. (failed: The number can't be reached.)`
 */
export const summarize = (messages: Message[], timeZone: TimeZone): string =>
  messages
    .map(
      (message) =>
        `${timestamp(message.created_at, timeZone)}${toOrFrom(message)}: ${toLine(message)}${outcome(message)}`,
    )
    .join('\n');

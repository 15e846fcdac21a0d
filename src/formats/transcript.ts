import type { Contact, Message } from '../api/resources';
import { inZone } from './local-time';

type TimeZone = string | null | undefined;

/** Returns a person's name with the number or email, as far as they are known: "Noor Visser +31612345678". */
export const nameOfPerson = (person: Partial<Contact> | null | undefined): string | undefined =>
  [person?.first_name, person?.last_name, person?.phone ?? person?.email].filter(Boolean).join(' ') || undefined;

const fullName = ({ contact }: Message): string => [contact?.first_name, contact?.last_name].filter(Boolean).join(' ');

const sender = (message: Message): string =>
  message.direction === 'outbound' ? 'Us' : fullName(message) || message.from || 'Contact';

const moment = (time: string | null | undefined, timeZone: TimeZone): string => {
  const instant = new Date(time ?? '');
  return Number.isNaN(instant.getTime()) ? '' : `[${inZone(instant, timeZone)}] `;
};

const oneLine = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

/**
 * Returns messages, newest first, as plain text to read from the top: oldest first, one line each, such as
 * `[2026-06-11 11:40] Noor Visser: Where is my parcel?`, with the time in `timeZone`.
 */
export const transcript = (messages: Message[], timeZone: TimeZone): string =>
  messages
    .map((message) => `${moment(message.created_at, timeZone)}${sender(message)}: ${oneLine(message.text)}`)
    .reverse()
    .join('\n');

const outcome = ({ status, error }: Message): string => {
  const reason = oneLine(error?.message ?? error?.code);
  return status ? ` (${status}${reason ? `: ${reason}` : ''})` : '';
};

/**
 * Returns one line for each message, in their order, with who it is for, its text and what became of it:
 * `[2026-06-11 11:40] To Noor Visser +31612345678: Your parcel arrives today. (failed: The number can't be reached.)`
 */
export const summarize = (messages: Message[], timeZone: TimeZone): string =>
  messages
    .map((message) => {
      const isOurs = message.direction === 'outbound';
      const person = nameOfPerson(message.contact) ?? (isOurs ? message.to : message.from) ?? 'a contact';
      const who = `${isOurs ? 'To' : 'From'} ${person}`;
      return `${moment(message.created_at, timeZone)}${who}: ${oneLine(message.text)}${outcome(message)}`;
    })
    .join('\n');

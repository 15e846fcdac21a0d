/** Messages as text. Whoever reads a text back gets the same messages, sides and times, whatever people wrote. */
import * as zod from 'zod/mini';
import { isNote } from '../api/filters';
import { type Message, message } from '../api/resources';
import {
  nameOfPerson,
  personOf,
  reachable,
  shortNameOf,
  shownPhone,
  unnamed,
  withReachability,
} from '../contact/person';
import { formatInZone, isKnownZone, type TimeZone } from '../step/time-zone';
import { toPart } from './fold';

const names = new Map([
  ['image', 'photo'],
  ['audio', 'voice message'],
  ['video', 'video'],
  ['document', 'document'],
  ['location', 'location'],
]);

const readable = zod.object({ text: message.schema.shape.text, attachments: message.schema.shape.attachments });
type Readable = zod.output<typeof readable>;

const otherAttachment = 'attachment';

const noText = '(no text)';

/** The number of attachments that are named, more than a person sends in one message. */
const maxNamed = 30;

const hasNoText = (text: unknown): boolean => text === null || (typeof text === 'string' && text.trim() === '');

const nameAttachments = ({ attachments }: Readable): string =>
  (attachments ?? [])
    .slice(0, maxNamed)
    .map(({ type }) => `(${names.get(type ?? '') ?? otherAttachment})`)
    .join(' ');

/** Returns the text of a message, or what it has instead, such as "(photo)" or "(no text)". */
export const textOf = (written: Readable): string =>
  (hasNoText(written.text ?? null) ? nameAttachments(written) : written.text) || noText;

/** The number of characters of a text in a line, more than messaging apps allow. */
const maxText = 5_000;

/** The number of characters of a text in a list, where a line is for a glance. */
const maxListed = 300;

/** A text that ends like a line with an attachment, or starts like one in quotes. */
const looksFramed = new RegExp(`^"|\\((?:${[...names.values(), otherAttachment, 'no text'].join('|')})\\)$`);

const lineOf = (written: Readable, text: string): string =>
  [text, nameAttachments(written)].filter(Boolean).join(' ') || noText;

/**
 * Returns a message as one line: its text and its attachments, such as `The box was wet. (photo)`. A text that could be
 * taken for something else is in quotes.
 */
export const toLine = (written: Readable): string => {
  const text = toPart(written.text ?? '', maxText);
  return lineOf(written, looksFramed.test(text) ? `"${text}"` : text);
};

/**
 * Returns a message as one short line, with its text in quotes, such as `"The box was wet." (photo)`. The last quote of the
 * line ends the text, whatever the text is, if nothing after it has one.
 */
export const toQuotedLine = (written: Readable): string => {
  const text = toPart(written.text ?? '', maxListed);
  return lineOf(written, text && `"${text}"`);
};

/** Returns a record with words in place of an empty text, so that later steps get something to show. */
const fillText = <R extends object>(record: R): R => {
  if (!('text' in record) || !hasNoText(record.text)) return record;
  return { ...record, text: textOf(readable.safeParse(record).data ?? {}) };
};

/**
 * Returns a message, or a conversation with its newest message, with words in place of an empty text. A note is no message,
 * and only for colleagues, so a conversation whose newest record is one has no newest message.
 */
export const withText = <R extends object>(record: R): R => {
  if (!('last_message' in record) || typeof record.last_message !== 'object' || !record.last_message) {
    return fillText(record);
  }
  return { ...record, last_message: isNote(record.last_message) ? null : fillText(record.last_message) };
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

const sides = new Map([
  ['inbound', 'From'],
  ['outbound', 'To'],
]);

/** Returns which way a message went, in a word before the name of the customer. */
export const sideOf = (direction: string | null | undefined): string => sides.get(direction ?? '') ?? 'With';

/** Returns who a message is to or from, such as "To Noor Visser +12025550123", by what a contact is called. */
export const toOrFrom = (
  message: Message,
  nameOf: (person: Message['contact']) => string | undefined = nameOfPerson,
): string => {
  const name = nameOf(message.contact) ?? shownPhone(personOf(message).phone) ?? unnamed;
  return `${sideOf(message.direction)} ${name}`;
};

/**
 * Returns messages (newest first) as plain text with the oldest first. Each line has the time in `timeZone` (IANA), and
 * begins with the side, such as `[2026-06-11 11:40] From Noor Visser: Where is my parcel?`, so no name can say it.
 */
export const transcript = (messages: Message[], timeZone: TimeZone): string =>
  messages
    .map((message) => `${timestamp(message.created_at, timeZone)}${toOrFrom(message, shortNameOf)}: ${toLine(message)}`)
    .reverse()
    .join('\n');

const maxReason = 200;

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

/** What each record of a list has besides its own fields. */
export const listedFields = { ...reachable, summary_line: zod.string(), complete: zod.boolean() };

type Listed<R> = R & zod.output<zod.ZodMiniObject<typeof listedFields>>;

/**
 * Returns the records with a line for each, and whether they are all that match. `leftOut` says that they aren't; the last
 * line then says so too, because a digest has the lines alone.
 */
export const withLines = <R extends object>(
  records: readonly R[],
  lineOf: (record: R) => string,
  leftOut: string | undefined,
): Listed<R>[] =>
  records.map((record, index) => {
    const isLast = index === records.length - 1;
    const note = isLast && leftOut ? ` (${leftOut})` : '';
    return { ...withReachability(withText(record)), summary_line: lineOf(record) + note, complete: !leftOut };
  });

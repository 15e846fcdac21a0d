/** What people read where a message has no text. */
import * as zod from 'zod/mini';
import { isNote } from '../api/filters';
import { message } from '../api/resources';
import { toPart } from '../formats/text';

/** What people call an attachment, by its type. */
const names = new Map([
  ['image', 'photo'],
  ['audio', 'voice message'],
  ['video', 'video'],
  ['document', 'document'],
  ['location', 'location'],
]);

/** The parts of a message that people read. */
const readable = zod.object({ text: message.schema.shape.text, attachments: message.schema.shape.attachments });
type Readable = zod.output<typeof readable>;

const otherAttachment = 'attachment';

const noText = '(no text)';

/** The number of attachments that are named, more than a person sends in one message. */
const maxNamed = 30;

const isBlank = (text: unknown): boolean => text === null || (typeof text === 'string' && text.trim() === '');

const nameAttachments = ({ attachments }: Readable): string =>
  (attachments ?? [])
    .slice(0, maxNamed)
    .map(({ type }) => `(${names.get(type ?? '') ?? otherAttachment})`)
    .join(' ');

/** Returns the text of a message, or what it has instead, such as "(photo)" or "(no text)". */
export const textOf = (written: Readable): string =>
  (isBlank(written.text ?? null) ? nameAttachments(written) : written.text) || noText;

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
  if (!('text' in record) || !isBlank(record.text)) return record;
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

/** What a value in a message can be: text that a person reads, or text of a certain format. */

import { halt, quote } from '../step/errors';
import { refuseUnfilled } from '../step/lost-value';
import type { TimeZone } from '../step/time-zone';
import { type Certain, type Doubt, readDate, readTime } from './dates';

/** The maximum input length, above that of any number in a message. */
const maxLength = 40;

/** Groups of three digits with a space or apostrophe between them. `12.50 100` is two numbers. */
const spaceGroups = /^-?\d{1,3}([\s'’]\d{3})+([.,]\d+)?$/;

const plain = /^-?\d+(\.\d+)?$/;
const commaGroups = /^-?\d{1,3}(,\d{3})+\.\d+$|^-?\d{1,3}(,\d{3}){2,}$/;
const dotGroups = /^-?\d{1,3}(\.\d{3})+,\d+$|^-?\d{1,3}(\.\d{3}){2,}$/;
/** A comma that can't separate thousands, since other than three digits follow, or a zero or a fourth digit precedes. */
const decimalComma = /^-?(\d+,(\d{1,2}|\d{4,})|(0|\d{4,}),\d+)$/;

/** Two digits with a comma between them, which may be two line items. */
const twoItems = /^\d,\d$/;

/** The digits that a number of JavaScript surely has. Zeros or nines before more of them show that those come from calculating. */
const certainDigits = 15;

/** Returns a text without the digits that calculating added to its number; any other text as it is. */
export const withoutNoise = (text: string): string => {
  const isNoisy =
    /^-?\d{1,15}\.\d{0,25}?(?:0{5}|9{5})\d{1,3}$/.test(text) && text.replace(/^[-0.]+|\./g, '').length > certainDigits;
  if (!isNoisy) return text;
  const rounded = String(Number(Number(text).toPrecision(certainDigits)));
  return rounded.includes('e') ? text : rounded;
};

/**
 * Returns a number as the API takes it, such as `1250.00` for `1.250,00`. Decimals stay as they are. Returns undefined
 * for any other text, such as `1,250`, which could mean two numbers.
 */
export const readNumber = (text: string): string | undefined => {
  if (text.length > maxLength) return undefined;
  const unsigned = text.replace(/^\+(?=\d)/, '');
  const number = spaceGroups.test(unsigned) ? unsigned.replace(/[\s'’]/g, '') : unsigned;
  if (plain.test(number)) return withoutNoise(number);
  if (commaGroups.test(number)) return number.replaceAll(',', '');
  if (dotGroups.test(number)) return number.replaceAll('.', '').replace(',', '.');
  return decimalComma.test(number) && !twoItems.test(number) ? number.replace(',', '.') : undefined;
};

const tags =
  'a|b|blockquote|body|br|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|small|span|strong|style|sub|sup|table|tbody|td|th|thead|tr|u|ul';
const characters =
  'nbsp|amp|lt|gt|quot|apos|copy|reg|trade|euro|pound|hellip|[nm]dash|[lr][sda]quo|bull|middot|aring|(?:ae|oe|sz)lig|[a-z](?:acute|grave|circ|uml|tilde|cedil|caron|slash|strok)';

const html = new RegExp(
  String.raw`<!--|<\/[a-z][\w:-]{0,20}>|<\/?(?:${tags})(?:\s[^<>]{0,1000})?\/?>|&(?:${characters}|#\d{1,7}|#x[\da-f]{1,6})(?:;|$)`,
  'i',
);

/** How a group of values begins in JSON, or as Python writes it. */
const group = /^(?:[[{]\s*(?:["']|[\]}]$)|\[\s*[[{])/;

/** What nobody sees, and what turns the direction of a text, but not what joins or styles the letters and emojis before it. */
const unseen =
  /\p{Bidi_Control}|(?!\u200c|\u200d|[\p{Variation_Selector}\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}|(?:^|(?<=[\sA-Za-z]))\p{Default_Ignorable_Code_Point}+|(?:\u200c|\u200d)+(?=\s|$)/gu;

/**
 * Returns a text as a person is to see it, without what nobody sees: on one line with single spaces, unless it may have more.
 * Throws an error that names the field when it's HTML (`a < b` and `<3` aren't) or a group of values, or marks a missing one.
 */
export const readPlain = (label: string, text: string, hasLines = false): string => {
  refuseUnfilled(label, text);
  if (html.test(text)) {
    throw halt(
      `${label}: this value has HTML code, which people would see, so this step did nothing. Before it, add a Formatter by Zapier step with the transform Remove HTML Tags.`,
    );
  }
  if (group.test(text)) {
    throw halt(`${label}: this is a group of values in JSON, so this step did nothing. Map one value from it instead.`);
  }
  const spaces = hasLines ? /(?![\s\u0085])\p{Cc}/gu : /[\s\p{Cc}]+/gu;
  return text.replace(spaces, ' ').replace(unseen, '').trim();
};

const isLink = (text: string): boolean => /^https?:\/\/[^\s/](?:(?![,;|]https?:\/\/)\S)*$/i.test(text);

/** Whether a value that is the end of a link leaves it leading where its beginning says. */
const isLinkEnd = (value: string, start: string): boolean => {
  const host = start.replace(/^https?:\/\/|[/?#].*/gi, '').toLowerCase();
  const isInHost = /^https?:\/\/[^/]*$/i.test(start);
  const isOther = /[\s#?\\]|^\/|:\/\/|%(?![\da-f]{2})|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(value);
  return !isOther && !(host && value.toLowerCase().includes(host)) && !(isInHost && /[^\w-]/.test(value));
};

/** Throws an error that shows the link that would come out when a value can't be the end of a link. */
export const refuseLinkEnd = (label: string, value: string, links: readonly string[]): void => {
  const start = links.find((each) => !isLinkEnd(value, each));
  if (start === undefined) return;
  const link = start + value;
  throw halt(
    `${label}: the link would be ${quote(link.length > 40 ? `…${link.slice(-39)}` : link)}, so nothing was sent. Map only the end of the link, without spaces, #, ? or a / at its start.`,
  );
};

/** The value that a text has in a format, or the end of a sentence that says why it has none, and what to do. */
type ReadValue = { value: string } | { problem: string };

const momentProblems: Record<Exclude<Doubt, 'unclear'>, string> = {
  'unlikely year':
    'has a year that nobody means, so nothing was sent. Programs write it in place of a missing date. Check the earlier step.',
  'two days':
    "is one day as a date and another in your Zap's time zone, so nothing was sent. Map a date without a time, or convert it with Formatter by Zapier first.",
  'no time':
    'may be a date without a time, so nothing was sent. Map the time of day itself, such as 14:30, or convert it with Formatter by Zapier first.',
  'no zone': 'is in UTC, and this run has no time zone. Enter the local date and time without the Z.',
};

const toRead = ({ value, doubt }: Certain, unclear: string): ReadValue =>
  value === undefined ? { problem: doubt === 'unclear' ? unclear : momentProblems[doubt] } : { value };

const readValue = (value: string | undefined, problem: string): ReadValue =>
  value === undefined ? { problem } : { value };

const readFile = (text: string, file: string): ReadValue =>
  readValue(
    isLink(text) && /^https/i.test(text) ? text : undefined,
    `isn't a link to ${file}. Enter one that starts with https://, or map a file.`,
  );

/** How the text of each format is read that takes more than any text. */
const readers: Readonly<Record<string, (text: string, timeZone: TimeZone) => ReadValue>> = {
  time: (text, timeZone) =>
    toRead(
      readTime(text, timeZone),
      "isn't a time. Enter one such as 14:30 or 2:30 pm, or convert it with Formatter by Zapier first.",
    ),
  date: (text, timeZone) =>
    toRead(
      readDate(text, timeZone),
      'is an invalid or ambiguous date. Enter one such as 2026-06-12, or convert it with Formatter by Zapier first.',
    ),
  number: (text) =>
    readValue(
      readNumber(text),
      'is an invalid or ambiguous number. Enter digits with a point for decimals, such as 1250.50.',
    ),
  url: (text) =>
    readValue(isLink(text) ? text : undefined, "isn't a link. Enter the full address, starting with https://."),
  image: (text) => readFile(text, 'an image'),
  video: (text) => readFile(text, 'a video'),
  document: (text) => readFile(text, 'a document'),
};

/**
 * Returns the value that a text has in a format, such as `14:30` in the format `time`, or why it has none. Any other format
 * takes any text. `timeZone` (IANA) applies to dates and times with another zone.
 */
export const readFormat = (text: string, format: string, timeZone: TimeZone): ReadValue =>
  Object.hasOwn(readers, format) && readers[format] ? readers[format](text, timeZone) : { value: withoutNoise(text) };

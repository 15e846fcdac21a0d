/** What a value in a message can be: text that a person reads, or text of a certain format. */
import { type Certain, type Doubt, readDate, readTime } from './local-time';
import { readNumber, withoutNoise } from './number';
import type { TimeZone } from './time-zone';

const tags =
  'a|b|blockquote|body|br|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|small|span|strong|style|sub|sup|table|tbody|td|th|thead|tr|u|ul';
const characters =
  'nbsp|amp|lt|gt|quot|apos|copy|reg|trade|euro|pound|hellip|[nm]dash|[lr][sd]quo|bull|middot|szlig|[ntao]tilde|ccedil|[aeiou](?:acute|grave|circ|uml)';

/** Tags and character codes. */
const html = new RegExp(
  String.raw`<\/?(?:${tags})(?:\s[^<>]{0,1000})?\/?>|&(?:${characters}|#\d{1,7}|#x[\da-f]{1,6});`,
  'i',
);

/** Whether a text is HTML. `a < b` and `<3` aren't. */
export const isHtml = (text: string): boolean => html.test(text);

/** Returns a text as messaging apps take it: on one line with single spaces. */
export const toSingleLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

const isLink = (text: string): boolean => /^https?:\/\/[^\s/](?:(?![,;|]https?:\/\/)\S)*$/i.test(text);
const isSecureLink = (text: string): boolean => isLink(text) && /^https/i.test(text);

/** The value that a text has in a format, or the end of a sentence that says why it has none, and what to do. */
type Read = { value: string } | { problem: string };

const momentProblems: Record<Exclude<Doubt, 'unclear'>, string> = {
  'unlikely year':
    'has a year that nobody means, so nothing was sent. Programs write it in place of a missing date. Check the earlier step.',
  'two days':
    "is one day as a date and another in your Zap's time zone, so nothing was sent. Map a date without a time, or convert it with Formatter by Zapier first.",
  'no time':
    'may be a date without a time, so nothing was sent. Map the time of day itself, such as 14:30, or convert it with Formatter by Zapier first.',
  'no zone': 'is in UTC, and this run has no time zone. Enter the local date and time without the Z.',
};

const readMoment = ({ value, doubt }: Certain, unclear: string): Read =>
  value === undefined ? { problem: doubt === 'unclear' ? unclear : momentProblems[doubt] } : { value };

const readValue = (value: string | undefined, problem: string): Read => (value === undefined ? { problem } : { value });

const readFile = (text: string, file: string): Read =>
  readValue(
    isSecureLink(text) ? text : undefined,
    `isn't a link to ${file}. Enter one that starts with https://, or map a file.`,
  );

/** How the text of each format is read that takes more than any text. */
const readers: Readonly<Record<string, (text: string, timeZone: TimeZone) => Read>> = {
  time: (text, timeZone) =>
    readMoment(readTime(text, timeZone), "isn't a time. Enter one such as 14:30 or 2:30 pm, or map a date and time."),
  date: (text, timeZone) =>
    readMoment(
      readDate(text, timeZone),
      'is an invalid or ambiguous date. Enter one such as 2026-06-12, or map a date and time.',
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
export const readFormat = (text: string, format: string, timeZone: TimeZone): Read =>
  Object.hasOwn(readers, format) && readers[format] ? readers[format](text, timeZone) : { value: withoutNoise(text) };

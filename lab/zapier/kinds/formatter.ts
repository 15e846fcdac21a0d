import * as z from 'zod/mini';
import { failed } from '../core/failure';
import type { Outcome } from '../core/result';
import { choiceField, type Field, textField } from '../fields/form';
import { resolveText, resolveToText } from '../fields/mapping';
import { readMoment } from '../fields/moment';
import { kind } from './kind';

const text = z._default(z.string(), '');
const schema = z.object({
  transform: z.string(),
  input: text,
  separator: text,
  segment: text,
  length: text,
  fallback: text,
  format: text,
  zone: text,
});
type Entered = z.output<typeof schema>;

/** A part of a text, from 0, or from its end. */
const segments: Record<string, number> = { first: 0, second: 1, last: -1 };

const splitText = ({ input, separator, segment }: Entered): string =>
  input
    .trim()
    .split(separator === '' || separator === '[:space:]' ? /\s+/ : separator)
    .at(segments[segment] ?? 0) ?? '';

const truncate = ({ input, length }: Entered): string => {
  if (!/^\d{1,6}$/.test(length.trim()))
    throw new Error(`Max Length must be a whole number, not "${length.slice(0, 40)}".`);
  return [...input].slice(0, Number(length)).join('');
};

const formats = {
  'YYYY-MM-DD': '2026-01-22',
  'MM/DD/YYYY': '01/22/2026',
  'DD/MM/YYYY': '22/01/2026',
  'MMMM D, YYYY': 'January 22, 2026',
  'HH:mm': '23:04',
  'dddd, MMMM D, h:mm A': 'Thursday, January 22, 11:04 PM',
};

const isZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
};

const parts = ['year', 'month', 'day', 'hour', 'minute'] as const;

const formatDate = ({ input, format, zone }: Entered): string => {
  const date = readMoment(input);
  if (!date) throw new Error(`Input: "${input.slice(0, 40)}" isn't a date such as 2026-01-22 or 2026-01-22T23:04:00Z.`);
  // A date without a time is the same day everywhere.
  const timeZone = (input.includes('T') && zone.trim()) || 'UTC';
  if (!isZone(timeZone))
    throw new Error(`To Timezone: "${zone.slice(0, 40)}" isn't a time zone such as America/New_York.`);
  const given = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(date);
  const [YYYY, MM, DD, HH, mm] = parts.map((type) => given.find((part) => part.type === type)?.value ?? '');
  const inWords = (named: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { timeZone, ...named }).format(date);
  const [MMMM, dddd, hour] = [inWords({ month: 'long' }), inWords({ weekday: 'long' }), Number(HH)];
  const [D, h, A] = [String(Number(DD)), String(hour % 12 || 12), hour < 12 ? 'AM' : 'PM'];
  const names: Record<string, string | undefined> = { YYYY, MMMM, MM, dddd, DD, D, HH, h, mm, A };
  return format.replace(/YYYY|MMMM|MM|dddd|DD|D|HH|h|mm|A/g, (name) => names[name] ?? '');
};

/** A phone number within a text: a plus, digits, and what people write between them. */
const phoneNumber = /\+?\(?\d[\d\s().-]{5,18}\d/;

/** What people write for what they can't type into a field. */
const separators: Record<string, string> = { '': ',', '[:newline:]': '\n', '[:space:]': ' ' };

const joinItems = ({ separator }: Entered, items: readonly unknown[]): { text: string } => ({
  text: items.map(String).join(separators[separator] ?? separator),
});

interface Transform {
  label: string;
  fields: readonly Field[];
  /** The output. `items` are those of a list as the input. Throws an error with a sentence. */
  run(entered: Entered, items: readonly unknown[]): unknown;
}

const transforms: Record<string, Transform> = {
  split: {
    label: 'Text: Split Text',
    fields: [
      textField('separator', 'Separator', { placeholder: '[:space:]' }),
      choiceField('segment', 'Segment Index', { first: 'First', second: 'Second', last: 'Last' }, { required: true }),
    ],
    run: splitText,
  },
  phone: {
    label: 'Text: Extract Phone Number',
    fields: [],
    run: ({ input }) => phoneNumber.exec(input)?.[0] ?? '',
  },
  truncate: {
    label: 'Text: Truncate',
    fields: [textField('length', 'Max Length', { type: 'integer', required: true })],
    run: truncate,
  },
  fallback: {
    label: 'Text: Default Value',
    fields: [textField('fallback', 'Default Value', { required: true })],
    run: ({ input, fallback }) => (input.trim() === '' ? fallback : input),
  },
  date: {
    label: 'Date / Time: Format',
    fields: [
      choiceField('format', 'To Format', formats, { required: true }),
      textField('zone', 'To Timezone', { placeholder: 'UTC', helpText: 'Such as `America/New_York`.' }),
    ],
    run: formatDate,
  },
  join: {
    label: 'Utilities: Line-item to Text',
    fields: [textField('separator', 'Separator', { placeholder: '[:newline:]' })],
    run: joinItems,
  },
};

/** What the step comes to with what the steps before gave. */
const transformInput = (step: Entered, outputs: readonly unknown[]): Outcome => {
  const resolved = Object.entries(schema.parse(step)).map(([key, value]) => [key, resolveToText(value, outputs)]);
  const entered = schema.parse(Object.fromEntries(resolved));
  const input = { Input: entered.input };
  const transform = transforms[entered.transform];
  const items = [resolveText(step.input, outputs)].flat();
  try {
    if (!transform) throw new Error('Transform has no such choice. Choose one from the list.');
    return { status: 'success', input, output: { output: transform.run(entered, items) } };
  } catch (error) {
    const { message } = z.object({ message: z.string() }).parse(error);
    return { input, ...failed(message) };
  }
};

/** What the step gives with the examples of the steps before. Undefined when they have nothing for it. */
const formattedExample = (step: Entered, examples: readonly unknown[]): unknown =>
  resolveToText(step.input, examples) === '' ? undefined : transformInput(step, examples).output;

/** What people call each transform, by its key. */
export const transformLabels = Object.fromEntries(Object.entries(transforms).map(([key, { label }]) => [key, label]));

/** Formatter by Zapier. It changes one value, which later steps map as Output, or a list, which they map as Output Text. */
export const formatter = kind({
  type: 'formatter',
  tool: { title: 'Formatter', icon: 'wand-sparkles', hue: 'violet' },
  app: 'Formatter by Zapier',
  event: 'Transform',
  schema,
  empty: {
    ...{ transform: 'split', input: '', separator: '[:space:]', segment: 'first' },
    ...{ length: '', fallback: '', format: 'YYYY-MM-DD', zone: '' },
  },
  title: ({ transform }) => transformLabels[transform] ?? 'Formatter',
  fields: ({ transform }) => [
    choiceField('transform', 'Transform', transformLabels, { required: true, altersDynamicFields: true }),
    textField('input', 'Input', { required: transform !== 'fallback' }),
    ...(transforms[transform]?.fields ?? []),
  ],
  // It changes what the steps before give, so nobody has to test it first.
  example: (step, _, before) =>
    formattedExample(step, before) ?? { output: step.transform === 'join' ? { text: '' } : '' },
  outputs: ({ transform }) => [
    transform === 'join' ? { key: 'output__text', label: 'Output Text' } : { key: 'output', label: 'Output' },
  ],
  run: (step, { outputs }) => transformInput(step, outputs),
});

import * as zod from 'zod/mini';
import { endpoints } from './api/endpoints';
import { once } from './api/once';
import type { Template } from './api/resources';
import { call } from './client';
import { halt, quote } from './errors';
import { readDictionary, readField, readText } from './input';
import { readDate, readTime } from './local-time';
import type { Bundle, PlainInputField, ZObject } from './platform';

type Variable = NonNullable<Template['variables']>[number];

const prefix = 'variable_';
const noteKey = 'template_text';

/** What the form learnt of a variable. It travels with the field, so that sending needs no second look at the template. */
const fieldMeta = once(() => zod.object({ format: zod.string(), label: zod.string(), required: zod.boolean() }));
type FieldMeta = zod.output<ReturnType<typeof fieldMeta>>;

const hints: Record<string, string> = {
  time: 'A time such as `14:30` or `2:30 pm`, or a whole date and time, which is told in the time zone of the Zap.',
  date: 'A date, or a whole date and time.',
  url: 'A link that begins with `https://`.',
};

/** A template may number its variables instead of naming them. */
const labelOf = ({ name, label }: Variable): string => {
  const words = name.replace(/_+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return (label || (/^\d+$/.test(name) ? `Variable ${name}` : words)).slice(0, 64);
};

const toField = (variable: Variable): PlainInputField => {
  const { name, example, format, required } = variable;
  const helpText = [hints[format ?? ''], example && `Example: \`${example.replaceAll('`', "'").slice(0, 200)}\``];
  const meta: FieldMeta = { format: format ?? 'text', label: labelOf(variable), required: required ?? false };
  return {
    key: prefix + name,
    label: meta.label,
    // A number stays text: Zapier's own number type would send 12.50 as 12.5.
    type: format === 'date' ? 'datetime' : 'string',
    required: meta.required,
    helpText: helpText.filter(Boolean).join(' ') || undefined,
    meta,
  };
};

/** Zapier takes help texts of up to 1,000 characters. */
const maxPreview = 990;

/** The template's text as it will be read, each variable by its label, safe to show as Markdown. */
export const preview = ({ body, variables }: Template): string => {
  const labels = new Map(variables?.map((variable) => [variable.name, labelOf(variable)]));
  return (body ?? '')
    .slice(0, maxPreview)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => `[${labels.get(name.trim()) ?? name.trim()}]`)
    .replace(/[\\`*_[\]()<>#!|]/g, '\\$&')
    .slice(0, maxPreview);
};

/** For a template that is not known while the Zap is built. */
export const anyVariables: PlainInputField = {
  key: 'variables',
  label: 'Template Variables',
  dict: true,
  helpText:
    'For a template that is not chosen from the list: the name of each variable on the left, its text on the right.',
};

/**
 * The fields for a template: its text to look at, and one field for each variable. One request. A template that cannot
 * be read gives one field for any names and texts.
 */
export const fieldsOfTemplate = async (z: ZObject, name: string): Promise<PlainInputField[]> => {
  try {
    const template = await call(z, endpoints.getTemplate, { name });
    const note = preview(template);
    return [
      ...(note
        ? [{ key: noteKey, label: 'Message Text', type: 'copy' as const, helpText: note, meta: { template: name } }]
        : []),
      ...(template.variables ?? []).map(toField),
    ];
  } catch {
    return [anyVariables];
  }
};

/**
 * The fields for the template that the form has chosen. One that is mapped differs from run to run; and who has filled
 * in the field for any names goes on with it.
 */
export const templateFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const isOpen = Object.keys(readDictionary(inputData[anyVariables.key])).length > 0;
  if (isOpen || readText(inputDataRaw?.template)?.includes('{{')) return [anyVariables];
  const name = readText(inputData.template);
  return name ? fieldsOfTemplate(z, name) : [];
};

const convert = (text: string, { format, label }: FieldMeta, timeZone: string | null | undefined): string => {
  const shown = `${label}: ${quote(text)}`;
  if (format === 'time') {
    const time = readTime(text, timeZone);
    if (!time) throw halt(`${shown} is not a time. Write it like 14:30 or 2:30 pm, or map a whole date and time.`);
    return time;
  }
  if (format === 'date') {
    const date = readDate(text, timeZone);
    if (!date) throw halt(`${shown} is not a date. Write it like 2026-06-12, or map a whole date and time.`);
    return date;
  }
  if (format === 'number' && !/^[+-]?\d[\d.,\s']*$/.test(text)) throw halt(`${shown} is not a number. Use digits.`);
  if (format === 'url' && !/^https?:\/\/[^\s/]/i.test(text)) {
    throw halt(`${shown} is not a link. Write the whole address, beginning with https://.`);
  }
  return text;
};

/** What the form learnt of its fields, by key. */
type Learnt = Record<string, unknown>;

const isKnown = (learnt: Learnt): boolean =>
  Object.keys(learnt).some((key) => key === noteKey || key.startsWith(prefix));

/** Whether a text would be sent otherwise if its variable were a time or a date. */
const mayNeedConverting = (text: string | undefined): boolean =>
  text !== undefined &&
  /\d/.test(text) &&
  [readTime(text, 'UTC'), readDate(text, 'UTC')].some((read) => read !== undefined && read !== text);

/**
 * What is known of the variables of a template. It travels with the fields from the form. Where it does not, as with
 * Zapier's own test tools, the template is asked once more, but only when a value may be a time or a date.
 */
export const learnVariables = async (
  z: ZObject,
  { inputData, meta }: Bundle,
  findTemplate: () => Promise<string | null | undefined>,
): Promise<Learnt> => {
  const learnt: Learnt = meta?.inputFields ?? {};
  const values = Object.entries(inputData).filter(([key]) => key.startsWith(prefix));
  if (isKnown(learnt) || !values.some(([, value]) => mayNeedConverting(readText(value)))) return learnt;
  const template = await findTemplate();
  const fields = template ? await fieldsOfTemplate(z, template) : [];
  return Object.fromEntries(fields.map((field) => [field.key, field.meta]));
};

/**
 * Reads the variables of a send, name to text: the fields that the form made, as the template wants them, and the field
 * for any names. Throws a sentence that names the field when one is missing or cannot be read.
 */
export const readVariables = ({ inputData, meta }: Bundle, learnt: Learnt): Record<string, string> => {
  const any = isKnown(learnt) ? {} : readDictionary(readField(anyVariables, inputData[anyVariables.key]));
  // What is left over from another template is not sent.
  if (Object.keys(any).length > 0) return any;
  const keys = Object.keys(isKnown(learnt) ? learnt : inputData).filter((key) => key.startsWith(prefix));
  return Object.fromEntries(
    keys.flatMap((key) => {
      const name = key.slice(prefix.length);
      const field = fieldMeta().safeParse(learnt[key]).data;
      const { label, required } = field ?? { label: labelOf({ name }), required: false };
      const text = readText(readField({ key, label, required }, inputData[key]));
      return text ? [[name, field ? convert(text, field, meta?.timezone) : text]] : [];
    }),
  );
};

/** What a form shows of a template: notes with its texts, and a field for each variable. */
import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { exists } from '../api/endpoints';
import type { Template } from '../api/resources';
import { readText } from '../formats/mapped-value';
import { quote } from '../platform/errors';
import { readDictionary } from './input';
import { templateField } from './reference-fields';
import {
  inOrder,
  isApproved,
  languagesOf,
  listVersions,
  metaOfTemplate,
  type SharedVariable,
  sharedVariables,
  type TemplateKey,
  templateText,
  variablePrefix,
} from './template';

/** The key of the first note that shows the template's texts. */
export const templateNoteKey = 'template_text';

/** The key of the note that says why the template can't be sent. */
const unusableNoteKey = 'template_problem';

/** Zapier's limit for a help text is 1,000 characters. */
const maxNote = 990;

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]()<>#!|]/g, '\\$&');

/** Returns the start of a Markdown text, with an ellipsis if it's longer than a note. Never cuts an escape in two. */
const fitNote = (markdown: string): string => {
  if (markdown.length <= maxNote) return markdown;
  const units = markdown.slice(0, maxNote).match(/\\.|[^\\]/gsu) ?? [];
  return `${units.slice(0, -2).join('')}…`;
};

/** Returns paragraphs as texts of notes, with as many in each as fit. */
const toNotes = (paragraphs: readonly string[]): string[] => {
  const notes: string[] = [];
  for (const paragraph of paragraphs.map(fitNote)) {
    const last = notes.at(-1);
    const joined = last === undefined ? paragraph : `${last}\n\n${paragraph}`;
    if (last !== undefined && joined.length <= maxNote) notes.pop();
    notes.push(joined.length <= maxNote ? joined : paragraph);
  }
  return notes;
};

/** Returns what a person should know of the texts before sending: every one, and who chooses between them. */
const describeTexts = (approved: readonly Template[], versions: readonly Template[]): string[] => {
  const shared = sharedVariables(approved);
  const toParagraph = (version: Template): string => {
    const text = escapeMarkdown(templateText(version, shared));
    const language = escapeMarkdown(languagesOf([version])[0] ?? 'No language');
    return approved.length > 1 ? `**${language}:** ${text || '(no text)'}` : text;
  };
  const shown = new Set(languagesOf(approved));
  const others = languagesOf(inOrder(versions.filter((each) => !isApproved(each)))).filter((each) => !shown.has(each));
  return [
    ...approved.map(toParagraph),
    ...(approved.length > 1 ? ["The messaging service chooses the text by the contact's language."] : []),
    ...(others.length > 0 ? [`Not approved, so not shown here: ${escapeMarkdown(others.join(', '))}.`] : []),
  ];
};

const toNoteField = (key: string, helpText: string, meta?: PlainInputField['meta']): PlainInputField => ({
  key,
  label: 'Message Text',
  type: 'copy',
  group: 'message',
  helpText,
  meta,
});

/** Returns the notes with the texts of a template; none when the service doesn't give its texts. */
export const textNotes = (
  approved: readonly Template[],
  versions: readonly Template[],
  key: TemplateKey,
): PlainInputField[] =>
  approved.some(({ body }) => body)
    ? toNotes(describeTexts(approved, versions)).map((text, index) =>
        toNoteField(index === 0 ? templateNoteKey : `${templateNoteKey}_${index + 1}`, text, metaOfTemplate(key)),
      )
    : [];

/** Returns the note for a template without a version that can be sent. `isKnown` is whether the channel has the template. */
export const unusableNote = (key: TemplateKey, isKnown: boolean): PlainInputField => {
  const name = escapeMarkdown(quote(key.name));
  return toNoteField(
    unusableNoteKey,
    isKnown
      ? `${name} isn't approved on this channel, so it can't be sent. Wait until it's approved, or choose another template.`
      : `This channel has no template ${name}. Choose another template or channel.`,
  );
};

const hints = new Map([
  [
    'time',
    "Enter a time such as `14:30` or `2:30 pm`, or map a date and time, which is converted to your Zap's time zone.",
  ],
  ['date', 'Enter a date such as `2026-06-12`, or map a date and time.'],
  ['number', 'Enter a number such as `12.50`.'],
  ['url', 'Enter a link that starts with `https://`.'],
]);

const helpOf = (
  { example, format, isMixed, languages }: SharedVariable,
  all: readonly string[],
): string | undefined => {
  // The help text ends with a period already.
  const shown = example?.slice(0, 200).replaceAll('`', "'").replace(/\.$/, '');
  const sentences = [
    hints.get(format),
    isMixed && "This value is sent exactly as you enter it. The template's languages use different formats.",
    shown && `Example: \`${shown}\`.`,
    languages.length > 0 && languages.length < all.length && `Only used in: ${languages.join(', ').slice(0, 200)}.`,
  ];
  return sentences.filter(Boolean).join(' ') || undefined;
};

const toField = (variable: SharedVariable, key: TemplateKey, languages: readonly string[]): PlainInputField => {
  const { name, label, format, required } = variable;
  return {
    key: variablePrefix + name,
    label,
    // With its own types, Zapier would send 12.50 as 12.5, and take 06/07/2026 for either of two days.
    type: 'string',
    required,
    helpText: helpOf(variable, languages),
    group: 'message',
    meta: { label, format, required, ...metaOfTemplate(key) },
  };
};

/** The field for the variables of a template that isn't known until the Zap runs. */
export const freeFormVariablesField = defineInputField({
  key: 'variables',
  label: 'Template Variables',
  dict: true,
  group: 'message',
  helpText: exists('listTemplates')
    ? "Use this if you mapped the template from an earlier step. Enter each variable's name on the left, such as `Arrival Time`, and its value on the right."
    : "Enter the name of each of the template's variables on the left, such as `arrival_time`, and its value on the right.",
});

/**
 * Returns the fields of a template: a note with its texts, and one field for each variable of its approved versions. When
 * the versions are unknown or don't list their variables, returns a free-form field.
 */
export const fieldsOfTemplate = (versions: readonly Template[] | undefined, key: TemplateKey): PlainInputField[] => {
  if (!versions) return [freeFormVariablesField];
  const approved = inOrder(versions.filter(isApproved));
  if (approved.length === 0) return [unusableNote(key, versions.length > 0)];
  const languages = languagesOf(approved);
  const fields = sharedVariables(approved)?.map((variable) => toField(variable, key, languages));
  return fields ? [...textNotes(approved, versions, key), ...fields] : [freeFormVariablesField];
};

/** Returns the fields of a template, or a free-form field when it can't be read. `label` is as in `listVersions`. */
export const readFieldsOfTemplate = async (z: ZObject, key: TemplateKey, label: string): Promise<PlainInputField[]> =>
  fieldsOfTemplate(await listVersions(z, key, label).catch(() => undefined), key);

/** Whether a value is mapped from an earlier step, so that only a run has it. */
export const isMapped = (value: unknown): boolean => readText(value)?.includes('{{') ?? false;

/**
 * Returns the fields for the chosen template and channel, or a free-form field when one of them is mapped. Also without a
 * channel, because an AI agent lists the fields before it fills in any.
 */
export const templateFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const [name, channel] = [inputData.template, inputData.channel].map(readText);
  const isFreeForm = Object.keys(readDictionary(inputData[freeFormVariablesField.key])).length > 0;
  const isForAny = isFreeForm || isMapped(inputDataRaw?.template) || isMapped(inputDataRaw?.channel);
  if (isForAny || !channel) return [freeFormVariablesField];
  return name ? readFieldsOfTemplate(z, { name, channel }, templateField.label) : [];
};

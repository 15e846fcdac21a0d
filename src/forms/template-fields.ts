import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { exists } from '../api/endpoints';
import type { Template } from '../api/resources';
import { readText } from '../formats/mapped-value';
import { readDictionary } from './input';
import { listVersions } from './read-template';
import { templateField } from './reference-fields';
import { metaOfTemplate, type TemplateKey } from './template-key';
import { textNotes, unusableNote } from './template-notes';
import { inOrder, isApproved, languagesOf, type SharedVariable, sharedVariables } from './template-versions';
import { variablePrefix } from './variable-meta';

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

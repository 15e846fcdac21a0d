import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { endpoints, exists } from '../api/endpoints';
import type { Template } from '../api/resources';
import { readText } from '../formats/mapped-value';
import { call } from '../http/client';
import { readDictionary } from './input';
import { labelOfVariable, metaOfVariable, type Variable, variablePrefix } from './variable-meta';

/** The key of the note that shows the template's text. */
export const templateNoteKey = 'template_text';

const hints = new Map([
  [
    'time',
    "Enter a time such as `14:30` or `2:30 pm`, or map a date and time, which is converted to your Zap's time zone.",
  ],
  ['date', 'Enter a date such as `2026-06-12`, or map a date and time.'],
  ['number', 'Enter a number such as `12.50`.'],
  ['url', 'Enter a link that starts with `https://`.'],
]);

const toField = (variable: Variable): PlainInputField => {
  const { name, example, format } = variable;
  // The help text ends with a period already.
  const shown = example?.slice(0, 200).replaceAll('`', "'").replace(/\.$/, '');
  const helpText = [hints.get(format ?? ''), shown && `Example: \`${shown}\`.`];
  const meta = metaOfVariable(variable);
  return {
    key: variablePrefix + name,
    label: meta.label,
    // With its own types, Zapier would send 12.50 as 12.5, and take 06/07/2026 for either of two days.
    type: 'string',
    required: meta.required,
    helpText: helpText.filter(Boolean).join(' ') || undefined,
    group: 'message',
    meta,
  };
};

/** Zapier's limit for a help text is 1,000 characters. */
const maxPreview = 990;

/** Returns the template's text with labels in place of variables, escaped for Markdown. */
export const preview = ({ body, variables }: Template): string => {
  const labels = new Map(variables?.map((variable) => [variable.name, labelOfVariable(variable)]));
  return (body ?? '')
    .slice(0, maxPreview)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => `[${labels.get(name.trim()) ?? name.trim()}]`)
    .replace(/[\\`*_[\]()<>#!|]/g, '\\$&')
    .slice(0, maxPreview);
};

/** The field for the variables of a template that isn't known until the Zap runs. */
export const freeFormVariablesField = defineInputField({
  key: 'variables',
  label: 'Template Variables',
  dict: true,
  group: 'message',
  helpText: exists('getTemplate')
    ? "Use this if the form shows no fields for the variables, such as when you mapped the template from an earlier step. Enter each variable's name on the left, such as `Arrival Time`, and its value on the right."
    : "Enter the name of each of the template's variables on the left, such as `arrival_time`, and its value on the right.",
});

/**
 * Returns the template with that name; undefined when the service has no call for it. Throws when it can't be read,
 * since a message would then go out wrong.
 */
export const readTemplate = async (z: ZObject, name: string): Promise<Template | undefined> =>
  exists('getTemplate') ? call(z, endpoints.getTemplate, { name }) : undefined;

/** Returns the template with that name for a form, or undefined when it can't be read. Makes one request. */
export const findTemplate = (z: ZObject, name: string): Promise<Template | undefined> =>
  readTemplate(z, name).catch(() => undefined);

/** Whether the text of a template has variables that its list lacks, since the service sent no list. */
const hasUnlistedVariables = ({ body, variables }: Template): boolean => !variables && (body ?? '').includes('{{');

/** Returns the fields of a template: a note with its text, and one field per variable. */
export const fieldsOfTemplate = (template: Template | undefined): PlainInputField[] => {
  if (!template || hasUnlistedVariables(template)) return [freeFormVariablesField];
  const note: PlainInputField = {
    key: templateNoteKey,
    label: 'Message Text',
    type: 'copy',
    group: 'message',
    helpText: preview(template),
    meta: { template: template.name },
  };
  return [...(note.helpText ? [note] : []), ...(template.variables ?? []).map(toField)];
};

/**
 * Returns the fields for the chosen template, or a free-form field when the template is mapped. Also in an empty form,
 * because an AI agent lists the fields before it fills in any.
 */
export const templateFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const [name, channel] = [inputData.template, inputData.channel].map(readText);
  const isFreeForm = Object.keys(readDictionary(inputData[freeFormVariablesField.key])).length > 0;
  const isMapped = readText(inputDataRaw?.template)?.includes('{{');
  if (isFreeForm || isMapped || !(name || channel)) return [freeFormVariablesField];
  return name ? fieldsOfTemplate(await findTemplate(z, name)) : [];
};

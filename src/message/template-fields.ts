/** What a form shows of a template: notes with its texts, and a field for each variable. */
import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { exists } from '../api/missing';
import type { Template } from '../api/resources';
import { templateField } from '../step/dropdowns';
import { quote } from '../step/errors';
import { readDictionary } from '../step/input';
import { isMapped } from '../step/lost-value';
import { readText } from '../text/fold';
import { escapeMarkdown, inBackticks, toNotes } from '../text/markdown';
import {
  categoriesOf,
  inOrder,
  isApproved,
  languagesOf,
  listVersions,
  metaOfTemplate,
  shownAbove,
  type TemplateKey,
} from './template';
import { labelOfVariable, type Variable, type Variables, variablePrefix, variablesOf, withLabels } from './variables';

/** Begins the keys of the notes with a template's text. */
export const templateNoteKey = 'template_text';

const unusableNoteKey = 'template_problem';

const describeHeader = (version: Template, shown: (text: string | null | undefined) => string): string => {
  const { text } = version.header ?? {};
  if (text) return `**${shown(text)}**`;
  const what = shownAbove(version);
  return what ? `(${escapeMarkdown(what)})` : '';
};

/** Returns the whole message in one language, in Markdown: header, text, footer and buttons, each on a line. */
const describeMessage = (version: Template, variables: Variables | undefined): string => {
  const shown = (text: string | null | undefined): string =>
    escapeMarkdown(withLabels(text, (name) => variables?.get(name)?.label ?? labelOfVariable({ name }))).trim();
  const buttons = (version.buttons ?? []).map(({ text, url }) =>
    [`[${shown(text)}]`.replace(/[[\]]/g, '\\$&'), url && shown(url)].filter(Boolean).join(' '),
  );
  const footer = shown(version.footer);
  const lines = [describeHeader(version, shown), shown(version.body), footer && `_${footer}_`, buttons.join(' · ')];
  return lines.filter(Boolean).join('  \n');
};

const categoryNotes = new Map([
  ['marketing', "Marketing: messaging apps may hold it back, and WhatsApp doesn't deliver it to US numbers."],
]);

/** Returns what a person should know of the messages before sending: every one, and who chooses between them. */
const describeMessages = (approved: readonly Template[], versions: readonly Template[]): string[] => {
  const variables = variablesOf(approved);
  const toParagraph = (version: Template): string => {
    const text = describeMessage(version, variables);
    const language = escapeMarkdown(languagesOf([version])[0] ?? 'No language');
    return approved.length > 1 ? `**${language}:** ${text || '(no text)'}` : text;
  };
  const shown = new Set(languagesOf(approved));
  const others = languagesOf(inOrder(versions.filter((each) => !isApproved(each)))).filter((each) => !shown.has(each));
  return [
    ...approved.map(toParagraph),
    ...(approved.length > 1 ? ["The messaging service chooses the text by the contact's language."] : []),
    ...categoriesOf(approved).flatMap((category) => categoryNotes.get(category.toLowerCase()) ?? []),
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

/** Returns the notes with the messages of a template; none when the service doesn't give its texts. */
const textNotes = (
  approved: readonly Template[],
  versions: readonly Template[],
  key: TemplateKey,
): PlainInputField[] =>
  approved.some(({ header, body, footer, buttons }) => header || body || footer || buttons?.length)
    ? toNotes(describeMessages(approved, versions)).map((text, index) =>
        toNoteField(index === 0 ? templateNoteKey : `${templateNoteKey}_${index + 1}`, text, metaOfTemplate(key)),
      )
    : [];

/** Returns the note for a template without a version that can be sent. `isKnown` is whether the channel has the template. */
const unusableNote = (key: TemplateKey, isKnown: boolean): PlainInputField => {
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
    "Enter a time like `14:30` or `2:30 pm`, or map a date and time. Dates with times are converted to your Zap's time zone.",
  ],
  ['date', 'Enter a date like `2026-06-12`, or map a date and time.'],
  ['number', 'Enter a number, with a point for decimals: `12.50`.'],
  ['url', 'Enter a link that starts with `https://`.'],
  ['image', 'Enter a link to the picture itself, which starts with `https://`, or map a file.'],
  ['video', 'Enter a link to the video itself, which starts with `https://`, or map a file.'],
  ['document', 'Enter a link to the document itself, which starts with `https://`, or map a file.'],
]);

/** Returns the start of a text for a help text, without the period that the sentence has already. */
const shorten = (text: string, max = 200): string => inBackticks(text.slice(0, max).replace(/\.$/, ''));

const helpOf = (
  { example, format, isMixed, versions, words, links }: Variable,
  all: readonly string[],
): string | undefined => {
  const languages = languagesOf(versions);
  const sentences = [
    words.length > 0 && `In the message: ${words.map((text) => shorten(text, 100)).join(', ')}.`,
    links.length > 0 &&
      `${words.length > 0 ? 'Also' : 'Only'} the end of the link ${links
        .slice(0, 2)
        .map((link) => shorten(`${link}…`, 100))
        .join(', ')}.`,
    hints.get(format),
    isMixed && "This value is sent exactly as you enter it. The template's languages use different formats.",
    example && `Example: ${shorten(example)}.`,
    languages.length > 0 &&
      languages.length < all.length &&
      `Only used in: ${escapeMarkdown(languages.join(', ').slice(0, 200))}.`,
  ];
  return sentences.filter(Boolean).join(' ').slice(0, 1_000) || undefined;
};

const toField = (variable: Variable, key: TemplateKey, languages: readonly string[]): PlainInputField => {
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
    ? "Enter each variable's name (`Arrival Time`) and its value."
    : "Enter the name of each of the template's variables (`arrival_time`) and its value.",
});

/**
 * Returns the fields of a template: a note with its texts, and one field for each variable of its approved versions. When
 * nothing shows its variables, returns a free-form field.
 */
export const fieldsOfTemplate = (versions: readonly Template[] | undefined, key: TemplateKey): PlainInputField[] => {
  if (!versions) return [freeFormVariablesField];
  const approved = inOrder(versions.filter(isApproved));
  if (approved.length === 0) return [unusableNote(key, versions.length > 0)];
  const languages = languagesOf(approved);
  const variables = variablesOf(approved);
  if (!variables) return [freeFormVariablesField];
  const fields = [...variables.values()].map((variable) => toField(variable, key, languages));
  return [...textNotes(approved, versions, key), ...fields];
};

/** Returns the fields of a template, or a free-form field when it can't be read. `label` is as in `listVersions`. */
export const readFieldsOfTemplate = async (
  z: ZObject,
  key: TemplateKey,
  ...source: [Parameters<typeof listVersions>[2]]
): Promise<PlainInputField[]> => fieldsOfTemplate(await listVersions(z, key, ...source).catch(() => undefined), key);

/**
 * Returns the fields for the chosen template and channel, or a free-form field when one of them is mapped. Also without a
 * form and a channel, because an AI agent lists the fields before it fills in any.
 */
export const templateFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const [name, channel] = [inputData.template, inputData.channel].map((each) => readText(each));
  const isFreeForm = Object.keys(readDictionary(inputData[freeFormVariablesField.key])).length > 0;
  const isForAny = isFreeForm || isMapped(inputDataRaw?.template) || isMapped(inputDataRaw?.channel);
  if (isForAny || (!channel && !inputDataRaw)) return [freeFormVariablesField];
  return name && channel ? readFieldsOfTemplate(z, { name, channel }, templateField.label) : [];
};

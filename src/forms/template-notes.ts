/** The notes of a form about the texts of a template. */
import type { PlainInputField } from 'zapier-platform-core';
import type { Template } from '../api/resources';
import { quote } from '../platform/errors';
import { metaOfTemplate, type TemplateKey } from './template-key';
import { inOrder, isApproved, languagesOf, sharedVariables, templateText } from './template-versions';

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

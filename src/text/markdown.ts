/** The Markdown of notes and help texts in a form. */

/** Returns a text as Markdown that shows it as it is. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]()<>#!|]/g, '\\$&');

/** Returns a text as it is, between backticks. */
export const inBackticks = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** Zapier's limit for a help text is 1,000 characters. */
const maxNote = 990;

/** Returns the start of a Markdown text, with an ellipsis if it's longer than a note. Never cuts an escape in two. */
const fitNote = (markdown: string): string => {
  if (markdown.length <= maxNote) return markdown;
  const units = markdown.slice(0, maxNote).match(/\\.|[^\\]/gsu) ?? [];
  return `${units.slice(0, -2).join('')}…`;
};

/** Returns paragraphs as texts of notes, with as many in each as fit. */
export const toNotes = (paragraphs: readonly string[]): string[] => {
  const notes: string[] = [];
  for (const paragraph of paragraphs.map(fitNote)) {
    const last = notes.at(-1);
    const joined = last === undefined ? paragraph : `${last}\n\n${paragraph}`;
    if (last !== undefined && joined.length <= maxNote) notes.pop();
    notes.push(joined.length <= maxNote ? joined : paragraph);
  }
  return notes;
};

/** What the fields of records and results mean, as scripts/meanings.md says. */
import { fillIn } from './docs/page';

/** The meaning of a field, and of the values that it is known to have. */
export interface Meaning {
  text: string;
  /** What only people who build Zaps need to know. */
  inZaps: string;
  values: Map<string, string>;
}

interface Section {
  text: string;
  /** By the key of an output field, such as `contact__phone` or `messages[]text`. */
  meanings: Map<string, Meaning>;
}

const file = 'scripts/meanings.md';

const readSection = (lines: string[]): Section => {
  const section: Section = { text: '', meanings: new Map() };
  for (const line of lines.filter(Boolean)) {
    const last = [...section.meanings.values()].at(-1);
    const [, indent, key = '', text = ''] = /^( {2})?- `(\S+)`: (.+)$/.exec(line) ?? [];
    if (key && !indent) section.meanings.set(key, { text, inZaps: '', values: new Map() });
    else if (key && last) last.values.set(key, text);
    else if (/^ {2}[^ -]/.test(line) && last && !last.inZaps) last.inZaps = line.trim();
    else if (!last && !section.text && !line.startsWith(' ')) section.text = line;
    else throw new Error(`${file} has a line that isn't a field, a value or a text: ${line}`);
  }
  return section;
};

const sections = new Map<string, Section>();
for (const part of fillIn(file, {}).split(/^## /m).slice(1)) {
  const [title = '', ...lines] = part.split('\n');
  sections.set(title, readSection(lines));
}

/** Returns what a section says about its record. */
export const textOf = (section: string): string => sections.get(section)?.text ?? '';

/** Returns what a field means by the first of the sections that has it; undefined when none has. */
export const findMeaning = (key: string, ...titles: (string | undefined)[]): Meaning | undefined =>
  titles.flatMap((title) => sections.get(title ?? '')?.meanings.get(key) ?? [])[0];

/** Returns what a field of a record or step means. Throws a sentence when no section says it. */
export const meaningOf = (key: string, ...titles: [string, ...(string | undefined)[]]): Meaning => {
  const meaning = findMeaning(key, ...titles, 'All records');
  if (meaning) return meaning;
  throw new Error(`Say in ${file}, under "${titles[0]}", what \`${key}\` means.`);
};

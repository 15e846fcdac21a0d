import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Line {
  /** `src/api/FILE.ts:LINE` */
  place: string;
  text: string;
}

const folder = resolve(__dirname, '../../src/api');

/** The files that declare fields. Resources come first, since the others carry them. */
const files = ['resources.ts', 'endpoints.ts', 'events.ts', 'errors.ts'];

const lines: Line[] = files.flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `src/api/${file}:${index + 1}`, text })),
);

const indentOf = ({ text }: Line): number => text.search(/\S/);

/** Returns the lines that declare a name: `export const NAME`, or the entry `NAME:` of a table. */
const blockOf = (name: string): Line[] => {
  const starts = [`export const ${name} `, `export const ${name}:`, `  ${name}: `];
  const isStart = ({ text }: Line) => starts.some((start) => text.startsWith(start));
  const start = lines.findIndex(isStart);
  const [first, ...rest] = start < 0 ? [] : lines.slice(start);
  if (!first) return [];
  const end = rest.findIndex(
    (line) => indentOf(line) === indentOf(first) && /\w/.test(line.text.trimStart().charAt(0)),
  );
  return [first, ...(end < 0 ? rest : rest.slice(0, end))];
};

/** Whether the line gives the field a schema, such as `phone: nullish.text`, and not a value. */
const declares = ({ text }: Line, field: string): boolean => {
  const [, rest] = text.match(new RegExp(`\\b${field}: (.*)`)) ?? [];
  return rest !== undefined && /^[a-z]\w*[.(]/i.test(rest);
};

/** Finds the line of the last field of a path. Searches for each one after the one before it, and skips missing ones. */
const findField = (block: Line[], [field, ...inner]: readonly string[]): Line | undefined => {
  if (field === undefined) return undefined;
  const index = block.findIndex((line) => declares(line, field));
  return index < 0 ? findField(block, inner) : (findField(block.slice(index), inner) ?? block[index]);
};

const findSource = (owner: string, path: readonly string[]): string => {
  const block = blockOf(owner);
  const file = block[0]?.place.split(':')[0] ?? '';
  const sameFile = lines.filter(({ place }) => place.startsWith(`${file}:`));
  const candidates = [block, sameFile, lines].map((each) => findField(each, path));
  const found = candidates.find(Boolean) ?? block[0];
  return found ? ` (${found.place})` : '';
};

const sources = new Map<string, string>();

/**
 * Returns where `src/api` declares a field, as ` (src/api/FILE.ts:LINE)`: in the declaration of `owner`, else in the same
 * file, else in any. Without a field it is the place of `owner`. Empty when there is none.
 */
export const sourceOf = (owner: string, path: readonly string[] = []): string => {
  const key = [owner, ...path].join('.');
  const source = sources.get(key) ?? findSource(owner, path);
  sources.set(key, source);
  return source;
};

/** Returns where the vocabulary has a word, as ` (src/api/FILE.ts:LINE)`. Empty when it doesn't. */
export const sourceOfWord = (word: string): string => {
  const found = blockOf('vocabulary').find(({ text }) => text.includes(`'${word}'`));
  return found ? ` (${found.place})` : '';
};

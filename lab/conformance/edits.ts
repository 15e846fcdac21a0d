/** The edits of `src/api` that follow from what a service sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorResponse } from '../../src/api/errors';
import { vocabulary } from '../../src/api/resources';
import type { Received } from './checks/receiver';
import { comparePayloads, readPayload } from './compare/event';
import { resourceOf } from './compare/resource';
import { type Comparison, compare, keyOfField, type Rename, type Respelled } from './compare/shape';
import type { ServiceResponse } from './service-client';

/** The lines of a file, each with what takes its place. */
export interface EditedFile {
  file: string;
  lines: { from: string; to: string[] }[];
}

/** Returns a literal of TypeScript with this text, in the quotes of the project. Only data comes from a service or its file. */
export const literal = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`;

const compareResponse = ({ endpoint, status, body, sent }: ServiceResponse, found: Comparison): Comparison =>
  status < 300
    ? compare(endpoint.response, body, resourceOf(endpoint), { sent, found })
    : compare(errorResponse, body, 'errorResponse', { found });

const toCamelCase = (name: string): string => name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase());

const keyOf = ({ declaration: { path } }: Rename): string => path.at(-1) ?? '';

/** The end of the schema that starts a text, such as `nullish.text` or `z.array(item)`; -1 when it isn't in the text. */
const endOfSchema = (text: string): number => {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '(') depth += 1;
    if (depth === 0 && /[,;)}]/.test(character)) return index;
    if (character === ')') depth -= 1;
  }
  return depth === 0 ? text.length : -1;
};

/** Returns the line with a name around the schema of a field; undefined when the line doesn't declare it. */
const renameIn = (line: string, key: string, theirs: string): string | undefined => {
  const found = new RegExp(`(?<=(?:^|[{,]) *)${key}: (?=(?:z|nullish|optional|field|several|person)\\b)`).exec(line);
  if (!found) return undefined;
  const start = found.index + found[0].length;
  const end = endOfSchema(line.slice(start));
  if (end < 0) return undefined;
  return `${line.slice(0, start)}wire.renamed(${literal(theirs)}, ${line.slice(start, start + end)})${line.slice(start + end)}`;
};

/** Edits the only line of a declaration that has the field. Without a single one, a person has to choose. */
const applyRename = (files: EditedFile[], { declaration: { name, file, path }, theirs }: Rename): void => {
  const { lines } = files.find((each) => each.file === file) ?? { lines: [] };
  const start = lines.findIndex(({ from }) => new RegExp(`^(export )?const ${name}\\b|^  ${name}: `).test(from));
  const indent = lines[start]?.from.search(/\S/) ?? 0;
  const length = lines.slice(start + 1).findIndex(({ from }) => from.search(/\S/) === indent && /^\s*\w/.test(from));
  const block = start < 0 ? [] : lines.slice(start, length < 0 ? undefined : start + 1 + length);
  const edits = block.flatMap((line) => {
    const to = renameIn(line.to[0] ?? '', path.at(-1) ?? '', theirs);
    return to === undefined ? [] : [{ line, to }];
  });
  const [only, ...others] = edits;
  if (only && others.length === 0) only.line.to[0] = only.to;
};

const insertAfter = (files: EditedFile[], start: string, text: string): void => {
  const line = files.flatMap(({ lines }) => lines).find(({ from }) => from.startsWith(start));
  line?.to.push(text);
};

const applyNames = (files: EditedFile[], renames: readonly Rename[], hasDeclaredNames: boolean): void => {
  const respelled = renames.filter((each) => keyOf(each).includes('_'));
  const isCamelCase = respelled.every((each) => toCamelCase(keyOf(each)) === each.theirs);
  if (!hasDeclaredNames && respelled.length > 1 && isCamelCase) {
    const text = 'wire.mapNames((name) => name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase()));';
    insertAfter(files, 'export type Scope =', text);
    for (const rename of renames.filter((each) => !respelled.includes(each))) applyRename(files, rename);
    return;
  }
  for (const rename of renames) applyRename(files, rename);
};

/** Maps all words of a list when all that were seen are in capitals, and else those that were seen. */
const applyWords = (files: EditedFile[], name: string, seen: readonly Respelled[]): void => {
  const isKnown = files.some(({ lines }) => lines.some(({ from }) => from.includes(`mapValues(vocabulary.${name},`)));
  const [, words = []] = Object.entries(vocabulary).find(([key]) => key === name) ?? [];
  const areCapitals = seen.every(({ ours, theirs }) => ours.toUpperCase() === theirs);
  const pairs = areCapitals
    ? words.map((ours) => [ours, ours.toUpperCase()])
    : seen.map(({ ours, theirs }) => [ours, theirs]);
  const entries = [...new Map(pairs.map(([ours = '', theirs = '']) => [ours, theirs]))];
  const text = entries
    .map(([ours, theirs]) => `${/^\w+$/.test(ours) ? ours : literal(ours)}: ${literal(theirs)}`)
    .join(', ');
  if (!isKnown) insertAfter(files, 'export type Plan =', `wire.mapValues(vocabulary.${name}, { ${text} });`);
};

/** Returns what a service calls something, each once, as far as it's a name. */
const distinct = <T extends { theirs: string }>(all: readonly T[]): T[] => {
  const names = all.filter(({ theirs }) => /^[\w.-]{1,60}$/.test(theirs));
  return [...new Map(names.map((each) => [JSON.stringify(each), each])).values()];
};

/** Whether another response has the field under the name of the contract, or under a third name. */
const isContradicted = (rename: Rename, all: readonly Rename[], asDeclared: ReadonlySet<string>): boolean => {
  const key = keyOfField(rename.declaration);
  return (
    asDeclared.has(key) || all.some((each) => each.theirs !== rename.theirs && keyOfField(each.declaration) === key)
  );
};

/** Reads the files of the contract below `root`. */
export const readContract = (root: string): EditedFile[] =>
  ['resources', 'endpoints', 'events', 'errors', 'service'].map((name) => {
    const file = `src/api/${name}.ts`;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return { file, lines: lines.map((from) => ({ from, to: [from] })) };
  });

/** Leaves the files that an edit changes. */
export const changedFiles = (files: readonly EditedFile[]): EditedFile[] =>
  files.filter(({ lines }) => lines.some(({ from, to }) => to.length > 1 || to[0] !== from));

/** Returns the files of `src/api` below `root` with the names and words of a service, as far as they are certain. */
export const editContract = (
  root: string,
  responses: readonly ServiceResponse[],
  received: readonly Received[],
): EditedFile[] => {
  const files = readContract(root);
  const found = comparePayloads(received.map(readPayload));
  for (const each of responses) compareResponse(each, found);
  const seen = distinct(found.renames);
  const renames = seen.filter((rename) => !isContradicted(rename, seen, found.asDeclared));
  applyNames(files, renames, found.hasDeclaredNames);
  const words = Map.groupBy(distinct(found.respelled), ({ vocabulary }) => vocabulary);
  for (const [name, respelled] of words) applyWords(files, name, respelled);
  return changedFiles(files);
};

/** Formats the edits as a diff without context, which `patch -p0` applies. */
export const formatEdits = (files: readonly EditedFile[]): string =>
  files
    .flatMap(({ file, lines }) => {
      let added = 0;
      const hunks = lines.flatMap(({ from, to }, index) => {
        if (to.length === 1 && to[0] === from) return [];
        const count = to.length === 1 ? '' : `,${to.length}`;
        const head = `@@ -${index + 1} +${index + 1 + added}${count} @@`;
        added += to.length - 1;
        return [head, `-${from}`, ...to.map((line) => `+${line}`)];
      });
      return [`--- ${file}`, `+++ ${file}`, ...hunks];
    })
    .join('\n');

/** Writes the edits into the files below `root`. */
export const applyEdits = (root: string, files: readonly EditedFile[]): void => {
  for (const { file, lines } of files) writeFileSync(join(root, file), lines.flatMap(({ to }) => to).join('\n'));
};

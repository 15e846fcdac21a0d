/** Reads the Markdown documents of the project: their headings, links and commands. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import markdownIt from 'markdown-it';
import { project } from '../../lab/cli/environment';

const markdown = markdownIt({ html: true });
type Token = ReturnType<typeof markdown.parse>[number];

/** The program and its arguments, without variables in front, such as `['npm', 'run', 'docs']`. */
export type Command = [program: string, ...args: string[]];

export interface Document {
  /** The path from the project's folder. */
  path: string;
  /** The anchors of its headings, as GitHub writes them. */
  anchors: string[];
  /** The targets of its links and pictures. */
  links: string[];
  /** The paths in the project that it shows as code. */
  paths: string[];
  commands: Command[];
  /** Its paragraphs, headings and cells, without what is quoted as code. */
  prose: string[];
  /** Its blocks of code. */
  blocks: CodeBlock[];
  /** The names that it says are in a file or folder, such as `signature` in `src/api/service.ts`. */
  places: [name: string, path: string][];
}

/** A block of code, as people read it. */
interface CodeBlock {
  /** What follows the fence. */
  info: string;
  content: string;
}

const textOf = (token: Token): string => (token.children ?? []).map(({ content }) => content).join('');

/** Returns the anchor of a heading, as GitHub writes it. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Numbers the second and later headings with the same text, as GitHub does. */
const anchorsOf = (tokens: Token[]): string[] => {
  const anchors = tokens.flatMap((token, index) =>
    tokens[index - 1]?.type === 'heading_open' ? toAnchor(textOf(token)) : [],
  );
  return anchors.map((anchor, index) => {
    const earlier = anchors.slice(0, index).filter((other) => other === anchor).length;
    return earlier ? `${anchor}-${earlier}` : anchor;
  });
};

const word = /(?:[^\s'"\\&|;#]|'[^']*'|"[^"]*")(?:[^\s'"\\&|;]|'[^']*'|"[^"]*")*/y;
const gap = /(?:[ \t]|\\\n|#.*)+/y;
const end = /&&|[|;]|\n/y;

/** Splits shell text into commands. Knows quotes, comments, `&&`, `;`, `|` and continued lines, and nothing else. */
const parseShell = (text: string): Command[] => {
  const commands: string[][] = [[]];
  let index = 0;
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = index;
    const [found] = pattern.exec(text) ?? [];
    index += found?.length ?? 0;
    return found;
  };
  while (index < text.length) {
    const found = read(word);
    if (found) commands.at(-1)?.push(found.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    else if (read(end)) commands.push([]);
    else if (!read(gap)) throw new Error(`Can't read the command at: ${text.slice(index)}`);
  }
  return commands.flatMap((words): Command[] => {
    const [program, ...args] = words.slice(words.findIndex((part) => !/^\w+=/.test(part)));
    return program ? [[program, ...args]] : [];
  });
};

/** Lists the targets of pictures in HTML, which Markdown has no other way to write. */
const linksInHtml = ({ type, content }: Token): string[] =>
  type.startsWith('html_')
    ? [...content.matchAll(/ (?:src|srcset|href)="([^"]+)"/g)].flatMap(([, link]) => link ?? [])
    : [];

const startsCommand = /^(?:\w+=\S+ )*(?:npm|npx|git|curl) /;
const isPath = /^(?:\.ci|\.github|creates|docs|lab|scripts|searches|src|test|triggers)\/[\w./-]+$/;

/** Lists what a paragraph says is in a file or folder: one name, or several before the same path. */
const placesIn = ({ children }: Token): Document['places'] =>
  (children ?? []).flatMap((token, at, all): Document['places'] => {
    if (token.type !== 'code_inline' || !isPath.test(token.content)) return [];
    const names: string[] = [];
    for (let before = at - 1; all[before - 1]?.type === 'code_inline'; before -= 2) {
      const joint = names.length === 0 ? /^ (where it happens )?in $/ : /^(,| and|, and) $/;
      if (!joint.test(all[before]?.content ?? '')) break;
      names.push(all[before - 1]?.content ?? '');
    }
    return names.map((name) => [name, token.content]);
  });

const proseOf = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) =>
      type === 'text' ? content : type === 'code_inline' ? 'x' : type.endsWith('break') ? ' ' : '',
    )
    .join('');

const blocksIn = (tokens: Token[]): CodeBlock[] =>
  tokens.filter(({ type }) => type === 'fence').map(({ info, content }) => ({ info, content }));

/** Lists the blocks of code in Markdown. */
export const blocksOf = (text: string): CodeBlock[] => blocksIn(markdown.parse(text, {}));

const readDocument = (path: string): Document => {
  const parsed = markdown.parse(readFileSync(join(project, path), 'utf8'), {});
  const tokens = parsed.flatMap((token) => [token, ...(token.children ?? [])]);
  const codes = tokens.filter(({ type }) => type === 'code_inline').map(({ content }) => content);
  const shell = tokens.filter(({ type, info }) => type === 'fence' && info === 'sh').map(({ content }) => content);
  return {
    path,
    anchors: anchorsOf(parsed),
    links: tokens.flatMap((token) => [
      ...[String(token.attrGet('href') ?? token.attrGet('src') ?? '')].filter(Boolean),
      ...linksInHtml(token),
    ]),
    paths: codes.filter((code) => isPath.test(code)),
    commands: [...shell, ...codes.filter((code) => startsCommand.test(code))].flatMap(parseShell),
    prose: parsed.filter(({ type }) => type === 'inline').map(proseOf),
    blocks: blocksIn(parsed),
    places: parsed.flatMap(placesIn),
  };
};

/** Every document of the project. */
export const documents: Document[] = globSync(['*.md', 'scripts/*.md', '{.github,docs,lab,src,test}/**/*.md'], {
  cwd: project,
})
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map(readDocument);

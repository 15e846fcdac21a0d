/** What people read that is only in the code: errors of steps, the page of the playground, and the commands. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import * as z from 'zod/mini';
import { project } from '../../lab/cli/environment';
import type { Text } from './app-texts';

const literal = z.object({ type: z.literal('StringLiteral'), value: z.string() });
const template = z.object({
  type: z.literal('TemplateLiteral'),
  quasis: z.array(z.object({ cooked: z.nullish(z.string()) })),
});
const jsxText = z.object({ type: z.literal('JSXText'), value: z.string() });
const container = z.object({ type: z.literal('JSXExpressionContainer'), expression: z.unknown() });
const element = z.object({ type: z.enum(['JSXElement', 'JSXFragment']), children: z.array(z.unknown()) });

/** The text of a literal, with … for what the code fills in. */
const readLiteral = (node: unknown): string | undefined => {
  const { data } = z.union([literal, template]).safeParse(node);
  if (!data) return undefined;
  return data.type === 'StringLiteral' ? data.value : data.quasis.map(({ cooked }) => cooked ?? '').join('…');
};

const shownBy = (child: unknown): string => {
  const text = jsxText.safeParse(child).data;
  if (text) return text.value;
  const inner = element.safeParse(child).data;
  if (inner) return inner.children.map(shownBy).join('');
  const filledIn = container.safeParse(child).data;
  return filledIn ? (readLiteral(filledIn.expression) ?? '…') : '';
};

const hasOwnText = (children: readonly unknown[]): boolean =>
  children.some((child) => /\p{L}/u.test(jsxText.safeParse(child).data?.value ?? ''));

const attribute = z.object({
  type: z.literal('JSXAttribute'),
  name: z.object({ value: z.optional(z.string()) }),
  value: z.unknown(),
});

/** The attributes that people read or hear. Others are for the browser, such as the names of classes. */
const readAttributes = ['alt', 'aria-label', 'aria-description', 'label', 'placeholder', 'title'];

/** A text of the code, and whether people read it for sure. */
interface Found {
  text: string;
  isShown: boolean;
}

/** The kinds of nodes that can have a text. Most nodes are of another kind, and parsing each one would take a minute. */
const kindsWithText: unknown[] = ['JSXAttribute', 'StringLiteral', 'TemplateLiteral', 'JSXElement', 'JSXFragment'];

/** The texts of a node itself, without those of the nodes inside. */
const ownTexts = (node: object): Found[] => {
  const text = readLiteral(node);
  const { data } = element.safeParse(node);
  return [
    ...(text === undefined ? [] : [{ text, isShown: false }]),
    ...(data && hasOwnText(data.children) ? [{ text: data.children.map(shownBy).join(''), isShown: true }] : []),
  ];
};

/** Adds the literals and elements of a syntax tree. What an element with a text shows is one text. */
const addTexts = (node: unknown, found: Found[]): void => {
  if (typeof node !== 'object' || node === null) return;
  const hasText = 'type' in node && kindsWithText.includes(node.type);
  const given = hasText && attribute.safeParse(node).data;
  if (given) {
    if (readAttributes.includes(given.name.value ?? ''))
      found.push(...textsIn(given.value).map(({ text }) => ({ text, isShown: true })));
    return;
  }
  if (hasText) found.push(...ownTexts(node));
  for (const inner of Object.values(node)) addTexts(inner, found);
};

const textsIn = (node: unknown): Found[] => {
  const found: Found[] = [];
  addTexts(node, found);
  return found;
};

/** A sign of code, such as a type, a selector or a query. */
const isCode =
  /=>|<\/|\w\(\)|^\S+ \S+:$|[\w-]: ?[\w-]+;|\b(?:FROM|WHERE|PRAGMA|INTO)\b|[:.#]\S+ |, \w+:|[a-z][A-Z]|[[\]=|\\]|\w_\w/;

/** A word that a sentence or a part of one has, and a list of names doesn't. */
const functionWord =
  /\b(?:a|an|the|is|isn't|are|aren't|was|wasn't|were|be|has|have|it|its|to|of|for|in|on|by|with|without|and|or|no|not|this|that|than|more|any|already|again)\b/;

/** Whether a literal is for people, and not for the code: it begins like a sentence, ends like one, or has several words. */
const isProse = (text: string): boolean => {
  if (!/\s/.test(text.trim()) || !/\p{L}{2}/u.test(text)) return false;
  if (/^[\p{Lu}…"“*(]/u.test(text) && !/[{};<>]|=>|^\S+ \S+:$|\b(?:FROM|WHERE|PRAGMA|INTO)\b/.test(text)) return true;
  if (/\p{Ll} [^.]*\p{Ll}[.!?]$/u.test(text)) return true;
  return /^\p{Ll}/u.test(text) && functionWord.test(text) && !isCode.test(text);
};

const folders = {
  error: '{src,triggers,creates,searches}/**/*.ts',
  page: 'lab/{playground,zapier}/**/*.{ts,tsx}',
  recipe: 'lab/recipes/*.ts',
  command: '{scripts,lab/cli,lab/sandbox,lab/conformance}/**/*.ts',
};

/** Files whose sentences are examples of the service's data and names that people may enter. No step shows them. */
const examples = ['src/api/resources.ts', 'src/api/events.ts', 'src/message/country.ts'];

/** Lists the texts of the code, by file. */
export const listSourceTexts = (): Text[] =>
  Object.entries(folders).flatMap(([what, pattern]) =>
    globSync(pattern, { cwd: project })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !examples.includes(path) && !path.split('/').includes('test'))
      .sort()
      .flatMap((path) => {
        const code = readFileSync(join(project, path), 'utf8');
        const tree = parseSync(code, { syntax: 'typescript', tsx: path.endsWith('.tsx') });
        const texts = textsIn(tree).flatMap(({ text, isShown }) => {
          const line = text.replaceAll(/\s+/g, ' ').trim();
          return (isShown ? /\p{L}/u.test(line) : isProse(line)) ? line : [];
        });
        return [...new Set(texts)].map((text) => ({ place: path, what, text }));
      }),
  );

/** What people read that is only in the code: errors of steps, the page of the playground, and the commands. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
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

/** What a child of an element shows. */
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

/** Lists the literals and elements of a syntax tree. What an element with a text shows is one text. */
function* textsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const text = readLiteral(node);
  if (text !== undefined) yield text;
  const { data } = element.safeParse(node);
  if (data && hasOwnText(data.children)) yield data.children.map(shownBy).join('');
  for (const inner of Object.values(node)) yield* textsIn(inner);
}

/** Whether people read a text, and not the code: it has a capital, words, and no sign of code. */
const isProse = (text: string): boolean =>
  /^[\p{Lu}…"“*].*\p{L}/u.test(text) &&
  /\s/.test(text) &&
  !/[{};<>]|=>|^\S+ \S+:$|\b(FROM|WHERE|PRAGMA|INTO)\b/.test(text);

const folders = {
  error: '{src,triggers,creates,searches}/**/*.ts',
  page: '{playground,zapier}/**/*.{ts,tsx}',
  recipe: 'recipes/**/*.ts',
  command: '{cli,scripts,sandbox,conformance}/**/*.ts',
};

/** Lists the texts of the code, by file. */
export const listSourceTexts = (): Text[] =>
  Object.entries(folders).flatMap(([what, pattern]) =>
    globSync(pattern, { cwd: project })
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
      .flatMap((path) => {
        const code = readFileSync(join(project, path), 'utf8');
        const tree = parseSync(code, { syntax: 'typescript', tsx: path.endsWith('.tsx') });
        const texts = [...textsIn(tree)].map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(isProse);
        return [...new Set(texts)].map((text) => ({ place: path, what, text }));
      }),
  );

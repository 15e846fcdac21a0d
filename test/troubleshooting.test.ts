import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import * as z from 'zod/mini';

import { project } from '../cli/environment';

import { refusalMessages, renderTroubleshooting } from '../scripts/docs/troubleshooting';

const page = 'scripts/docs/pages/troubleshooting.md';

const rendered = renderTroubleshooting();

/** The sections of the page that explain messages. The others are about symptoms without a message. */
const sections = rendered
  .split(/^(?=##+ )/m)
  .map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const messages = lines.flatMap((line) => /^> (.+)/.exec(line)?.[1] ?? []);
    const has = (start: string) => lines.some((line) => line.startsWith(start) && line.length > start.length + 10);
    return { title: heading.replace(/^#+ /, ''), messages, isWhole: has('**Why:** ') && has('**What to do:** ') };
  })
  .filter(({ messages }) => messages.length > 0);
const messages = sections.flatMap((section) => section.messages);

/** The messages of steps that aren't for developers. */
const forEveryone = rendered
  .replace(/^## Call the API\n.*?(?=^## )/ms, '')
  .split('\n')
  .flatMap((line) => /^> (.+)/.exec(line)?.[1] ?? []);

/** A sentence that tells the reader to do something, or what Zapier does without them. */
const nextStep =
  /(?:^|[.:,] (?:or |then )?|\b(?:so you can|but you can|and|so) )(?:add|answer|check|choose|clear|contact|copy|correct|create|do|enter|fill|keep|leave|load|look|map|number|open|reconnect|remove|read|replay|run|shorten|start|turn|try again|upgrade|use|wait|write)\b|\bZapier retries\b|\b(?:They must|must start with)\b/i;

const forCodes = refusalMessages().flatMap(([, each]) => each);

const text = z.union([
  z.object({ type: z.literal('StringLiteral'), value: z.string() }),
  z.object({ type: z.literal('TemplateLiteral'), quasis: z.array(z.object({ cooked: z.string() })) }),
]);

/** A call of a function that makes an error for the user, with the message as its first argument. */
const errorCall = z.object({
  type: z.literal('CallExpression'),
  callee: z.object({
    type: z.literal('Identifier'),
    value: z.enum(['halt', 'fail', 'reconnect', 'refuse', 'failedCall']),
  }),
  arguments: z.tuple([z.object({ expression: text })], z.unknown()),
});

const needed = ['CallExpression', 'StringLiteral', 'TemplateLiteral'];

/** Lists the calls and texts in a syntax tree. */
function* nodesIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && needed.includes(String(value.type))) yield value;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}

const escapePattern = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the fixed parts of the message: other text takes the place of each `${…}`. */
const partsOf = (expression: z.output<typeof text>): string[] =>
  expression.type === 'StringLiteral' ? [expression.value] : expression.quasis.map(({ cooked }) => cooked);

const nodesOf = (file: string): object[] => [
  ...nodesIn(parseSync(readFileSync(join(project, file), 'utf8'), { syntax: 'typescript' })),
];

const sourceNodes = ['src', 'triggers', 'creates', 'searches'].flatMap((folder) =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => nodesOf(join(folder, file))),
);

const raised = sourceNodes.flatMap((node) => {
  const { data } = errorCall.safeParse(node);
  if (!data) return [];
  const parts = partsOf(data.arguments[0].expression);
  const pattern = new RegExp(parts.map(escapePattern).join('.*'));
  return { text: parts.join('…'), pattern, fixedLength: parts.join('').length };
});

/** Parts of messages that take the place of a `${…}`, such as "Nothing was sent or changed, so you can try again later." */
const phrases = sourceNodes.flatMap((node) => {
  const { data } = text.safeParse(node);
  return data?.type === 'StringLiteral' && data.value.length > 20 ? data.value : [];
});

const isRaised = (message: string): boolean =>
  raised.some(({ pattern, fixedLength }) => fixedLength > 25 && pattern.test(message)) ||
  phrases.some((phrase) => message.includes(phrase));

/** Messages about fields of the connection, which an account has only after an adaptation. Its page shows them. */
const afterAdapting = readFileSync(join(project, 'docs/adapting.md'), 'utf8').match(/^> The Project ID .+$/gm) ?? [];

test('the page explains every message that the app raises', () => {
  expect(raised.length).toBeGreaterThan(40);
  const explained = [...messages, ...afterAdapting];
  const unexplained = raised.filter(({ pattern }) => !explained.some((message) => pattern.test(message)));
  expect(unexplained.map(({ text }) => `Explain this message in ${page}: ${text}`)).toEqual([]);
});

test('the page has every advice after a call that failed', () => {
  const advice = nodesOf('src/http/failure.ts').flatMap((node) => {
    const { data } = text.safeParse(node);
    return data?.type === 'StringLiteral' && data.value.endsWith('.') ? data.value : [];
  });
  expect(advice.length).toBeGreaterThan(5);
  const missing = advice.filter((sentence) => !messages.some((message) => message.includes(sentence)));
  expect(missing.map((sentence) => `Add a message with this advice to ${page}: ${sentence}`)).toEqual([]);
});

test('the page has a message for every error code of the API', () => {
  const missing = refusalMessages().filter(([, each]) => !each.every((message) => messages.includes(message)));
  expect(missing.map(([code]) => `Explain {{messages ${code}}} in ${page}.`)).toEqual([]);
});

test('the page has no message that nothing raises', () => {
  const unknown = messages.filter(
    (message) => !forCodes.includes(message) && !/\(status \d+\)/.test(message) && !isRaised(message),
  );
  expect(unknown.map((message) => `Nothing raises this message, so remove it from ${page}: ${message}`)).toEqual([]);
});

test('no message has a word that only developers know', () => {
  expect(forEveryone.length).toBeGreaterThan(120);
  const words =
    /\b(?:payload|json|webhook|subscri\w+|signing|secret|redirect|endpoint|callback|timestamp|schema|null|array|string|parameter|argument|by position)s?\b/i;
  expect(forEveryone.filter((message) => words.test(message.replaceAll(/"[^"]*"/g, '')))).toEqual([]);
});

test('every message says what to do next', () => {
  expect('Your parcel was lost.').not.toMatch(nextStep);
  expect(messages.filter((message) => !nextStep.test(message))).toEqual([]);
});

test('every section about a message says why it appears and what to do', () => {
  const halves = sections.filter(({ isWhole }) => !isWhole);
  expect(halves.map(({ title }) => `"${title}" in ${page} needs a line **Why:** and a line **What to do:**.`)).toEqual(
    [],
  );
});

test('the list at the top links to every chapter', () => {
  const chapters = rendered.match(/^## .+/gm) ?? [];
  expect(chapters.length).toBeGreaterThan(5);
  const missing = chapters.filter((chapter) => !rendered.includes(`\n- [${chapter.slice(3)}](#`));
  expect(missing.map((chapter) => `Link to "${chapter}" at the top of ${page}.`)).toEqual([]);
});

test('no message is longer than Zapier shows, and no two problems have one heading', () => {
  expect(messages.filter((message) => message.length > 250)).toEqual([]);
  expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
});

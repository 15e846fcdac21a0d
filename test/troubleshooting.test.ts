import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';
import * as z from 'zod/mini';
import { errorGuide, refusalMessages } from '../scripts/docs/error-guide';
import { type ErrorCode, errorCodes } from '../src/api/errors';

const project = resolve(__dirname, '..');
const problems = Object.values(errorGuide).flat();
const messages = problems.flatMap((problem) => problem.messages);

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);
const forCodes = Object.keys(errorCodes).filter(isErrorCode).flatMap(refusalMessages);

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
  return { pattern: new RegExp(parts.map(escapePattern).join('.*')), fixedLength: parts.join('').length };
});

/** Parts of messages that take the place of a `${…}`, such as "Nothing was sent or changed. Try again later." */
const phrases = sourceNodes.flatMap((node) => {
  const { data } = text.safeParse(node);
  return data?.type === 'StringLiteral' && data.value.length > 20 ? data.value : [];
});

const isRaised = (message: string): boolean =>
  raised.some(({ pattern, fixedLength }) => fixedLength > 25 && pattern.test(message)) ||
  phrases.some((phrase) => message.includes(phrase));

test('the guide has every message that the app raises (edit scripts/docs/error-guide.ts)', () => {
  expect(raised.length).toBeGreaterThan(40);
  expect(raised.filter(({ pattern }) => !messages.some((message) => pattern.test(message)))).toEqual([]);
});

test('the guide has every advice after a call that failed', () => {
  const advice = nodesOf('src/http/failure.ts').flatMap((node) => {
    const { data } = text.safeParse(node);
    return data?.type === 'StringLiteral' && data.value.endsWith('.') ? data.value : [];
  });
  expect(advice.length).toBeGreaterThan(5);
  expect(advice.filter((sentence) => !messages.some((message) => message.includes(sentence)))).toEqual([]);
});

test('the guide has a message for every error code of the API', () => {
  expect(messages).toEqual(expect.arrayContaining(forCodes));
});

test('the guide has no message that nothing raises', () => {
  const unknown = messages.filter(
    (message) => !forCodes.includes(message) && !/\(status \d+\)/.test(message) && !isRaised(message),
  );
  expect(unknown).toEqual([]);
});

test('no message is longer than Zapier shows, and no two problems have one heading', () => {
  expect(messages.filter((message) => message.length > 250)).toEqual([]);
  expect(new Set(problems.map(({ title }) => title)).size).toBe(problems.length);
});

import * as z from 'zod/mini';
import { platform } from '../platform';
import { resolveToText } from './mapping';

/** The conditions of a rule, in Zapier's words. */
export const conditions = [
  '(Text) Exactly matches',
  '(Text) Does not exactly match',
  '(Text) Contains',
  '(Text) Does not contain',
  'Exists',
  'Does not exist',
  '(Boolean) Is true',
  '(Boolean) Is false',
  '(Number) Greater than',
  '(Number) Less than',
] as const;
export const condition = z.enum(conditions);
export type Condition = z.output<typeof condition>;

/** A rule of a filter or a path. Its value and its text may hold `{{1.path}}`. */
export const rule = z.object({ value: z.string(), condition, text: z.string() });
export type Rule = z.output<typeof rule>;

/** A rule that nobody filled in. */
export const emptyRule: Rule = { value: '', condition: '(Text) Exactly matches', text: '' };

/** Whether a condition compares the value with a text. */
export const takesText = (by: Condition): boolean => !/^(Exists|Does not exist|\(Boolean\).*)$/.test(by);

/** Whether a condition compares two numbers. */
export const comparesNumbers = (by: Condition): boolean => by.startsWith('(Number)');

const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const tests: Record<Condition, (found: string, text: string) => boolean> = {
  '(Text) Exactly matches': (found, text) => found === text,
  '(Text) Does not exactly match': (found, text) => found !== text,
  '(Text) Contains': (found, text) => found.includes(text),
  '(Text) Does not contain': (found, text) => !found.includes(text),
  Exists: (found) => found.trim() !== '',
  'Does not exist': (found) => found.trim() === '',
  '(Boolean) Is true': (found) => found.toLowerCase() === 'true',
  '(Boolean) Is false': (found) => found.toLowerCase() === 'false',
  '(Number) Greater than': (found, text) => toNumber(found) > toNumber(text),
  '(Number) Less than': (found, text) => toNumber(found) < toNumber(text),
};

/** What a condition compares of a text. */
const comparable = (by: Condition, text: string): string =>
  platform.ignoreCase.is.some((each) => each === by) ? text.toLowerCase() : text;

/** A rule with the data of a run. */
export interface CheckedRule {
  passes: boolean;
  /** What was compared, such as `"failed" (Text) Exactly matches "failed"`. */
  compared: string;
}

const maxShown = 120;

const quote = (text: string): string => `"${text.slice(0, maxShown)}"`;

/**
 * Compares each rule with what the steps before gave. A step continues when all of them pass. A rule whose text is empty in
 * this run doesn't pass, because every text contains an empty one.
 */
export const checkRules = (rules: readonly Rule[], outputs: readonly unknown[]): CheckedRule[] =>
  rules.map(({ condition: by, ...each }) => {
    const [found, text] = [resolveToText(each.value, outputs), resolveToText(each.text, outputs)];
    const compared = [quote(found), by, ...(takesText(by) ? [quote(text)] : [])].join(' ');
    const isComparable = !takesText(by) || text.trim() !== '';
    const passes = isComparable && tests[by](comparable(by, found), comparable(by, text));
    return { passes, compared };
  });

/** What was compared, and whether it doesn't match. */
export const describeRule = ({ compared, passes }: CheckedRule): string =>
  passes ? compared : `${compared}, which doesn't match`;

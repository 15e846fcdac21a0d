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
  /** How the data compares with the rule, such as `"no" isn't "yes"`. */
  compared: string;
}

const maxShown = 120;

/** What a condition says between its texts: when it's so, and when it isn't. */
export const conditionWords: Record<Condition, readonly [is: string, isNot: string]> = {
  '(Text) Exactly matches': ['is', "isn't"],
  '(Text) Does not exactly match': ["isn't", 'is'],
  '(Text) Contains': ['contains', "doesn't contain"],
  '(Text) Does not contain': ["doesn't contain", 'contains'],
  Exists: ['has a value', 'has no value'],
  'Does not exist': ['has no value', 'has a value'],
  '(Boolean) Is true': ['is true', "isn't true"],
  '(Boolean) Is false': ['is false', "isn't false"],
  '(Number) Greater than': ['is greater than', "isn't greater than"],
  '(Number) Less than': ['is less than', "isn't less than"],
};

const quote = (text: string): string => `"${text.slice(0, maxShown)}"`;

/**
 * Compares each rule with what the steps before gave. A step continues when all of them pass. A rule whose text is empty in
 * this run doesn't pass, because every text contains an empty one.
 */
export const checkRules = (rules: readonly Rule[], outputs: readonly unknown[]): CheckedRule[] =>
  rules.map(({ condition: by, ...each }) => {
    const [found, text] = [resolveToText(each.value, outputs), resolveToText(each.text, outputs)];
    const isComparable = !takesText(by) || text.trim() !== '';
    const passes = isComparable && tests[by](comparable(by, found), comparable(by, text));
    const [is, isNot] = isComparable ? conditionWords[by] : ['', 'has no text to compare with'];
    const compared = [quote(found), passes ? is : isNot, ...(takesText(by) && isComparable ? [quote(text)] : [])];
    return { passes, compared: compared.join(' ') };
  });

import * as z from 'zod/mini';
import type { Outcome } from '../core/result';
import { isMapped } from '../fields/mapping';
import type { MappedValue } from '../fields/references';
import { checkRules, comparesNumbers, condition, emptyRule, type Rule, rule, takesText } from '../fields/rules';
import type { Entered, Problems } from '../fields/values';
import type { StepContext } from './app-runner';

/** The settings of a step that decides by rules whether a run continues. */
const ruled = z.object({ rules: z.array(rule) });
type Ruled = z.output<typeof ruled>;

/** What a form shows of a rule, such as `value-0` of the first. */
const enteredInRule = (each: Rule, at: number): [string, string][] =>
  Object.entries(each).map(([key, text]) => [`${key}-${at}`, text]);

/** The rules of which a form shows this. */
const rulesFrom = (entered: Entered): Rule[] => {
  const rules: Rule[] = [];
  for (let at = 0; entered[`condition-${at}`] !== undefined; at += 1) {
    const of = (key: keyof Rule) => String(entered[`${key}-${at}`] ?? '');
    const by = condition.safeParse(of('condition')).data ?? emptyRule.condition;
    rules.push({ value: of('value'), condition: by, text: of('text') });
  }
  return rules;
};

const mappedIn = ({ value, text }: Rule, at: number): MappedValue[] => [
  { key: `value-${at}`, name: `Rule ${at + 1}`, value },
  { key: `text-${at}`, name: `Rule ${at + 1}`, value: text },
];

const findTextProblem = ({ condition: by, text }: Rule, at: number): string | undefined => {
  if (!takesText(by)) return undefined;
  if (text.trim() === '') return `Rule ${at + 1} has no text to compare with. Enter the text and try again.`;
  if (!comparesNumbers(by) || isMapped(text) || Number.isFinite(Number(text))) return undefined;
  return `Rule ${at + 1} takes a number, not "${text.slice(0, 40)}".`;
};

const findUnfilled = (rules: readonly Rule[]): Problems => {
  const problems: Problems = {};
  for (const [at, each] of rules.entries()) {
    if (each.value.trim() === '')
      problems[`value-${at}`] = `Rule ${at + 1} has no data to check. Choose the data and try again.`;
    const problem = findTextProblem(each, at);
    if (problem) problems[`text-${at}`] = problem;
  }
  return problems;
};

/** What the kinds of steps that decide by rules have in common. */
export const byRules = {
  schema: ruled,
  empty: { rules: [emptyRule] },
  entered: ({ rules }: Ruled): Entered => Object.fromEntries(rules.flatMap(enteredInRule)),
  enter: <S extends Ruled>(step: S, entered: Entered): S => ({
    ...step,
    rules: rulesFrom({ ...byRules.entered(step), ...entered }),
  }),
  mapped: ({ rules }: Ruled): MappedValue[] => rules.flatMap(mappedIn),
  remap: <S extends Ruled>(step: S, change: (text: string) => string): S => ({
    ...step,
    rules: step.rules.map((each) => ({ ...each, value: change(each.value), text: change(each.text) })),
  }),
  unfilled: ({ rules }: Ruled): Problems => findUnfilled(rules),
  /** Compares each rule. The run continues after the step when all of them match. */
  run: ({ rules }: Ruled, { outputs }: StepContext): Outcome => {
    const checked = checkRules(rules, outputs);
    const input = Object.fromEntries(checked.map(({ compared }, at) => [`Rule ${at + 1}`, compared]));
    return { status: checked.every(({ passes }) => passes) ? 'success' : 'filtered', input };
  },
  guide: ({ rules }: Ruled, show: (text: string) => string): [label: string, text: string][] =>
    rules.map(({ value, condition: by, text }, at) => [
      at === 0 ? 'Rule' : 'And',
      [show(value), by, ...(takesText(by) ? [show(text)] : [])].join(' '),
    ]),
};

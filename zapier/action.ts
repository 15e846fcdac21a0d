import { failsRun } from './failure';
import { readRecord } from './json-record';
import { resolveText } from './mapping';
import { findBrokenStep } from './problems';
import { checkRules, describeRule } from './rules';
import type { StepResult } from './run';
import type { StepContext, StepRunner } from './step';
import { hasRules, type OtherStep, type RulesStep, type Step } from './zap';

/** Compares each rule. The run continues after the step when all of them match. */
const runRules = (title: string, { rules }: RulesStep, { outputs }: StepContext): StepResult => {
  const checked = checkRules(rules, outputs);
  const input = Object.fromEntries(checked.map((rule, at) => [`Rule ${at + 1}`, describeRule(rule)]));
  return { title, status: checked.every(({ passes }) => passes) ? 'success' : 'filtered', input, requests: [] };
};

/** What the action of another app receives, by label. */
const inputOf = ({ fields }: OtherStep, outputs: readonly unknown[]): Record<string, string> => {
  const resolve = (value: string | string[]) => [value].flat().map((text) => resolveText(text, outputs));
  return Object.fromEntries(Object.entries(fields).map(([label, value]) => [label, resolve(value).join(', ')]));
};

/** Gives the example, or fails: without it, later steps would send messages with empty variables. */
const runOther = (title: string, step: OtherStep, { outputs }: StepContext): StepResult => {
  const { record, problem } = readRecord(step.json);
  const common = { title, input: inputOf(step, outputs), output: record, requests: [] };
  if (!problem) return { ...common, status: 'success' };
  return { ...common, status: 'error', failure: { message: problem, effect: failsRun } };
};

/** The result of a step that maps data that no step before gives, or undefined. It must not run. */
const refuseBroken = (title: string, step: Step, { outputs }: StepContext): StepResult | undefined => {
  const message = findBrokenStep(step, outputs.length);
  const failure = message && { message, effect: failsRun };
  return failure ? { title, status: 'error', input: {}, requests: [], failure } : undefined;
};

/** Runs a step after the trigger. Never rejects. */
export const runAction = async (
  runner: StepRunner,
  title: string,
  step: Step,
  context: StepContext,
): Promise<StepResult> => {
  if (step.type === 'delay') return { title, status: 'delayed', input: {}, requests: [] };
  const broken = refuseBroken(title, step, context);
  if (broken) return broken;
  if (hasRules(step)) return runRules(title, step, context);
  if (step.type === 'other') return runOther(title, step, context);
  return (await runner.run(step, 'perform', context)).result;
};

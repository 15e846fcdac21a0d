import { readRecord } from './json-record';
import { resolveText } from './mapping';
import { findBrokenStep } from './problems';
import type { StepResult } from './run';
import type { StepContext, StepRunner } from './step';
import type { Condition, OtherStep, Step } from './zap';

const passes = ({ value, is, isNot }: Condition, outputs: readonly unknown[]): boolean => {
  const found = String(resolveText(value, outputs));
  return is === undefined ? found !== isNot : found === is;
};

/** What the action of another app receives, by label. */
const inputOf = ({ fields }: OtherStep, outputs: readonly unknown[]): Record<string, string> => {
  const resolve = (value: string | string[]) => [value].flat().map((text) => resolveText(text, outputs));
  return Object.fromEntries(Object.entries(fields).map(([label, value]) => [label, resolve(value).join(', ')]));
};

/** Gives the example, or fails: without it, later steps would send messages with gaps. */
const runOther = (title: string, step: OtherStep, { outputs }: StepContext): StepResult => {
  const { record, problem } = readRecord(step.json);
  const common = { title, input: inputOf(step, outputs), output: record, requests: [] };
  if (!problem) return { ...common, status: 'success' };
  return { ...common, status: 'error', failure: { message: problem, effect: 'Fails this run.' } };
};

/** The result of a step that maps data that no step before gives, or undefined. It must not run. */
const refuseBroken = (title: string, step: Step, { outputs }: StepContext): StepResult | undefined => {
  const message = findBrokenStep(step, outputs.length);
  const failure = message && { message, effect: 'Fails this run.' };
  return failure ? { title, status: 'error', input: {}, requests: [], failure } : undefined;
};

/** Runs an action or a search, or skips it when its filter doesn't pass. Never rejects. */
export const runAction = async (
  runner: StepRunner,
  title: string,
  step: Step,
  context: StepContext,
): Promise<StepResult> => {
  const blank = { title, input: {}, requests: [] };
  if (step.type === 'delay') return { ...blank, status: 'delayed' };
  const broken = refuseBroken(title, step, context);
  if (broken) return broken;
  if (step.onlyIf && !passes(step.onlyIf, context.outputs)) return { ...blank, status: 'filtered' };
  if (step.type === 'other') return runOther(title, step, context);
  return (await runner.run(step, 'perform', context)).result;
};

import { recordRequests } from './api-requests';
import type { Connection } from './connection';
import { runOnCore, type StepBundle } from './core';
import { readExample } from './example-json';
import { explainFailure } from './failures';
import { resolveText, resolveValue } from './mapping';
import { findOperation, type Operation } from './operations';
import { findBrokenStep } from './references';
import type { ApiRequest, StepResult } from './run';
import type { Condition, OtherStep, OwnStep, Step } from './zap';

/** What a step runs with. */
export interface StepContext {
  connection: Connection;
  rpcUrl: string;
  /** What each earlier step gave, by its place in the Zap. */
  outputs: readonly unknown[];
  isTest: boolean;
  callbackUrl?: string | undefined;
}

/** Formats a number of hours. */
export const formatHours = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`);

/** What the editor and Zap history call a step. */
export const titleOf = (step: Step): string => {
  if (step.type === 'own') return findOperation(step.place)?.label ?? step.place;
  return step.type === 'delay' ? `Delay for ${formatHours(step.hours)}` : `${step.app}: ${step.event}`;
};

const passes = ({ value, is, isNot }: Condition, outputs: readonly unknown[]): boolean => {
  const found = String(resolveText(value, outputs));
  return is === undefined ? found !== isNot : found === is;
};

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The bundle of a step's form. */
export const bundleOf = (step: OwnStep, { connection, outputs, isTest }: StepContext): StepBundle => ({
  inputData: Object.fromEntries(Object.entries(step.values).map(([key, value]) => [key, resolveValue(value, outputs)])),
  inputDataRaw: { ...step.values },
  authData: connection.authData,
  meta: {
    isLoadingSample: isTest,
    page: 0,
    timezone,
    ...(step.fieldMeta && { inputFields: step.fieldMeta }),
  },
});

/** Runs a step of the app by its path within the operation, such as `performSubscribe`. Rejects with the error of core. */
export const runPart = (
  step: OwnStep,
  part: string,
  context: StepContext,
  extra: Partial<StepBundle> = {},
): Promise<unknown> => runOnCore(`${step.place}.operation.${part}`, { ...bundleOf(step, context), ...extra }, context);

const noMatch = {
  message: 'The search found nothing.',
  effect: 'Stops this run, unless the Zap continues without a match.',
};

const toResult = (
  operation: Operation,
  results: unknown,
  isTest: boolean,
): Pick<StepResult, 'status' | 'output' | 'failure'> => {
  if (operation.kind === 'creates') {
    return { status: operation.isResumable && !isTest ? 'waiting' : 'success', output: results };
  }
  const first: unknown = Array.isArray(results) ? results[0] : results;
  if (first !== undefined) return { status: 'success', output: first };
  if (operation.kind === 'searches') return { status: 'halted', output: undefined, failure: noMatch };
  return { status: 'success', output: undefined };
};

/** Runs a step of the app by its path within the operation. Returns its result, and everything that it gave. Never rejects. */
export const runOwnStep = async (
  step: OwnStep,
  context: StepContext,
  part = 'perform',
  extra: Partial<StepBundle> = {},
): Promise<{ result: StepResult; results?: unknown }> => {
  const requests: ApiRequest[] = [];
  const common = { title: titleOf(step), input: bundleOf(step, context).inputData, requests };
  const operation = findOperation(step.place);
  try {
    if (!operation) throw new Error(`There is no operation ${step.place}.`);
    const results = await recordRequests(requests, () => runPart(step, part, context, extra));
    const isOver = context.isTest || part !== 'perform';
    return { result: { ...common, ...toResult(operation, results, isOver) }, results };
  } catch (error) {
    return { result: { ...common, ...explainFailure(error) } };
  }
};

/** Gives the example, or fails: without it, later steps would send messages with gaps. */
const runOtherStep = (step: OtherStep, { outputs }: StepContext): StepResult => {
  const { record, problem } = readExample(step.json);
  return {
    title: titleOf(step),
    status: problem ? 'error' : 'success',
    input: Object.fromEntries(
      Object.entries(step.fields).map(([label, value]) => [
        label,
        [value]
          .flat()
          .map((text) => resolveText(text, outputs))
          .join(', '),
      ]),
    ),
    output: record,
    requests: [],
    ...(problem && { failure: { message: problem, effect: 'Fails this run.' } }),
  };
};

/** What a step gives while the Zap is built: what its last test gave, or its sample. */
export const exampleRecord = (step: Step): unknown => {
  if (step.type === 'own') return step.example ?? findOperation(step.place)?.sample ?? {};
  return step.type === 'other' ? readExample(step.json).record : {};
};

/** The result of a step that maps data that no step before gives, or undefined. It must not run. */
export const refuseBroken = (step: Step, { outputs }: StepContext): StepResult | undefined => {
  const message = findBrokenStep(step, outputs.length);
  const failure = message && { message, effect: 'Fails this run.' };
  return failure ? { title: titleOf(step), status: 'error', input: {}, requests: [], failure } : undefined;
};

/** Runs an action or a search, or skips it when its filter doesn't pass. Never rejects. */
export const runStep = async (step: Step, context: StepContext): Promise<StepResult> => {
  const blank = { title: titleOf(step), input: {}, requests: [] };
  if (step.type === 'delay') return { ...blank, status: 'delayed' };
  const broken = refuseBroken(step, context);
  if (broken) return broken;
  if (step.onlyIf && !passes(step.onlyIf, context.outputs)) return { ...blank, status: 'filtered' };
  if (step.type === 'other') return runOtherStep(step, context);
  return (await runOwnStep(step, context)).result;
};

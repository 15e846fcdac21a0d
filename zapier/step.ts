import type { Connection } from './connection';
import type { RunStep, StepBundle } from './core';
import type { Definition, Operation } from './definition';
import { explainFailure } from './failure';
import { resolveValue } from './mapping';
import { recordRequests } from './requests';
import type { ApiRequest, StepResult } from './run';
import type { OwnStep } from './zap';

/** What a step runs with. */
export interface StepContext {
  /** What each earlier step gave, by its position in the Zap. */
  outputs: readonly unknown[];
  isTest: boolean;
  /** Names the callback that the step may wait for. */
  callbackId?: string | undefined;
  /** Takes each API request of the step while it runs. */
  requests?: ApiRequest[] | undefined;
}

/** What a step runs with outside the editor. */
export const liveContext = (outputs: readonly unknown[], callbackId?: string): StepContext => ({
  outputs,
  isTest: false,
  callbackId,
});

/** What a step is run on. */
export interface StepParts {
  definition: Definition;
  runStep: RunStep;
  connection: Connection;
  /** Where Zapier receives deliveries, callbacks and calls of `z.cursor` and `z.cache`: `/hooks/ID`, `/callbacks/ID` and `/rpc`. */
  address: string;
  /** The headers of API requests that a run keeps, in lower case. */
  shownHeaders: readonly string[];
}

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const inputOf = ({ values }: OwnStep, outputs: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, resolveValue(value, outputs)]));

const noMatch = {
  message: 'The search found nothing.',
  effect: 'Zapier stops this run (Safely halted) unless the step may continue without a match.',
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

/** Runs the methods of steps of this app. */
export class StepRunner {
  readonly #parts: StepParts;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  /** Runs a method of a step's operation, such as `performSubscribe`. Rejects with the error of core. */
  runMethod(step: OwnStep, method: string, context: StepContext, extra?: StepBundle): Promise<unknown> {
    return this.runPath(`${step.operation}.operation.${method}`, step, context, extra);
  }

  /** Runs a method of the app by its path, with the values of a step. Rejects with the error of core. */
  runPath(path: string, step: OwnStep, context: StepContext, extra: StepBundle = {}): Promise<unknown> {
    const { runStep, connection, address } = this.#parts;
    const fields = step.form?.fields.map((field) => [field.key, field.meta ?? {}]);
    const inputData = { ...inputOf(step, context.outputs), ...extra.inputData };
    const bundle = {
      ...extra,
      inputData,
      inputDataRaw: { ...step.values },
      authData: connection.authData,
      meta: {
        isLoadingSample: context.isTest,
        page: 0,
        timezone,
        ...(fields && { inputFields: Object.fromEntries(fields) }),
        ...extra.meta,
      },
    };
    // A person may change other fields between two pages of a dropdown.
    const storeKey = `${path} ${JSON.stringify(extra.inputData ?? {})}`;
    const callbackUrl = context.callbackId && `${address}/callbacks/${context.callbackId}`;
    return runStep(path, bundle, { rpcUrl: `${address}/rpc`, storeKey, callbackUrl });
  }

  /** Runs a method of a step's operation. Returns its result, and everything that it gave. Never rejects. */
  async run(
    step: OwnStep,
    method: string,
    context: StepContext,
    extra?: StepBundle,
  ): Promise<{ result: StepResult; results?: unknown }> {
    const { definition, address, shownHeaders, connection } = this.#parts;
    const { requests = [] } = context;
    const { account } = connection;
    const common = { title: definition.titleOf(step), input: inputOf(step, context.outputs), requests, account };
    const operation = definition.find(step.operation);
    const recorded = { zapier: address, headers: shownHeaders };
    try {
      if (!operation) throw new Error(`There is no operation ${step.operation}.`);
      const results = await recordRequests(requests, recorded, () => this.runMethod(step, method, context, extra));
      const isOver = context.isTest || method !== 'perform';
      return { result: { ...common, ...toResult(operation, results, isOver) }, results };
    } catch (error) {
      return { result: { ...common, ...explainFailure(error) } };
    }
  }
}

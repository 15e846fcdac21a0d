import type { Connection } from '../core/connection';
import type { Definition, Operation } from '../core/definition';
import { explainFailure } from '../core/failure';
import type { RunStep, StepBundle } from '../core/handler';
import { recordRequests } from '../core/requests';
import type { ApiRequest, Failure, Outcome, StepResult } from '../core/result';
import type { Form } from '../fields/form';
import { resolveValue } from '../fields/mapping';
import { type Entered, mapEntries } from '../fields/values';
import { platform } from '../platform';
import { pickResults, type SearchSettings } from './search-results';

/** An operation of the app, with what its form has. */
interface AppStep {
  operation: string;
  values: Entered;
  form?: Form | undefined;
  name?: string | undefined;
  search?: SearchSettings | undefined;
}

/** What a step runs with. */
export interface StepContext {
  /** What each earlier step gave, by its position in the Zap. */
  outputs: readonly unknown[];
  isTest: boolean;
  /** Names the callback that the step may wait for. */
  callbackId?: string | undefined;
  /** Takes each API request of the step while it runs. */
  requests?: ApiRequest[] | undefined;
  /** Whether a step waits until somebody connects the account again. A person who runs a step alone finds out. */
  isHeld?: boolean | undefined;
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

/** Returns the values that a step runs with, when the steps before gave these outputs. */
export const inputOf = ({ values }: Pick<AppStep, 'values'>, outputs: readonly unknown[]): Record<string, unknown> =>
  mapEntries(values, (value) => resolveValue(value, outputs));

const notConnected: Failure = {
  message: "The account isn't connected.",
  effect: 'Zapier holds this run (On hold) until you reconnect the account.',
};

/** The result of a method, unless it takes longer than Zapier lets it. */
const inTime = async (work: Promise<unknown>): Promise<unknown> => {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(platform.timeout.is)), platform.stepSeconds.is * 1000);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
};

const toResult = (operation: Operation, step: AppStep, results: unknown, isTest: boolean): Outcome => {
  if (operation.kind === 'searches') return pickResults(results, step.search ?? {});
  if (operation.kind === 'triggers')
    return { status: 'success', output: Array.isArray(results) ? results[0] : results };
  return { status: operation.isResumable && !isTest ? 'waiting' : 'success', output: results };
};

/** Runs the methods of the app's steps. */
export class AppRunner {
  readonly #parts: StepParts;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  get definition(): Definition {
    return this.#parts.definition;
  }

  /** What the app is connected with, as a short text. */
  get account(): string {
    return JSON.stringify(this.#parts.connection.authData);
  }

  /** A runner with another account. */
  with(connection: Connection): AppRunner {
    return new AppRunner({ ...this.#parts, connection });
  }

  /** Runs a method of a step's operation, such as `performSubscribe`. Rejects with the error of core. */
  runMethod(step: AppStep, method: string, context: StepContext, extra?: StepBundle): Promise<unknown> {
    return this.runPath(`${step.operation}.operation.${method}`, step, context, extra);
  }

  /** Runs a method of the app by its path, with the values of a step. Rejects with the error of core. */
  runPath(path: string, step: AppStep, context: StepContext, extra: StepBundle = {}): Promise<unknown> {
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

  /** Asks the app for the fields of a step's form, and lists the requests that the app made. Rejects with the error of core. */
  async readFields(step: AppStep, context: StepContext): Promise<{ given: unknown; requests: ApiRequest[] }> {
    const { address, shownHeaders } = this.#parts;
    const requests: ApiRequest[] = [];
    const work = () => this.runMethod(step, 'inputFields', context);
    return { given: await recordRequests(requests, { zapier: address, headers: shownHeaders }, work), requests };
  }

  /** Runs a method of a step's operation. Returns its result, and everything that it gave. Never rejects. */
  async run(
    step: AppStep,
    method: string,
    context: StepContext,
    extra?: StepBundle,
  ): Promise<{ result: StepResult; results?: unknown }> {
    const { definition, address, shownHeaders, connection } = this.#parts;
    const { requests = [] } = context;
    const { account } = connection;
    const title = step.name ?? definition.labelOf(step.operation);
    if (context.isHeld) return { result: { title, status: 'held', requests, failure: notConnected } };
    const common = { title, input: inputOf(step, context.outputs), requests, account };
    const operation = definition.find(step.operation);
    const recorded = { zapier: address, headers: shownHeaders };
    try {
      if (!operation) throw new Error(`There is no operation ${step.operation}.`);
      const work = () => inTime(this.runMethod(step, method, context, extra));
      const results = await recordRequests(requests, recorded, work);
      const isOver = context.isTest || method !== 'perform';
      return { result: { ...common, ...toResult(operation, step, results, isOver) }, results };
    } catch (error) {
      const maxSeconds = operation?.isHook && method === 'perform' ? platform.hookThrottleSeconds.is : undefined;
      return { result: { ...common, ...explainFailure(error, platform.throttleSeconds.is, maxSeconds) } };
    }
  }
}

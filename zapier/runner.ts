import { runAction } from './action';
import { inBackground } from './background';
import type { Clock } from './clock';
import { isFiltered, isSkipped } from './paths';
import { PausedRuns } from './paused-runs';
import {
  type ApiRequest,
  callbackId,
  type Failure,
  type HookDelivery,
  isPaused,
  type Progress,
  type Run,
  type StepResult,
} from './run';
import { liveContext, type StepParts, type StepRunner } from './step';
import { type OwnStep, runningSteps, type Step, type Zap } from './zap';
import type { Zaps } from './zaps';

export interface RunnerParts extends Pick<StepParts, 'definition' | 'connection' | 'address'> {
  stepRunner: StepRunner;
  zaps: Zaps;
  clock: Clock;
  /** Hears that a run went on, with what a step of this app gave. */
  notify: (result?: StepResult) => void;
}

type TriggerResult = StepResult & { records: unknown[] };

const notConnected: Failure = {
  message: "The account isn't connected.",
  effect: 'Zapier holds this run (On hold) until you reconnect the account.',
};

/** The callback of the step that runs now. A step that was held or failed has a result already. */
const currentCallbackId = (run: Run): string => {
  const again = run.steps.findIndex(({ status }) => status === 'held' || status === 'error');
  return callbackId(run, again < 0 ? run.steps.length : again);
};

/** Runs Zaps as Zapier does, from what their trigger gave. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly paused: PausedRuns;
  /** The callbacks that came before their step returned, by their ids. */
  readonly #early = new Map<string, unknown>();
  /** The API requests of the step that a run is at. */
  readonly #requests = new WeakMap<Run, ApiRequest[]>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.paused = new PausedRuns(parts, (run, pause) => this.#resume(run, pause));
  }

  /** Runs a whole Zap. `result` is what its trigger gave. Resolves when the run ends or waits. */
  async start(zap: Zap, type: Run['type'], result: StepResult, cause?: string): Promise<void> {
    const { id: zapId, title } = zap;
    const trigger = result.output;
    const run = this.#parts.zaps.addRun({ zapId, title, type, status: 'running', steps: [result], trigger, cause });
    this.#parts.notify();
    await this.#continue(run, { steps: structuredClone(runningSteps(zap)), index: 1, outputs: [trigger] });
  }

  /** Runs a whole Zap whose trigger gave this record. */
  async startWith(zap: Zap, type: Run['type'], record: unknown, cause?: string): Promise<void> {
    const [trigger] = runningSteps(zap);
    const title = trigger ? this.#parts.definition.titleOf(trigger) : zap.title;
    await this.start(zap, type, { title, status: 'success', input: {}, output: record, requests: [] }, cause);
  }

  /** Runs a Zap again with the record that started the run. */
  async replay(run: Run): Promise<void> {
    const zap = this.#parts.zaps.find(run.zapId);
    if (zap && run.trigger !== undefined) await this.startWith(zap, 'replay', run.trigger, run.id);
  }

  /** Continues a run at the step that failed, with what the steps before it gave, as Autoreplay does. */
  async autoreplay(run: Run): Promise<void> {
    const { failed } = run;
    if (!failed || !this.#parts.zaps.find(run.zapId)) return;
    run.failed = undefined;
    run.status = 'running';
    this.#parts.zaps.saveRun(run);
    await this.#resume(run, failed);
  }

  /** Runs the trigger of a Zap with a delivery, and the rest for each record. Returns what the delivery led to. */
  async trigger(zap: Zap, trigger: OwnStep, delivery: HookDelivery, cause?: string): Promise<string> {
    const result = await this.#runTrigger(zap, trigger, delivery);
    if (result.failure) {
      const { id: zapId, title } = zap;
      const run = this.#parts.zaps.addRun({ zapId, title, type: 'live', status: result.status, steps: [], cause });
      this.#setStep(run, { steps: runningSteps(zap), index: 0, outputs: [], delivery }, result);
      return result.failure.message;
    }
    inBackground(this.#startAll(zap, result, cause));
    return result.records.length > 0 ? 'Started a run' : 'Started no run';
  }

  async #runTrigger(zap: Zap, trigger: OwnStep, delivery: HookDelivery): Promise<TriggerResult> {
    const { result, results } = await this.#parts.stepRunner.run(trigger, 'perform', liveContext([]), {
      rawRequest: { method: 'POST', ...delivery.rawRequest },
      cleanedRequest: delivery.cleanedRequest,
      subscribeData: zap.subscription?.data,
    });
    return { ...result, records: Array.isArray(results) ? results : [] };
  }

  async #startAll(zap: Zap, { records, ...result }: TriggerResult, cause: string | undefined): Promise<void> {
    for (const output of records) await this.start(zap, 'live', { ...result, output }, cause);
  }

  async #continue(run: Run, { steps, index, outputs: before }: Progress): Promise<void> {
    const outputs = [...before];
    for (const [at, step] of [...steps.entries()].slice(index)) {
      const result = isSkipped(steps, run.steps, at) ? this.#skip(step) : await this.#runOne(run, step, at, outputs);
      this.#setStep(run, { steps, index: at, outputs }, result);
      if (result.status !== 'success' && result.status !== 'filtered') return;
      outputs.push(result.output);
    }
    this.#finish(run, steps);
  }

  #skip(step: Step): StepResult {
    return { title: this.#parts.definition.titleOf(step), status: 'filtered', requests: [] };
  }

  async #runOne(run: Run, step: Step, index: number, outputs: readonly unknown[]): Promise<StepResult> {
    const { definition, connection, stepRunner } = this.#parts;
    const title = definition.titleOf(step);
    if (step.type === 'own' && connection.holdsRuns) {
      return { title, status: 'held', requests: [], failure: notConnected };
    }
    const requests: ApiRequest[] = [];
    this.#requests.set(run, requests);
    return runAction(stepRunner, title, step, { ...liveContext(outputs, callbackId(run, index)), requests });
  }

  /** Returns the API requests so far of the step that a run is at. */
  requestsSoFar(run: Run): readonly ApiRequest[] {
    return run.status === 'running' ? (this.#requests.get(run) ?? []) : [];
  }

  /** Adds the result of a step to its run, which then waits or ends unless the step succeeded. */
  #setStep(run: Run, progress: Progress, result: StepResult): void {
    const requests = [...(run.steps[progress.index]?.requests ?? []), ...result.requests];
    run.steps[progress.index] = { ...result, requests };
    if (isPaused(result)) this.paused.pause(run, progress, result);
    if (result.status !== 'success' && result.status !== 'filtered') run.status = result.status;
    if (result.status === 'error') run.failed = structuredClone(progress);
    this.#parts.zaps.saveRun(run);
    // What another app gives may look like a message of the service.
    this.#parts.notify(progress.steps[progress.index]?.type === 'own' ? result : undefined);
    this.#takeEarlyCallback(callbackId(run, progress.index));
  }

  /** Continues a run whose callback came before its step returned. */
  #takeEarlyCallback(id: string): void {
    const cleanedRequest = this.#early.get(id);
    if (this.#early.delete(id)) this.receiveCallback(id, cleanedRequest);
  }

  #finish(run: Run, steps: readonly Step[]): void {
    run.status = isFiltered(steps, run.steps) ? 'filtered' : 'success';
    this.#parts.zaps.saveRun(run);
    this.#parts.notify();
  }

  async #resume(run: Run, pause: Progress): Promise<void> {
    this.#parts.notify();
    if (pause.delivery) return this.#retryTrigger(run, pause, pause.delivery);
    if (pause.steps[pause.index]?.type === 'delay') return this.#endDelay(run, pause);
    return pause.callback ? this.#resumeStep(run, pause, pause.callback) : this.#continue(run, pause);
  }

  async #endDelay(run: Run, progress: Progress): Promise<void> {
    const { steps, index, outputs } = progress;
    const [title, requests] = [run.steps[index]?.title ?? '', []];
    this.#setStep(run, progress, { title, status: 'success', requests });
    await this.#continue(run, { steps, index: index + 1, outputs: [...outputs, undefined] });
  }

  async #retryTrigger(run: Run, progress: Progress, delivery: HookDelivery): Promise<void> {
    const zap = this.#parts.zaps.find(run.zapId);
    const trigger = zap && runningSteps(zap)[0];
    if (!zap || trigger?.type !== 'own') return;
    const { records, ...result } = await this.#runTrigger(zap, trigger, delivery);
    const [output, ...others] = records;
    this.#setStep(run, { ...progress, delivery }, { ...result, output });
    if (result.failure || output === undefined) return result.failure ? undefined : this.#finish(run, progress.steps);
    run.trigger = output;
    await this.#continue(run, { steps: structuredClone(runningSteps(zap)), index: 1, outputs: [output] });
    await this.#startAll(zap, { ...result, records: others }, run.cause);
  }

  /**
   * Continues a run whose step waits for this callback, now or as soon as it returns. Returns whether there is one: the
   * first callback uses up its address.
   */
  receiveCallback(id: string, cleanedRequest: unknown): boolean {
    const waiting = this.paused.takeWaiting(id);
    if (waiting) {
      inBackground(this.#resumeStep(waiting.run, waiting.pause, { cleanedRequest }));
      return true;
    }
    const isRunning = this.#parts.zaps.runs().some((run) => run.status === 'running' && id === currentCallbackId(run));
    if (!isRunning || this.#early.has(id)) return false;
    this.#early.set(id, cleanedRequest);
    return true;
  }

  async #resumeStep(run: Run, progress: Progress, callback: { cleanedRequest: unknown }): Promise<void> {
    const { steps, index, outputs } = progress;
    const step = steps[index];
    if (step?.type !== 'own') return;
    const outputData = run.steps[index]?.output;
    const extra = { outputData, cleanedRequest: callback.cleanedRequest };
    const { result } = await this.#parts.stepRunner.run(step, 'performResume', liveContext(outputs), extra);
    // A retry needs what the step gave before it waited.
    const output = result.failure ? outputData : result.output;
    this.#setStep(run, { ...progress, callback }, { ...result, output });
    if (result.failure) return;
    await this.#continue(run, { steps, index: index + 1, outputs: [...outputs, output] });
  }
}

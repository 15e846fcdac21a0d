import { type ApiRequest, isPaused, type StepResult } from '../core/result';
import type { Work } from '../core/work';
import { type AppStep, kindOf, type Step } from '../kinds';
import { liveContext, type StepParts } from '../kinds/app-runner';
import type { Zaps } from '../zap/kept-zaps';
import { isFiltered, isSkipped } from '../zap/paths';
import { asApp, titleOf } from '../zap/steps';
import { fingerprintOf } from '../zap/versions';
import { runningSteps, runningTrigger, type Zap } from '../zap/zap';
import { Brakes } from './brakes';
import type { Runs } from './kept-runs';
import { PausedRuns } from './paused-runs';
import { callbackId, type HookDelivery, type Progress, type Run } from './run';
import { type ActionParts, runAction } from './run-action';

export interface RunnerParts extends ActionParts, Pick<StepParts, 'definition' | 'connection' | 'address'> {
  zaps: Zaps;
  runs: Runs;
  work: Work;
  /** Hears that a run went on, with what a step gave. */
  notify: (result?: StepResult) => void;
}

type TriggerResult = StepResult & { records: unknown[] };

/** A step that runs now. */
interface Current {
  step: Step;
  outputs: readonly unknown[];
  requests: ApiRequest[];
}

/** The callback of the step that runs now. A step that was held or failed has a result already. */
const currentCallbackId = (run: Run): string => {
  const again = run.steps.findIndex(({ status }) => status === 'held' || status === 'error');
  return callbackId(run, again < 0 ? run.steps.length : again);
};

/** What a run keeps of the steps that it runs. */
const named = (steps: readonly Step[]): Pick<Run, 'stepIds' | 'fingerprints'> => ({
  stepIds: steps.map(({ id }) => id),
  fingerprints: steps.map((step) => fingerprintOf(step, steps)),
});

/** Runs Zaps as Zapier does, from what their trigger gave. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly paused: PausedRuns;
  readonly #brakes: Brakes;
  /** The callbacks that came before their step returned, by their ids. */
  readonly #early = new Map<string, { cleanedRequest: unknown }>();
  /** The step that a run is at. */
  readonly #current = new WeakMap<Run, Current>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#brakes = new Brakes(parts);
    this.paused = new PausedRuns(parts, (run, pause) => this.#resume(run, pause));
  }

  /** Runs a whole Zap. `result` is what its trigger gave. Resolves when the run ends or waits. */
  async start(zap: Zap, type: Run['type'], result: StepResult, cause?: string): Promise<void> {
    const { id: zapId, title } = zap;
    const trigger = result.output;
    const steps = structuredClone(runningSteps(zap));
    const common = { zapId, title, type, ...named(steps) };
    const run = this.#parts.runs.add({ ...common, status: 'running', steps: [result], trigger, cause });
    this.#parts.notify();
    await this.#continue(run, { steps, index: 1, outputs: [trigger] });
  }

  /** Runs a whole Zap whose trigger gave this record. */
  async startWith(zap: Zap, type: Run['type'], record: unknown, cause?: string): Promise<void> {
    const [trigger] = runningSteps(zap);
    const title = trigger ? titleOf(this.#parts.definition, trigger) : zap.title;
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
    run.failedAt = failed.at;
    run.status = 'running';
    this.#parts.runs.save(run);
    await this.#resume(run, failed);
  }

  /** Runs the trigger of a Zap with a delivery, and the rest for each record. Returns what the trigger gave. */
  async trigger(zap: Zap, trigger: AppStep, delivery: HookDelivery, cause?: string): Promise<TriggerResult> {
    const result = await this.#runTrigger(zap, trigger, delivery);
    if (result.failure) {
      const { id: zapId, title } = zap;
      const steps = runningSteps(zap);
      const common = { zapId, title, type: 'live' as const, ...named(steps) };
      const run = this.#parts.runs.add({ ...common, status: result.status, steps: [], cause });
      this.#setStep(run, { steps, index: 0, outputs: [], delivery }, result);
      return result;
    }
    this.#parts.work.inBackground(this.#startAll(zap, result, cause));
    return result;
  }

  async #runTrigger(zap: Zap, trigger: AppStep, delivery: HookDelivery): Promise<TriggerResult> {
    const { result, results } = await this.#parts.app.run(trigger, 'perform', liveContext([]), {
      rawRequest: { method: 'POST', ...delivery.rawRequest },
      cleanedRequest: delivery.cleanedRequest,
      subscribeData: zap.subscription?.data,
    });
    return { ...result, records: Array.isArray(results) ? results : [] };
  }

  async #startAll(zap: Zap, { records, ...result }: TriggerResult, cause: string | undefined): Promise<void> {
    for (const output of records) await this.start(zap, 'live', { ...result, output }, cause);
  }

  #continue(run: Run, progress: Progress): Promise<void> {
    return this.#parts.work.add(this.#runSteps(run, progress));
  }

  async #runSteps(run: Run, { steps, index, outputs: before }: Progress): Promise<void> {
    const outputs = [...before];
    for (const [at, step] of [...steps.entries()].slice(index)) {
      const result = isSkipped(steps, run.steps, at) ? this.#skip(step) : await this.#runOne(run, step, at, outputs);
      this.#setStep(run, { steps, index: at, outputs }, result);
      if (result.status !== 'success' && result.status !== 'filtered') return;
      outputs.push(result.output);
      const { iterations } = result;
      if (iterations) return this.#runIterations(run, { steps, index: at + 1, outputs }, iterations);
    }
    this.#finish(run, steps);
  }

  /**
   * Runs the steps after a loop for each item: for the first in the loop's run, and for each other item in a new run,
   * since each may wait or fail.
   */
  async #runIterations(run: Run, { steps, index, outputs }: Progress, iterations: readonly unknown[]): Promise<void> {
    const { zapId, title, type, stepIds, fingerprints, trigger, cause } = run;
    const common = { zapId, title, type, stepIds, fingerprints, trigger, cause };
    const done = structuredClone(run.steps);
    await this.#runSteps(run, { steps, index, outputs });
    for (const output of iterations) {
      const results = done.map((each, at) => (at === index - 1 ? { ...each, output, iterations: undefined } : each));
      const other = this.#parts.runs.add({ ...common, status: 'running', steps: results });
      await this.#continue(other, { steps, index, outputs: [...outputs.slice(0, -1), output] });
    }
  }

  #skip(step: Step): StepResult {
    return { title: titleOf(this.#parts.definition, step), status: 'filtered', requests: [] };
  }

  async #runOne(run: Run, step: Step, index: number, outputs: readonly unknown[]): Promise<StepResult> {
    const requests: ApiRequest[] = [];
    this.#current.set(run, { step, outputs, requests });
    const isHeld = this.#parts.connection.holdsRuns;
    const context = { ...liveContext(outputs, callbackId(run, index)), requests, isHeld };
    return this.#brakes.run(step, outputs, () => runAction(this.#parts, step, context));
  }

  /** Returns the API requests so far of the step that a run is at. */
  requestsSoFar(run: Run): readonly ApiRequest[] {
    return run.status === 'running' ? (this.#current.get(run)?.requests ?? []) : [];
  }

  /** Adds the result of a step to its run, which then waits or ends unless the step succeeded. */
  #setStep(run: Run, progress: Progress, result: StepResult): void {
    const requests = [...(run.steps[progress.index]?.requests ?? []), ...result.requests];
    run.steps[progress.index] = { ...result, requests };
    if (isPaused(result)) this.paused.pause(run, progress, result);
    if (result.status !== 'success' && result.status !== 'filtered') run.status = result.status;
    const at = new Date(this.#parts.clock.now()).toISOString();
    if (result.status === 'error') run.failed = { ...structuredClone(progress), at };
    this.#parts.runs.save(run);
    this.#parts.notify(result);
    this.#takeEarlyCallback(callbackId(run, progress.index));
  }

  /** Continues a run whose callback came before its step returned. */
  #takeEarlyCallback(id: string): void {
    const early = this.#early.get(id);
    const waiting = early && this.paused.takeWaiting(id);
    this.#early.delete(id);
    if (!early || !waiting) return;
    this.#parts.work.inBackground(this.#resumeStep(waiting.run, waiting.pause, early));
  }

  #finish(run: Run, steps: readonly Step[]): void {
    run.status = isFiltered(steps, run.steps) ? 'filtered' : 'success';
    this.#parts.runs.save(run);
    this.#parts.notify();
  }

  async #resume(run: Run, pause: Progress): Promise<void> {
    this.#parts.notify();
    if (pause.delivery) return this.#retryTrigger(run, pause, pause.delivery);
    if (run.steps[pause.index]?.status === 'delayed') return this.#endDelay(run, pause);
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
    const trigger = zap && runningTrigger(zap);
    if (!zap || !trigger) return;
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
      this.#parts.work.inBackground(this.#resumeStep(waiting.run, waiting.pause, { cleanedRequest }));
      return true;
    }
    const run = this.#parts.runs.list().find((each) => each.status === 'running' && id === currentCallbackId(each));
    if (!run || this.#early.has(id)) return false;
    this.#early.set(id, { cleanedRequest });
    return true;
  }

  async #resumeStep(run: Run, progress: Progress, callback: { cleanedRequest: unknown }): Promise<void> {
    const { steps, index, outputs } = progress;
    const step = steps[index];
    if (!step) return;
    const outputData = run.steps[index]?.output;
    const result = await this.#resumeOne(step, outputs, outputData, callback.cleanedRequest);
    // A retry needs what the step gave before it waited.
    const output = result.failure ? outputData : result.output;
    this.#setStep(run, { ...progress, callback }, { ...result, output });
    if (result.failure) return;
    await this.#continue(run, { steps, index: index + 1, outputs: [...outputs, output] });
  }

  /** Runs the rest of a step that waited. */
  async #resumeOne(step: Step, outputs: readonly unknown[], outputData: unknown, given: unknown): Promise<StepResult> {
    const own = asApp(step);
    const extra = { outputData, cleanedRequest: given };
    if (own) return (await this.#parts.app.run(own, 'performResume', liveContext(outputs), extra)).result;
    const title = titleOf(this.#parts.definition, step);
    return { requests: [], ...(kindOf(step).resume?.(step, outputData, given) ?? { status: 'success' }), title };
  }
}

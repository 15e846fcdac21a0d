import { inBackground } from '../background';
import type { Clock } from '../clock';
import type { Connection } from './connection';
import { PausedRuns } from './paused-runs';
import { type Failure, type HookDelivery, isPaused, type Pause, type Place, type Run, type StepResult } from './run';
import { runOwnStep, runStep, type StepContext, titleOf } from './run-step';
import type { OwnStep, Step, Zap } from './zap';
import type { Zaps } from './zaps';

export interface RunnerParts {
  zaps: Zaps;
  connection: Connection;
  clock: Clock;
  /** Tells the page that a run went on, with what its step gave. */
  notify: (result?: StepResult) => void;
  /** The address of this playground. */
  address: string;
}

type TriggerResult = StepResult & { records: unknown[] };

const notConnected: Failure = {
  message: "The account isn't connected, so this run is held.",
  effect: 'Runs are held until you reconnect it.',
};

const byStatus = (steps: readonly StepResult[]): Run['status'] =>
  steps.find(({ status }) => status !== 'success' && status !== 'filtered')?.status ?? 'success';

const callbackId = ({ id }: Run, index: number): string => `${id}-${index}`;

/** The callback of the step that runs now. A step that was held has a result already. */
const currentCallbackId = (run: Run): string => {
  const held = run.steps.findIndex(({ status }) => status === 'held');
  return callbackId(run, held < 0 ? run.steps.length : held);
};

/** Runs Zaps as Zapier does, from what their trigger gave. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly paused: PausedRuns;
  /** The callbacks that came before their step returned, by their ids. */
  readonly #early = new Map<string, unknown>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.paused = new PausedRuns(parts, (run, pause) => this.#resume(run, pause));
  }

  /** What a step runs with outside the editor. */
  context(outputs: readonly unknown[], callbackUrl?: string): StepContext {
    const { connection, address } = this.#parts;
    return { connection, rpcUrl: `${address}/zapier/rpc`, outputs, isTest: false, callbackUrl };
  }

  /** The URL that continues a run whose step waits for a callback. */
  callbackUrl(run: Run, index: number): string {
    return `${this.#parts.address}/zapier/callbacks/${callbackId(run, index)}`;
  }

  /** Runs a whole Zap. `result` is what its trigger gave. Resolves when the run ends or waits. */
  async start(zap: Zap, type: Run['type'], result: StepResult): Promise<void> {
    const { id: zapId, title } = zap;
    const trigger = result.output;
    const run = this.#parts.zaps.addRun({ zapId, title, type, status: 'running', steps: [result], trigger });
    this.#parts.notify();
    await this.#continue(run, { steps: structuredClone(zap.steps), index: 1, outputs: [trigger] });
  }

  /** Runs a whole Zap whose trigger gave this record. */
  async startWith(zap: Zap, type: Run['type'], record: unknown): Promise<void> {
    const title = zap.steps[0] ? titleOf(zap.steps[0]) : zap.title;
    await this.start(zap, type, { title, status: 'success', input: {}, output: record, requests: [] });
  }

  /** Runs a Zap again with the record that started the run. */
  async replay(run: Run): Promise<void> {
    const zap = this.#parts.zaps.find(run.zapId);
    if (zap && run.trigger !== undefined) await this.startWith(zap, 'replay', run.trigger);
  }

  /** Runs the trigger of a Zap with a delivery, and the rest for each record. Returns what the delivery led to. */
  async trigger(zap: Zap, trigger: OwnStep, delivery: HookDelivery): Promise<string> {
    const result = await this.#runTrigger(zap, trigger, delivery);
    if (result.failure) {
      const { id: zapId, title } = zap;
      const run = this.#parts.zaps.addRun({ zapId, title, type: 'live', status: result.status, steps: [] });
      this.#setStep(run, { steps: zap.steps, index: 0, outputs: [], delivery }, result);
      return result.failure.message;
    }
    inBackground(this.#startAll(zap, result));
    return result.records.length > 0 ? 'Started a run' : 'Started no run';
  }

  async #runTrigger(zap: Zap, trigger: OwnStep, delivery: HookDelivery): Promise<TriggerResult> {
    const { result, results } = await runOwnStep(trigger, this.context([]), 'perform', {
      rawRequest: { method: 'POST', ...delivery.rawRequest },
      cleanedRequest: delivery.cleanedRequest,
      subscribeData: zap.subscription?.data,
    });
    return { ...result, records: Array.isArray(results) ? results : [] };
  }

  async #startAll(zap: Zap, { records, ...result }: TriggerResult): Promise<void> {
    for (const output of records) await this.start(zap, 'live', { ...result, output });
  }

  async #continue(run: Run, { steps, index, outputs: before }: Place): Promise<void> {
    const outputs = [...before];
    for (const [at, step] of [...steps.entries()].slice(index)) {
      const result = await this.#runOne(run, step, at, outputs);
      this.#setStep(run, { steps, index: at, outputs }, result);
      if (result.status !== 'success' && result.status !== 'filtered') return;
      outputs.push(result.output);
    }
    this.#finish(run);
  }

  async #runOne(run: Run, step: Step, index: number, outputs: readonly unknown[]): Promise<StepResult> {
    if (step.type === 'own' && this.#parts.connection.holdsRuns) {
      return { title: titleOf(step), status: 'held', requests: [], failure: notConnected };
    }
    return runStep(step, this.context(outputs, this.callbackUrl(run, index)));
  }

  /** Adds the result of a step to its run, which then waits or ends unless the step succeeded. */
  #setStep(run: Run, place: Place, result: StepResult): void {
    const requests = [...(run.steps[place.index]?.requests ?? []), ...result.requests];
    run.steps[place.index] = { ...result, requests };
    if (isPaused(result)) this.paused.pause(run, place, result);
    if (result.status !== 'success' && result.status !== 'filtered') run.status = result.status;
    this.#parts.zaps.saveRun(run);
    // What another app gives may look like a message of the service.
    this.#parts.notify(place.steps[place.index]?.type === 'own' ? result : undefined);
    this.#takeEarlyCallback(callbackId(run, place.index));
  }

  /** Continues a run whose callback came before its step returned. */
  #takeEarlyCallback(id: string): void {
    const cleanedRequest = this.#early.get(id);
    if (this.#early.delete(id)) this.receiveCallback(id, cleanedRequest);
  }

  #finish(run: Run): void {
    run.status = byStatus(run.steps);
    this.#parts.zaps.saveRun(run);
    this.#parts.notify();
  }

  async #resume(run: Run, pause: Pause): Promise<void> {
    this.#parts.notify();
    if (pause.delivery) return this.#retryTrigger(run, pause, pause.delivery);
    if (pause.steps[pause.index]?.type === 'delay') return this.#endDelay(run, pause);
    return pause.callback ? this.#resumeStep(run, pause, pause.callback) : this.#continue(run, pause);
  }

  async #endDelay(run: Run, place: Place): Promise<void> {
    const { steps, index, outputs } = place;
    const [title, requests] = [run.steps[index]?.title ?? '', []];
    this.#setStep(run, place, { title, status: 'success', requests });
    await this.#continue(run, { steps, index: index + 1, outputs: [...outputs, undefined] });
  }

  async #retryTrigger(run: Run, place: Place, delivery: HookDelivery): Promise<void> {
    const zap = this.#parts.zaps.find(run.zapId);
    const trigger = zap?.steps[0];
    if (!zap || trigger?.type !== 'own') return;
    const { records, ...result } = await this.#runTrigger(zap, trigger, delivery);
    const [output, ...others] = records;
    this.#setStep(run, { ...place, delivery }, { ...result, output });
    if (result.failure || output === undefined) return result.failure ? undefined : this.#finish(run);
    run.trigger = output;
    await this.#continue(run, { steps: structuredClone(zap.steps), index: 1, outputs: [output] });
    await this.#startAll(zap, { ...result, records: others });
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

  async #resumeStep(run: Run, place: Place, callback: { cleanedRequest: unknown }): Promise<void> {
    const { steps, index, outputs } = place;
    const step = steps[index];
    if (step?.type !== 'own') return;
    const outputData = run.steps[index]?.output;
    const extra = { outputData, cleanedRequest: callback.cleanedRequest };
    const { result } = await runOwnStep(step, this.context(outputs), 'performResume', extra);
    // A retry needs what the step gave before it waited.
    const output = result.failure ? outputData : result.output;
    this.#setStep(run, { ...place, callback }, { ...result, output });
    if (result.failure) return;
    await this.#continue(run, { steps, index: index + 1, outputs: [...outputs, output] });
  }
}

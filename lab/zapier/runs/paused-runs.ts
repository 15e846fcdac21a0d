import type { Clock } from '../clock';
import type { Connection } from '../core/connection';
import type { Definition } from '../core/definition';
import type { Failure, StepResult } from '../core/result';
import { platform } from '../platform';
import type { Zaps } from '../zap/kept-zaps';
import { titleOf } from '../zap/steps';
import { runningSteps } from '../zap/zap';
import type { Runs } from './kept-runs';
import { callbackId, currentStep, type Pause, type Progress, type Run } from './run';

interface PausedRunsParts {
  definition: Definition;
  zaps: Zaps;
  runs: Runs;
  connection: Connection;
  clock: Clock;
}

const stopped: Failure = {
  message: 'The process stopped during this step.',
  effect: 'Replay the run.',
};

/** The runs that wait for a callback, for a retry, for the end of a delay, or until somebody reconnects the account. */
export class PausedRuns {
  readonly #parts: PausedRunsParts;
  readonly #continue: (run: Run, pause: Pause) => Promise<void>;

  constructor(parts: PausedRunsParts, continueRun: (run: Run, pause: Pause) => Promise<void>) {
    this.#parts = parts;
    this.#continue = continueRun;
  }

  /** Pauses a run whose step waits, is held or is a delay. */
  pause(run: Run, progress: Progress, result: StepResult): void {
    const dueAt = this.#dueAt(result);
    if (result.status === 'waiting') {
      const callbackMs = platform.callbackSeconds.is * 1000;
      run.pause = { ...structuredClone(progress), until: 'callback', dueAt: this.#parts.clock.now() + callbackMs };
    } else if (dueAt === undefined) {
      run.pause = { ...structuredClone(progress), until: 'reconnection' };
      this.#parts.connection.refuse();
    } else {
      run.pause = { ...structuredClone(progress), until: 'time', dueAt };
      this.#schedule(run);
    }
  }

  #dueAt({ dueAt, failure }: StepResult): number | undefined {
    const seconds = failure?.retryAfterSeconds;
    return seconds === undefined ? dueAt : this.#parts.clock.now() + seconds * 1000;
  }

  #schedule(run: Run): void {
    this.#parts.clock.at(run.pause?.dueAt ?? 0, () => this.#release(run, 'time'));
  }

  /** Continues a run, unless it no longer waits for this. */
  async #release(run: Run, until: Pause['until']): Promise<void> {
    const { pause } = run;
    if (pause?.until !== until) return;
    this.#endPause(run);
    await this.#continue(run, pause);
  }

  #endPause(run: Run): void {
    run.pause = undefined;
    run.status = 'running';
    this.#parts.runs.save(run);
  }

  /** Continues the runs that were held until the account was connected again, oldest first. */
  async releaseHeld(): Promise<void> {
    if (this.#parts.connection.holdsRuns) return;
    const held = this.#parts.runs.list().filter(({ pause }) => pause?.until === 'reconnection');
    for (const run of held.toReversed()) await this.#release(run, 'reconnection');
  }

  /** The run that waits for this callback, with where it continues. It no longer waits. */
  takeWaiting(id: string): { run: Run; pause: Pause } | undefined {
    const run = this.#parts.runs
      .list()
      .find((each) => each.pause?.until === 'callback' && id === callbackId(each, each.pause.index));
    if (!run?.pause || this.#parts.clock.now() > (run.pause.dueAt ?? Number.POSITIVE_INFINITY)) return undefined;
    const found = { run, pause: run.pause };
    this.#endPause(run);
    return found;
  }

  /** Takes over the runs of an earlier process. Those that it stopped in the middle of a step fail. */
  restore(): void {
    for (const run of this.#parts.runs.list()) {
      if (run.status === 'running') this.#fail(run);
      if (run.pause?.until === 'time') this.#schedule(run);
    }
  }

  #fail(run: Run): void {
    const { definition, zaps, runs } = this.#parts;
    const index = currentStep(run) ?? run.steps.length;
    const zap = zaps.find(run.zapId);
    const step = zap && runningSteps(zap)[index];
    const begun = run.steps[index] ?? { title: step ? titleOf(definition, step) : run.title, requests: [] };
    run.steps[index] = { ...begun, status: 'error', failure: stopped };
    run.status = 'error';
    runs.save(run);
  }
}

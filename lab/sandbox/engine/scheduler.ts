import type { LabClock } from '../../zapier/clock';

/** Work that comes due by the clock. */
export interface Job {
  /** Returns when the next work is due, or undefined when there is none. */
  nextDue(): number | undefined;
  /** Does some of the work that is due by `until`. */
  run(until: number): void;
}

const dueOf = (job: Job): number => job.nextDue() ?? Number.POSITIVE_INFINITY;

/** Runs the job that is due first until another one is due. Returns whether any was due. */
export const runNextDue = (jobs: readonly Job[], now: number): boolean => {
  const [first, second] = jobs.map((job) => ({ job, due: dueOf(job) })).sort((a, b) => a.due - b.due);
  if (!first || first.due > now) return false;
  first.job.run(Math.min(second?.due ?? now, now));
  return true;
};

const maxTimerMs = 2 ** 31 - 1;
/** The server handles requests after this many runs. */
const maxRunsAtOnce = 10;

/** Runs jobs as they come due by the clock, in that order. */
export class Scheduler {
  readonly #clock: LabClock;
  readonly #jobs: readonly Job[];
  #timer: NodeJS.Timeout | undefined;
  #wakeUp: NodeJS.Immediate | undefined;
  #isStopped = false;

  constructor(clock: LabClock, jobs: readonly Job[]) {
    this.#clock = clock;
    this.#jobs = jobs;
  }

  /** Looks for due work soon. Call it after adding work. */
  wake(): void {
    if (this.#wakeUp || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#wakeUp = setImmediate(() => {
      this.#wakeUp = undefined;
      this.#work();
    });
  }

  #nextDue(): number {
    return Math.min(...this.#jobs.map(dueOf));
  }

  #work(): void {
    const now = this.#clock.now();
    for (let runs = 0; runs < maxRunsAtOnce && runNextDue(this.#jobs, now); runs += 1);
    const due = this.#nextDue();
    if (due === Number.POSITIVE_INFINITY) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(this.#clock.realUntil(due), maxTimerMs));
  }

  /** Runs everything that is due by `until`. The server handles requests in between. */
  async catchUp(until: number): Promise<void> {
    do {
      this.#work();
      await new Promise((resolve) => setImmediate(resolve));
    } while (!this.#isStopped && this.#nextDue() <= until);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#wakeUp);
  }
}

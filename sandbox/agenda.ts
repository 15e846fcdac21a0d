import type { SandboxClock } from './clock';

/** Work that comes due by the clock. */
export interface Job {
  /** When there is next something to do; undefined when nothing waits for time to pass. */
  nextDue(): number | undefined;
  /** Does some of what is due. */
  run(): void;
}

/** When the first of the jobs is due. */
export const firstDue = (jobs: readonly Job[]): number =>
  Math.min(...jobs.map((job) => job.nextDue() ?? Number.POSITIVE_INFINITY));

const longestTimer = 2 ** 31 - 1;

/** Does the jobs as they come due. */
export class Agenda {
  readonly #clock: SandboxClock;
  readonly #jobs: readonly Job[];
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(clock: SandboxClock, jobs: readonly Job[]) {
    this.#clock = clock;
    this.#jobs = jobs;
  }

  /** Looks again soon at what is due: something new is, or the clock was put forward. */
  wake(): void {
    if (this.#turn || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#work();
    });
  }

  #work(): void {
    for (const job of this.#jobs) {
      if (firstDue([job]) <= this.#clock.now()) job.run();
    }
    const due = firstDue(this.#jobs);
    if (due === Number.POSITIVE_INFINITY) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(this.#clock.realUntil(due), longestTimer));
  }

  /** Does everything that is due by now, in turns, so that requests are answered in between. */
  async catchUp(): Promise<void> {
    do {
      this.#work();
      await new Promise((resolve) => setImmediate(resolve));
    } while (!this.#stopped && firstDue(this.#jobs) <= this.#clock.now());
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
  }
}

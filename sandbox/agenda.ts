import type { SQLInputValue } from 'node:sqlite';
import * as z from 'zod/mini';
import type { SandboxClock } from './clock';
import type { Database } from './database';

/** Work that comes due by the clock. */
export interface Job {
  /** When there is next something to do; undefined when nothing waits for time to pass. */
  nextDue(): number | undefined;
  /** Does some of what is due by then. */
  run(until: number): void;
}

const dueRow = z.object({ due_at: z.nullable(z.number()) });

/** The time that a query for `due_at` finds. */
export const readDue = (database: Database, sql: string, ...values: SQLInputValue[]): number | undefined =>
  database.first(dueRow, sql, ...values)?.due_at ?? undefined;

const dueOf = (job: Job): number => job.nextDue() ?? Number.POSITIVE_INFINITY;

/** Lets the job that is due first work until another is due, so that things happen in their order; false when none is. */
export const takeTurn = (jobs: readonly Job[], now: number): boolean => {
  const [first, second] = jobs.map((job) => ({ job, due: dueOf(job) })).sort((a, b) => a.due - b.due);
  if (!first || first.due > now) return false;
  first.job.run(Math.min(second?.due ?? now, now));
  return true;
};

const longestTimer = 2 ** 31 - 1;
/** After so many turns requests are answered before life goes on. */
const turnsAtOnce = 10;

/** Does the jobs as they come due. */
export class Agenda {
  readonly #clock: SandboxClock;
  readonly #life: readonly Job[];
  readonly #deliveries: Job;
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  #stopped = false;

  /** `life` happens in the order in which it is due; deliveries go out beside it. */
  constructor(clock: SandboxClock, life: readonly Job[], deliveries: Job) {
    this.#clock = clock;
    this.#life = life;
    this.#deliveries = deliveries;
  }

  /** Looks soon at what is due: something new is, or the clock was put forward. */
  wake(): void {
    if (this.#turn || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#work();
    });
  }

  #work(): void {
    const now = this.#clock.now();
    for (let turns = 0; turns < turnsAtOnce && takeTurn(this.#life, now); turns += 1);
    takeTurn([this.#deliveries], now);
    const due = Math.min(...[...this.#life, this.#deliveries].map(dueOf));
    if (due === Number.POSITIVE_INFINITY) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(this.#clock.realUntil(due), longestTimer));
  }

  /** Lives through everything that is due by now, in between answering requests. */
  async catchUp(): Promise<void> {
    do {
      this.#work();
      await new Promise((resolve) => setImmediate(resolve));
    } while (!this.#stopped && this.#life.some((job) => dueOf(job) <= this.#clock.now()));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
  }
}

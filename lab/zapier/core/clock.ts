/** The time, and work that is due at one. */
export interface Clock {
  /** The current time in ms since 1970. */
  now(): number;
  /** Runs the work when the clock shows `dueAt`, in ms since 1970. */
  at(dueAt: number, run: () => Promise<unknown>): void;
}

const maxTimerMs = 2 ** 31 - 1;

/** The clock of this machine. */
export class SystemClock implements Clock {
  readonly #timers = new Set<NodeJS.Timeout>();

  now(): number {
    return Date.now();
  }

  at(dueAt: number, run: () => Promise<unknown>): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (dueAt > this.now()) this.at(dueAt, run);
        else void run();
      },
      Math.min(Math.max(0, dueAt - this.now()), maxTimerMs),
    );
    this.#timers.add(timer);
  }

  /** Forgets the work that isn't due yet. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

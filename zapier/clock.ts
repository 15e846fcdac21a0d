/** The time, and work that is due at one. */
export interface Clock {
  /** The current time in ms since 1970. */
  now(): number;
  /** Runs the work when the clock shows `dueAt`, in ms since 1970. */
  at(dueAt: number, run: () => Promise<unknown>): void;
}

/** Lengths of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The time, and work that is due at one. */
export interface Clock {
  /** The current time in ms since 1970. */
  now(): number;
  /** Runs the work when the clock shows `dueAt`, in ms since 1970. */
  at(dueAt: number, run: () => Promise<unknown>): void;
}

/** Formats a time as the API does: ISO 8601, UTC, whole seconds. */
export const toIso = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

interface Work {
  dueAt: number;
  run: () => Promise<unknown>;
}

/** The most times that one jump stops for work. */
const maxStops = 1000;
const maxTimerMs = 2 ** 31 - 1;

/** A clock that starts at `start`, runs `speed` times as fast as this machine's, and can jump. */
export class LabClock implements Clock {
  readonly #start: number;
  readonly #speed: number;
  // The clock of the machine may be turned back.
  readonly #startedAt = performance.now();
  /** Does what else is due, at each stop of a jump. */
  catchUp: (now: number) => Promise<unknown> = async () => undefined;
  #jumpedMs = 0;
  #work: Work[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastJump: Promise<unknown> = Promise.resolve();

  constructor(start = Date.now(), speed = 1) {
    this.#start = start;
    this.#speed = speed;
  }

  now(): number {
    return Math.floor(this.#start + (performance.now() - this.#startedAt) * this.#speed + this.#jumpedMs);
  }

  /** By how many seconds, rounded, it's ahead of this machine's clock. */
  get aheadSeconds(): number {
    return Math.round((this.now() - Date.now()) / second);
  }

  /** The real milliseconds until the clock shows `time`, or 0 when it's past. */
  realUntil(time: number): number {
    return Math.max(0, (time - this.now()) / this.#speed);
  }

  at(dueAt: number, run: Work['run']): void {
    this.#work.push({ dueAt, run });
    this.#setTimer();
  }

  /** Moves the clock forward. Stops on the way for work, so that it happens at its time. Returns the time it moved to. */
  async advance(milliseconds: number): Promise<number> {
    const jump = this.#lastJump.then(() => this.#jumpTo(this.now() + milliseconds));
    this.#lastJump = jump.catch(() => undefined);
    return jump;
  }

  /** Shows the time of this machine again. What is due later waits until then. */
  reset(): void {
    this.#jumpedMs += Date.now() - this.now();
    this.#setTimer();
  }

  async #jumpTo(end: number): Promise<number> {
    for (let stops = 0; stops < maxStops && this.#nextDue() <= end; stops += 1) {
      await this.#moveTo(this.#nextDue());
      await this.#runDue();
    }
    await this.#moveTo(end);
    // What is due next is due sooner.
    this.#setTimer();
    return end;
  }

  async #moveTo(time: number): Promise<void> {
    this.#jumpedMs += Math.max(0, time - this.now());
    await this.catchUp(this.now());
  }

  #nextDue(): number {
    return Math.min(...this.#work.map(({ dueAt }) => dueAt));
  }

  async #runDue(): Promise<void> {
    const now = this.now();
    const due = this.#work.filter(({ dueAt }) => dueAt <= now);
    this.#work = this.#work.filter(({ dueAt }) => dueAt > now);
    await Promise.allSettled(due.map(({ run }) => run()));
    this.#setTimer();
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.#work.length === 0) return;
    const delay = Math.min(this.realUntil(this.#nextDue()), maxTimerMs);
    this.#timer = setTimeout(() => void this.#runDue(), delay);
  }

  /** Forgets the work that isn't due yet. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#work = [];
  }
}

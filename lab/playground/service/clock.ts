import * as z from 'zod/mini';
import type { Clock as ZapClock } from '../../zapier/core/clock';
import type { Service } from './service';

const shown = z.object({ now: z.string() });

/** The most times that one jump stops for work. */
const maxStops = 1000;
const maxTimerMs = 2 ** 31 - 1;

interface Work {
  dueAt: number;
  run: () => Promise<unknown>;
}

/** The service's clock, and the work of the playground that is due by it. */
export class Clock implements ZapClock {
  readonly #service: Service;
  #aheadMs: number;
  #work: Work[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastJump: Promise<unknown> = Promise.resolve();

  private constructor(service: Service, aheadMs: number) {
    this.#service = service;
    this.#aheadMs = aheadMs;
  }

  /** Reads the service's clock, which is ahead when somebody moved it before a restart. */
  static async read(service: Service): Promise<Clock> {
    const { now } = shown.parse(await service.control('POST', 'clock', { advance_seconds: 0 }));
    const aheadMs = Date.parse(now) - Date.now();
    return new Clock(service, aheadMs > 1000 ? aheadMs : 0);
  }

  /** The current time in ms since 1970. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** By how many seconds, rounded, the clock is ahead of this machine's. */
  get aheadSeconds(): number {
    return Math.round(this.#aheadMs / 1000);
  }

  /** Runs the work when the clock shows `dueAt`, in ms since 1970. */
  at(dueAt: number, run: Work['run']): void {
    this.#work.push({ dueAt, run });
    this.#setTimer();
  }

  /** Moves the clock forward. Stops on the way to run what is due, so that it happens at its time. */
  async advance(seconds: number): Promise<void> {
    const jump = this.#lastJump.then(() => this.#jumpTo(this.now() + seconds * 1000));
    this.#lastJump = jump.catch(() => undefined);
    return jump;
  }

  /** Shows the time of this machine again. What is due later waits until then. */
  async reset(): Promise<void> {
    const back = this.#lastJump.then(() => this.#reset());
    this.#lastJump = back.catch(() => undefined);
    return back;
  }

  async #reset(): Promise<void> {
    await this.#service.control('DELETE', 'clock');
    this.#aheadMs = 0;
    this.#setTimer();
  }

  async #jumpTo(end: number): Promise<void> {
    for (let stops = 0; stops < maxStops && this.#nextDue() <= end; stops += 1) {
      await this.#move(this.#nextDue() - this.now());
      await this.#runDue();
    }
    await this.#move(end - this.now());
    // What is due next is due sooner.
    this.#setTimer();
  }

  async #move(milliseconds: number): Promise<void> {
    const moved = Math.max(0, milliseconds);
    await this.#service.control('POST', 'clock', { advance_seconds: moved / 1000 });
    this.#aheadMs += moved;
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
    const delay = Math.min(Math.max(0, this.#nextDue() - this.now()), maxTimerMs);
    this.#timer = setTimeout(() => void this.#runDue(), delay);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#work = [];
  }
}

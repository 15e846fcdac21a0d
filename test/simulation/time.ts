/** Virtual time: everything that waits, waits in one queue, and the clock jumps from one entry to the next. */
import { AsyncResource } from 'node:async_hooks';
import crypto from 'node:crypto';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Random } from './random';

const RealDate = Date;
const realSetImmediate = setImmediate;

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A timer as Node returns it, with what libraries call on it. */
class Timer {
  isDone = false;
  constructor(
    readonly at: number,
    readonly run: () => void,
  ) {}
  ref = () => this;
  unref = () => this;
  hasRef = () => !this.isDone;
}

let nowMs = 0;
let pendingImmediates = 0;
let queue: Timer[] = [];

/** Adds a timer to the queue, after those of the same moment. */
const push = (timer: Timer): void => {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((queue[middle]?.at ?? 0) <= timer.at) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, timer);
};

/** The virtual time in milliseconds since 1970. */
export const now = (): number => nowMs;

/** Runs a function after a delay in virtual milliseconds. */
export const after = (delayMs: number, run: () => void): Timer => {
  const timer = new Timer(nowMs + (delayMs > 0 ? delayMs : 0), run);
  push(timer);
  return timer;
};

/** Resolves after a delay in virtual milliseconds. */
export const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => after(delayMs, () => resolve()));

const cancel = (timer: unknown): void => {
  if (timer instanceof Timer) timer.isDone = true;
};

const abortableSleep = <T>(delayMs = 0, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) return abort();
    const timer = after(delayMs, () => resolve(value));
    signal?.addEventListener('abort', () => {
      cancel(timer);
      abort();
    });
  });

const virtualSetTimeout = Object.assign(
  (run: (...args: unknown[]) => void, delayMs = 1, ...args: unknown[]) => {
    // The app's timers go on as the step that started them.
    const scope = new AsyncResource('Timer', { requireManualDestroy: true });
    return after(delayMs, () => scope.runInAsyncScope(run, undefined, ...args));
  },
  { [promisify.custom]: abortableSleep },
);

const VirtualDate = new Proxy(RealDate, {
  construct: (date, args, target) => Reflect.construct(date, args.length > 0 ? args : [nowMs], target),
  apply: () => new RealDate(nowMs).toString(),
  get: (date, key, receiver) => (key === 'now' ? now : Reflect.get(date, key, receiver)),
});

const countedSetImmediate = (run: (...args: unknown[]) => void, ...args: unknown[]) => {
  pendingImmediates += 1;
  return realSetImmediate(() => {
    pendingImmediates -= 1;
    run(...args);
  });
};

const abortAfter = (delayMs: number): AbortSignal => {
  const controller = new AbortController();
  after(delayMs, () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')));
  return controller.signal;
};

/** Replaces the clock, the timers and chance for this process. Call it before anything that may keep the real ones. */
export const takeOverTime = (): void => {
  process.env.TZ = 'UTC';
  const timing = { setTimeout: virtualSetTimeout, clearTimeout: cancel, setImmediate: countedSetImmediate };
  Object.assign(globalThis, timing, { Date: VirtualDate });
  Object.assign(timers, timing);
  Object.assign(timersPromises, { setTimeout: abortableSleep });
  Object.assign(AbortSignal, { timeout: abortAfter });
  Object.assign(performance, { now });
};

/** Starts a new time line at `startMs`, with the chance that the app sees. Drops what still waited. */
export const restartTime = (startMs: number, random: Random): void => {
  nowMs = startMs;
  queue = [];
  Math.random = () => random.next();
  const randomBytes = (size: number) => Buffer.from(Array.from({ length: size }, () => random.int(0, 255)));
  const hex = (size: number) => randomBytes(size).toString('hex');
  Object.assign(crypto, {
    randomBytes,
    randomUUID: () => `${hex(4)}-${hex(2)}-4${hex(2).slice(1)}-8${hex(2).slice(1)}-${hex(6)}`,
  });
};

/** Waits until everything that can go on without time has done so. */
const settle = async (): Promise<void> => {
  do await new Promise((resolve) => realSetImmediate(resolve));
  while (pendingImmediates > 0);
};

const realMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** How long a turn takes whose CPU time is asked for, and how old the figure before it may be, in real milliseconds. */
const [slowMs, freshMs] = [500, 100];

/**
 * Lets time pass until nothing waits any more, or it's over. Calls `onTurn` with the CPU time in milliseconds of each slow turn: asking the
 * system for it twice at every turn would take a fifth of a simulation.
 */
export const passAllTime = async (onTurn: (cpuMs: number) => void, isOver: () => boolean): Promise<void> => {
  let [usage, takenAt] = [process.cpuUsage(), realMs()];
  await settle();
  for (let timer = queue.shift(); timer && !isOver(); timer = queue.shift()) {
    if (timer.isDone) continue;
    timer.isDone = true;
    nowMs = timer.at;
    const startedAt = realMs();
    if (startedAt - takenAt > freshMs) [usage, takenAt] = [process.cpuUsage(), startedAt];
    timer.run();
    await settle();
    if (realMs() - startedAt < slowMs) continue;
    const { user, system } = process.cpuUsage(usage);
    onTurn((user + system) / 1_000);
  }
};

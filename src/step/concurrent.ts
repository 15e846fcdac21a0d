/** Work that may be slow: a limit of time, and a limit of how much runs at once. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns what work resolves to within `ms`; undefined when it's later or fails. Late work goes on. */
export const inTime = async <T>(work: Promise<T>, ms: number): Promise<T | undefined> => {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal });
  const results = [work, late].map((each) => each.catch(() => undefined));
  return Promise.race(results).finally(() => timer.abort());
};

/** Runs `work` for every item, for up to `max` of them at a time. An item that takes long holds up only its own turn. */
export const forEachParallel = async <T>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const queue = items.values();
  const takeTurns = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: max }, takeTurns));
};

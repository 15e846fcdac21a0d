import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type ZObject } from 'zapier-platform-core';

/** The time for all requests of a step, in milliseconds. Zapier ends a step after 30 s without showing our message. */
export const stepTimeoutMs = 23_000;

/** The time that a step then has to finish what it has begun, in milliseconds. */
const finishTimeoutMs = 5_000;

/** The longest pause before each retry, in milliseconds. */
const pausesMs = [400, 800, 1_600, 3_200, 6_400, 8_000, 8_000];

/** The time at which each step must end. All requests of a step have the same `z`. */
const deadlines = new WeakMap<ZObject, number>();

/** Returns how long a step can still take, in milliseconds. Its time starts with the first call. */
export const timeLeft = (z: ZObject): number => {
  const deadline = deadlines.get(z) ?? Date.now() + stepTimeoutMs;
  deadlines.set(z, deadline);
  return deadline - Date.now();
};

const finishing = new WeakSet<ZObject>();

/**
 * Gives a step five seconds for all that it still has to do, such as deleting a webhook. Slow requests before this can't
 * prevent it, and slow requests after this can't hold the result back.
 */
export const startFinishing = (z: ZObject): void => {
  if (finishing.has(z)) return;
  finishing.add(z);
  deadlines.set(z, Date.now() + finishTimeoutMs);
};

/** Gives a step at least five seconds for what must follow a request that may have been slow. */
export const ensureTimeLeft = (z: ZObject): void => {
  if (timeLeft(z) < finishTimeoutMs) startFinishing(z);
};

/**
 * Waits 0.2 to 8 s before a retry, counted from 0. Resolves to false at once when the step wouldn't have `leastMs` left
 * for it.
 */
export const pauseBefore = async (z: ZObject, retry: number, leastMs = 0): Promise<boolean> => {
  const longest = pausesMs[retry];
  // Random, so that steps that failed together don't retry together.
  const pause = (longest ?? 0) * (0.5 + Math.random() / 2);
  if (longest === undefined || pause + leastMs >= timeLeft(z)) return false;
  await sleep(pause);
  return true;
};

/**
 * Runs `read` until it finds something, since a new record may not be listed yet, and also after a rate limit. When the
 * step has no more time, it resolves to undefined, or rejects with the error of the rate limit.
 */
export const untilFound = async <T>(z: ZObject, read: () => Promise<T>): Promise<T> => {
  for (let retry = 0; ; retry += 1) {
    try {
      const found = await read();
      if (found !== undefined || !(await pauseBefore(z, retry))) return found;
    } catch (error) {
      if (!(error instanceof errors.ThrottledError) || !(await pauseBefore(z, retry))) throw error;
    }
  }
};

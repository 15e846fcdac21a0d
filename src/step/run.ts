/** What the requests of one run share: its account, and the time that is left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bundle, errors, type ZObject } from 'zapier-platform-core';

/** The time for all requests of a step, in milliseconds. Zapier ends a step after 30 s without showing our message. */
export const stepTimeoutMs = 23_000;

/** The time that a step then has to finish what it has begun, in milliseconds. */
const finishTimeoutMs = 5_000;

/** The longest pause before each retry, in milliseconds. */
const pausesMs = [400, 800, 1_600, 3_200, 6_400, 8_000, 8_000];

interface Run {
  account: Bundle['authData'];
  /** When the run must end, in milliseconds since 1970. */
  deadline?: number;
  isFinishing?: boolean;
}

/** The runs, by `z`, which all requests of a run have in common. */
const runs = new WeakMap<ZObject, Run>();

const runOf = (z: ZObject): Run => {
  const run = runs.get(z) ?? { account: {} };
  runs.set(z, run);
  return run;
};

/** Notes the account of a run, so that its requests can have the token and the fields of the connection. */
export const noteAccount = (z: ZObject, { authData }: Pick<Bundle, 'authData'>): void => {
  runOf(z).account = authData ?? {};
};

/** Returns what the person entered for the account of a run; nothing before it's noted. */
export const accountOf = (z: ZObject): Bundle['authData'] => runOf(z).account;

/** Returns how long a run can still take, in milliseconds. Its time starts with the first call. */
export const timeLeft = (z: ZObject): number => {
  const run = runOf(z);
  run.deadline ??= Date.now() + stepTimeoutMs;
  return run.deadline - Date.now();
};

/**
 * Gives a step five seconds for all that it still has to do, such as deleting a webhook. Slow requests before this can't
 * prevent it, and slow requests after this can't hold the result back.
 */
export const startFinishing = (z: ZObject): void => {
  const run = runOf(z);
  if (run.isFinishing) return;
  run.isFinishing = true;
  run.deadline = Date.now() + finishTimeoutMs;
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

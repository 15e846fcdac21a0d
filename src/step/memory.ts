/** What steps remember in Zapier's cache, which all accounts share, and which may be empty or fail. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** Returns what work resolves to within `ms`; undefined when it's later or fails. Late work goes on. */
export const inTime = async <T>(work: Promise<T>, ms: number): Promise<T | undefined> => {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal });
  const results = [work, late].map((each) => each.catch(() => undefined));
  return Promise.race(results).finally(() => timer.abort());
};

/** Returns a short text that differs for different values, and not for two encodings of one letter, such as é. */
export const digest = (...values: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values).normalize('NFC')).digest('hex');

/** The time limit for Zapier's cache, which fails outside of Zapier. It's no longer than a request takes. */
const timeoutMs = 500;

/** Returns what steps of an account remember under a name, and a function that changes it for some seconds. */
export const memory = async (z: ZObject, { authData }: Pick<Bundle, 'authData'>, ...name: unknown[]) => {
  const key = digest(...name, authData.base_url, authData.api_token);
  return {
    known: await inTime(z.cache.get(key), timeoutMs),
    remember: (value: object | number | string, seconds: number) => inTime(z.cache.set(key, value, seconds), timeoutMs),
  };
};

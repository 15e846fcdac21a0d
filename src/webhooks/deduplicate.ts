import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ZObject } from 'zapier-platform-core';

/** The service retries a delivery for less than a day. */
const ttlSeconds = 24 * 60 * 60;

/** The time limit for the cache. An occasional duplicate run is better than a late one. */
const timeoutMs = 1_000;

const wasSeen = async (z: ZObject, key: string): Promise<boolean> => {
  const ownMark = randomUUID();
  const isOtherMark = (value: unknown): boolean => Boolean(value) && value !== ownMark;
  // With `nx`, only one of two simultaneous deliveries can write. The read is for core's test cache, which lacks `nx`.
  const [before, written] = await Promise.all([
    z.cache.get(key),
    z.cache.set(key, ownMark, ttlSeconds, undefined, true),
  ]);
  return isOtherMark(before) || (written === false && isOtherMark(await z.cache.get(key)));
};

/** Resolves to false when Zapier's cache fails or is slow, since a duplicate run is better than a missing one. */
const isDuplicate = async (z: ZObject, key: string): Promise<boolean> => {
  const timer = new AbortController();
  try {
    return await Promise.race([wasSeen(z, key).catch(() => false), sleep(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
};

/** Returns the events that this subscription hasn't received before. */
export const removeDuplicates = async <T extends { id: string }>(
  z: ZObject,
  subscriptionId: string,
  events: T[],
): Promise<T[]> => {
  const fresh: T[] = [];
  for (const event of events) {
    if (!(await isDuplicate(z, `delivery:${subscriptionId}:${event.id}`))) fresh.push(event);
  }
  return fresh;
};

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ZObject } from 'zapier-platform-core';
import type { Delivery } from '../api/events';
import type { Subscription } from './delivery';

type Event = Pick<Delivery, 'id' | 'type'>;

/** The service retries a delivery for less than a day. */
const ttlSeconds = 24 * 60 * 60;

/** The time limit for the cache. An occasional duplicate run is better than a late one. */
const timeoutMs = 1_000;

/**
 * Returns the key of an event in the cache, which all accounts share. Only the secret keeps accounts apart, because two
 * of them may have the same ids. An event with a blank id has a new key each time.
 */
const keyOf = (subscription: Subscription, { id, type }: Event): string => {
  if (id.trim() === '') return randomUUID();
  const parts = [subscription.secret, subscription.id, id, type];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
};

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

/**
 * Returns the events that a subscription hasn't received before. When Zapier's cache fails or is slow, an event counts as
 * new, since a duplicate run is better than a missing one.
 */
export const removeDuplicates = async <T extends Event>(
  z: ZObject,
  subscription: Subscription,
  events: T[],
): Promise<T[]> => {
  const distinct = [...new Map(events.map((event) => [keyOf(subscription, event), event]))];
  const timer = new AbortController();
  // One limit for all events: if Zapier ended the step here, those already marked would be lost.
  const late = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const duplicates = await Promise.all(
    distinct.map(([key]) => Promise.race([wasSeen(z, key).catch(() => false), late])),
  );
  timer.abort();
  return distinct.filter((_, index) => !duplicates[index]).map(([, event]) => event);
};

/** Which events start a Zap: each one once, and of lines that a person writes in a row only the first. */
import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import type { Delivery } from '../api/events';
import { digest, inTime } from '../step/memory';
import type { Subscription } from './signature';

type Event = Pick<Delivery, 'id' | 'type'> & { record: { id?: unknown } };

/** The service retries a delivery for less than a day. */
const ttlSeconds = 24 * 60 * 60;

/** The time limit for the cache. An occasional duplicate run is better than a late one. */
const timeoutMs = 1_000;

/** Returns a key of a subscription in the cache. Only the secret keeps accounts apart, because two may have the same ids. */
const cacheKey = ({ secret, id }: Subscription, ...parts: string[]): string => digest(secret, id, ...parts);

/**
 * A message is received, sent, delivered, read and failed once, so it's the same event under another id. A conversation may
 * be opened and closed again and again.
 */
const keyOf = (subscription: Subscription, { id, type, record }: Event): string =>
  type.startsWith('message.') && record.id
    ? cacheKey(subscription, 'message', String(record.id), type)
    : cacheKey(subscription, id, type);

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
 * Whether a subscription hasn't received an event before, and marks it. When Zapier's cache fails or is slow, the event
 * counts as new, since a duplicate run is better than a missing one.
 */
export const isNew = async (z: ZObject, subscription: Subscription, event: Event): Promise<boolean> =>
  (await inTime(wasSeen(z, keyOf(subscription, event)), timeoutMs)) !== true;

/** How far apart the runs for records with the same key have to be. A record without a key always starts the Zap. */
export interface Spacing<R> {
  minutes: number;
  keyOf: (record: R) => string | undefined;
}

/** Whether a key is free, and taken from now on. Undefined when the cache doesn't say. */
const take = async (z: ZObject, key: string, seconds: number): Promise<boolean | undefined> => {
  // Read first, since core's cache for tests would overwrite the value.
  if (await z.cache.get(key)) return false;
  const written: unknown = await z.cache.set(key, true, seconds, undefined, true);
  return typeof written === 'boolean' ? written : undefined;
};

/**
 * Whether a record starts the Zap: of those with the same key, only the first one in so many minutes does. When Zapier's
 * cache fails or is slow, it does, since a run too many is better than a missing one.
 */
export const isApart = async <R>(
  z: ZObject,
  subscription: Subscription,
  record: R,
  { minutes, keyOf: groupOf }: Spacing<R>,
): Promise<boolean> => {
  const group = groupOf(record);
  if (group === undefined) return true;
  const key = cacheKey(subscription, 'spacing', group);
  return (await inTime(take(z, key, minutes * 60), timeoutMs)) !== false;
};

/** Starts a Zap once for lines that a person writes in a row. */
import type { ZObject } from 'zapier-platform-core';
import { askCache, cacheKey } from './deduplicate';
import type { Subscription } from './delivery';

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
 * Returns the events that start the Zap: of those with the same key, the first one in so many minutes. When Zapier's cache
 * fails or is slow, all of them do, since a run too many is better than a missing one.
 */
export const spaceOut = async <R, T extends { record: R }>(
  z: ZObject,
  subscription: Subscription,
  events: readonly T[],
  { minutes, keyOf }: Spacing<R>,
): Promise<T[]> => {
  const groups = Map.groupBy(events, ({ record }) => {
    const key = keyOf(record);
    return key === undefined ? undefined : cacheKey(subscription, 'spacing', key);
  });
  const keys = [...groups.keys()].filter((key) => key !== undefined);
  const free = await askCache(keys, (key) => take(z, key, minutes * 60));
  return [...groups].flatMap(([key, group]) => {
    const isFree = key === undefined ? undefined : free.get(key);
    if (isFree === undefined) return group;
    return isFree ? group.slice(0, 1) : [];
  });
};

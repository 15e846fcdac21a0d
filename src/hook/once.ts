/** Which events start a Zap: each one once, and of lines that a person writes in a row only the first. */
import { createHash, randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import type { Delivery } from '../api/events';
import { forEachParallel, inTime } from '../step/concurrent';
import type { Subscription } from './genuine';

type Event = Pick<Delivery, 'id' | 'type'> & { record: { id?: unknown } };

/** The service retries a delivery for less than a day. */
const ttlSeconds = 24 * 60 * 60;

/** The time limit for the cache. An occasional duplicate run is better than a late one. */
const timeoutMs = 1_000;

/** The number of events that are looked up at a time. More at once would only take more CPU time. */
const maxParallel = 50;

/** The number of events of a delivery that are looked up. The others count as new. */
const maxEvents = 1_000;

/**
 * Returns a key of a subscription in the cache, which all accounts share. Only the secret keeps accounts apart, because two
 * of them may have the same ids.
 */
const cacheKey = ({ secret, id }: Subscription, ...parts: string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([secret, id, ...parts]))
    .digest('hex');

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

/** Returns what `ask` says of each key, before the time is over. A key for which the cache fails has no answer. */
const askCache = async <T>(keys: readonly string[], ask: (key: string) => Promise<T>): Promise<Map<string, T>> => {
  const answers = new Map<string, T>();
  let isLate = false;
  const asking = forEachParallel(keys.slice(0, maxEvents), maxParallel, async (key) => {
    if (isLate) return;
    const answer = await ask(key).catch(() => undefined);
    if (answer !== undefined) answers.set(key, answer);
  });
  // One limit for all events: if Zapier ended the step here, those already marked would be lost.
  await inTime(asking, timeoutMs);
  isLate = true;
  return new Map(answers);
};

const removeSeen = async <T extends Event>(
  subscription: Subscription,
  events: readonly T[],
  isSeen: (key: string) => Promise<boolean>,
): Promise<T[]> => {
  const distinct = new Map(events.map((event) => [keyOf(subscription, event), event]));
  const seen = await askCache([...distinct.keys()], isSeen);
  return [...distinct].flatMap(([key, event]) => (seen.get(key) ? [] : [event]));
};

/** Returns the events that `markNew` hasn't marked before. When Zapier's cache fails or is slow, an event counts as new. */
export const removeMarked = <T extends Event>(
  z: ZObject,
  subscription: Subscription,
  events: readonly T[],
): Promise<T[]> => removeSeen(subscription, events, async (key) => Boolean(await z.cache.get(key)));

/**
 * Returns the events that a subscription hasn't received before, and marks them. When Zapier's cache fails or is slow, an
 * event counts as new, since a duplicate run is better than a missing one.
 */
export const markNew = <T extends Event>(z: ZObject, subscription: Subscription, events: readonly T[]): Promise<T[]> =>
  removeSeen(subscription, events, (key) => wasSeen(z, key));

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

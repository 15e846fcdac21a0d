import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';

/** How long the service may deliver an event again: 8 tries with growing pauses fit well into a day. */
const ttlSeconds = 24 * 60 * 60;

/** How long to wait for the cache. A prompt run is worth more than a late response. */
const timeoutMs = 1_000;

const wasSeen = async (z: ZObject, key: string): Promise<boolean> => {
  const mine = randomUUID();
  const isOfAnother = (value: unknown): boolean => Boolean(value) && value !== mine;
  // Together, since each is a request to Zapier. `nx`: of two deliveries at the same moment only one writes. Core's
  // stand-in in tests has no `nx`, hence the read.
  const [before, written] = await Promise.all([z.cache.get(key), z.cache.set(key, mine, ttlSeconds, undefined, true)]);
  return isOfAnother(before) || (written === false && isOfAnother(await z.cache.get(key)));
};

/**
 * Whether this subscription has seen the event before. Zapier's cache may be missing, fail or be slow: then the answer
 * is no, since a run too many is better than none.
 */
export const isDuplicateDelivery = (z: ZObject, subscriptionId: string, eventId: string): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false);
    const answer = (seen: boolean) => {
      clearTimeout(timer);
      resolve(seen);
    };
    wasSeen(z, `delivery:${subscriptionId}:${eventId}`).then(answer, () => answer(false));
  });

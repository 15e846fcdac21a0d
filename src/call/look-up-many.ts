import { errors, type ZObject } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import type { Endpoint } from '../api/endpoints';
import { forEachParallel } from '../step/concurrent';
import { pauseBefore, timeLeft } from '../step/deadline';
import { fail } from '../step/errors';
import { isGone, send } from './call';
import { decodeExchange } from './decode-response';
import { canRetry, type Outcome } from './outcome';

const maxParallel = 10;

/** The number of requests of one step. Each takes a millisecond or two of CPU time. */
const maxRequests = 500;

/** How often a record that is gone is asked for again. */
const goneRounds = 2;

const tooMany = (): Error =>
  fail(
    'The messaging service reported more events at once than this step can read. Replay the run to read the others.',
    'too_many',
  );

interface Found<T> {
  /** By their ids; undefined for a record that is gone. */
  records: Map<string, T | undefined>;
  /** Why others couldn't be read; undefined when there are none. */
  error: unknown;
}

type Attempt<T> = { record: T | undefined } | { error: unknown; canRetry: boolean };

const readOnce = async <T>(
  z: ZObject,
  endpoint: Endpoint & { response: zod.ZodMiniType<T> },
  id: string,
): Promise<Attempt<T>> => {
  let outcome: Outcome | undefined;
  try {
    const exchange = await send(z, endpoint, { id }, 0);
    outcome = exchange.outcome;
    const isMissing = !(outcome instanceof Error) && isGone(endpoint, outcome);
    return { record: isMissing ? undefined : decodeExchange(exchange) };
  } catch (error) {
    const isThrottled = error instanceof errors.ThrottledError;
    return { error, canRetry: isThrottled || (outcome !== undefined && canRetry(endpoint, outcome)) };
  }
};

/**
 * Reads records by their ids, ten at a time. Repeats what failed in rounds while the step has time, so that a record that
 * can't be read holds no other up.
 */
export const lookUpMany = async <T>(
  z: ZObject,
  endpoint: Endpoint & { response: zod.ZodMiniType<T> },
  ids: readonly string[],
): Promise<Found<T>> => {
  const records = new Map<string, T | undefined>();
  const failures = new Map<string, unknown>();
  let left = [...new Set(ids)];
  let requests = 0;
  for (let round = 0; left.length > 0; round += 1) {
    const later: string[] = [];
    await forEachParallel(left, maxParallel, async (id) => {
      if (requests >= maxRequests || timeLeft(z) <= 0) return;
      requests += 1;
      const attempt = await readOnce(z, endpoint, id);
      if ('record' in attempt) {
        records.set(id, attempt.record);
        // A record may not be readable yet at the moment of its event.
        if (attempt.record === undefined && round < goneRounds) later.push(id);
        return;
      }
      failures.set(id, attempt.error);
      if (attempt.canRetry) later.push(id);
    });
    left = later;
    if (left.length > 0 && !(await pauseBefore(z, round))) break;
  }
  const unread = ids.filter((id) => !records.has(id));
  const [failure = tooMany()] = unread.flatMap((id) => failures.get(id) ?? []);
  return { records, error: unread.length > 0 ? failure : undefined };
};

import { EventEmitter, once } from 'node:events';
import * as z from 'zod/mini';
import { fieldValue } from '../fields/form';
import { toStep } from '../kinds';
import type { Zaps } from '../zap/kept-zaps';
import type { Deliveries, Handled } from './deliveries';
import type { Subscriptions } from './subscriptions';

/** A Zap of one trigger that is on. */
export interface LiveTrigger {
  /** The URL that receives its deliveries. */
  targetUrl: string;
  /** The result of the app's subscribe step. */
  subscribeData: unknown;
  /** The records of the next delivery. Rejects with the step's error, or when none arrives in 30 seconds. */
  nextRun: () => Promise<readonly unknown[]>;
  /** Rejects with a sentence when the service keeps the webhook. */
  turnOff: () => Promise<void>;
}

interface LiveParts {
  zaps: Zaps;
  subscriptions: Subscriptions;
  deliveries: Deliveries;
}

const inputValues = z.record(z.string(), fieldValue);

const timeoutMs = 30_000;

/** Turns on a Zap that has only a trigger, by its key. Rejects with the error of core. */
export const turnOnTrigger = async (
  { zaps, subscriptions, deliveries }: LiveParts,
  key: string,
  inputData: Record<string, unknown>,
): Promise<LiveTrigger> => {
  const values = inputValues.parse(inputData);
  const zap = zaps.add([toStep({ type: 'app', operation: `triggers.${key}`, values })]);
  const waiting: Handled[] = [];
  const arrivals = new EventEmitter();
  const stopHearing = deliveries.onHandled((handled) => {
    if (handled.zap !== zap) return;
    waiting.push(handled);
    arrivals.emit('arrival');
  });
  await subscriptions.turnOn(zap);

  const nextRun = async (): Promise<readonly unknown[]> => {
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const handled = waiting.shift();
      if (handled?.failure) throw new Error(handled.failure.message);
      if (handled) return handled.records;
      await once(arrivals, 'arrival', { signal }).catch(() => {
        throw new Error('No delivery arrived within 30 seconds.');
      });
    }
  };

  return {
    targetUrl: zap.subscription?.targetUrl ?? '',
    subscribeData: zap.subscription?.data,
    nextRun,
    turnOff: async () => {
      stopHearing();
      const problem = await subscriptions.turnOff(zap);
      if (problem) throw new Error(problem);
    },
  };
};

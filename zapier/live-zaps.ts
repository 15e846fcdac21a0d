import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { listen } from '../cli/listen';
import type { RunStep } from './core';
import { receiveDelivery } from './delivery';

/** A Zap that is turned on. */
export interface Zap {
  /** The URL that receives its deliveries. */
  targetUrl: string;
  /** The result of the app's subscribe step. */
  subscribeData: unknown;
  /** The records of the next delivery. Rejects with the step's error, or when none arrives in 30 seconds. */
  nextRun: () => Promise<unknown[]>;
  turnOff: () => Promise<void>;
}

/** A simulated Zapier that runs steps and receives deliveries for Zaps that are turned on. */
export interface Zapier {
  run: RunStep;
  turnOn: (trigger: string, inputData?: Record<string, unknown>) => Promise<Zap>;
  stop: () => Promise<void>;
}

const timeoutMs = 30_000;

/** A queue of results. Each is a function, so that an error is thrown to the reader. */
const createQueue = () => {
  const arrived: (() => unknown[])[] = [];
  const arrivals = new EventEmitter();
  const put = (take: () => unknown[]): void => {
    arrived.push(take);
    arrivals.emit('arrival');
  };
  const next = async (): Promise<unknown[]> => {
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const take = arrived.shift();
      if (take) return take();
      await once(arrivals, 'arrival', { signal }).catch(() => {
        throw new Error('No delivery arrived within 30 seconds.');
      });
    }
  };
  return { put, next };
};

const subscription = z.looseObject({});

/** Starts a simulated Zapier on a loopback address that uses the connection `authData` for every step. */
export const startZapier = async (runStep: RunStep, authData: Record<string, string>): Promise<Zapier> => {
  const zaps = new Map<string, (request: IncomingMessage) => Promise<void>>();
  let count = 0;

  const run: RunStep = async (path, bundle, around) => runStep(path, { authData, ...bundle }, around);

  const { url, stop } = await listen(async (request, response) => {
    const receive = zaps.get(request.url?.split('?')[0] ?? '');
    // Zapier responds with 410 when the Zap is off, and otherwise responds before the Zap runs.
    if (!receive) return void response.writeHead(410).end();
    await receive(request);
    response.writeHead(200).end();
  });

  const turnOn: Zapier['turnOn'] = async (trigger, inputData = {}) => {
    const path = `/hooks/${trigger}/${++count}`;
    const targetUrl = url + path;
    const operation = `triggers.${trigger}.operation`;
    const queue = createQueue();
    const subscribeData = subscription.parse(await run(`${operation}.performSubscribe`, { inputData, targetUrl }));
    zaps.set(path, async (request) => {
      const delivery = await receiveDelivery(request);
      run(`${operation}.perform`, { inputData, subscribeData, ...delivery }).then(
        (records) => queue.put(() => z.array(z.unknown()).parse(records)),
        (error: unknown) =>
          queue.put(() => {
            throw error;
          }),
      );
    });
    return {
      targetUrl,
      subscribeData,
      nextRun: queue.next,
      turnOff: async () => {
        await run(`${operation}.performUnsubscribe`, { inputData, subscribeData, targetUrl });
        zaps.delete(path);
      },
    };
  };

  return { run, turnOn, stop };
};

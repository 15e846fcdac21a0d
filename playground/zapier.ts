import './quiet-core';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Bundle, createAppTester, type ZObject } from 'zapier-platform-core';
import * as z from 'zod/mini';
import app from '../src';
import { appWithOnly } from './app-with-only';
import { listen } from './listen';

type Perform = (z: ZObject, bundle: Bundle) => unknown;
type BundleParts = Partial<Omit<Bundle, 'meta'>> & { meta?: Partial<Bundle['meta']> };

// A list of fields is also a step, because core runs the functions in it.
const perform = z.custom<Perform>((value) => typeof value === 'function' || Array.isArray(value));
const branch = z.record(z.string(), z.unknown());

/** Finds a step by its path in the app, such as `creates.send_message.operation.perform`. Throws when there is none. */
export const findPerform = (path: string): Perform =>
  perform.parse(path.split('.').reduce<unknown>((at, key) => branch.parse(at)[key], app));

const createTester = (key: string) => createAppTester(appWithOnly(key));

const testers = new Map<string, ReturnType<typeof createTester>>();

const testerOf = (key: string) => {
  const tester = testers.get(key) ?? createTester(key);
  testers.set(key, tester);
  return tester;
};

/** Runs a step on Zapier's core by its path in the app, such as `creates.send_message.operation.perform`. */
export const runStep = async (path: string, { meta = {}, ...bundle }: BundleParts = {}): Promise<unknown> =>
  testerOf(path.split('.')[1] ?? '')<unknown, Bundle>(findPerform(path), { inputData: {}, ...bundle, meta });

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
  run: typeof runStep;
  turnOn: (trigger: string, inputData?: Record<string, unknown>) => Promise<Zap>;
  stop: () => Promise<void>;
}

/** The headers with the names that Zapier passes to an app: `webhook-id` becomes `Http-Webhook-Id`. */
const toZapierHeaders = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const camel = name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
      return [/^content-(type|length)$/i.test(name) ? camel : `Http-${camel}`, String(value)];
    }),
  );

const timeoutMs = 30_000;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** The request as Zapier passes it to the `perform` of an instant trigger. */
export const receiveDelivery = async (request: IncomingMessage) => {
  const content = (await buffer(request)).toString();
  const headers = toZapierHeaders(request.headers);
  return {
    rawRequest: { method: 'POST' as const, querystring: request.url?.split('?')[1] ?? '', headers, content },
    cleanedRequest: parseJson(content),
  };
};

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

const subscription = z.looseObject({ id: z.string() });

/** Starts a simulated Zapier on a loopback address that uses the connection `authData` for every step. */
export const startZapier = async (authData: Record<string, string>): Promise<Zapier> => {
  const zaps = new Map<string, (request: IncomingMessage) => Promise<void>>();
  let count = 0;

  const run: Zapier['run'] = async (path, bundle) => runStep(path, { authData, ...bundle });

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

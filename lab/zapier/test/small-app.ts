/** A small app, and a stand-in that runs its Zaps in this process, by a clock that a test moves. */
import { createZapier, type Zapier } from '..';
import { Account } from '../core/connection';
import type { AppStep, Step } from '../kinds';
import { platform } from '../platform';
import type { Store } from '../zap/store';

interface Core {
  errors: {
    HaltedError: new (message: string) => Error;
    ExpiredAuthError: new (message: string) => Error;
    ThrottledError: new (message: string, seconds?: number) => Error;
  };
  generateCallbackUrl: () => string;
}

interface Given {
  inputData: { name?: string; of?: string };
  authData: { token?: string };
  cleanedRequest: Record<string, unknown>;
  outputData: object;
  targetUrl: string;
  subscribeData: { id: string };
}

/** Two runs for one name in ten minutes, for all actions that say so. */
const limit = { window: 600, limit: 2, key: 'thing-{{bundle.inputData.name}}', scope: ['auth'] };

const labeled = (label: string) => ({ label, description: `Does what ${label} says.` });
const nothing = async (): Promise<unknown> => undefined;

/** What the service behind the app does, and what the app did. */
export const newService = () => ({
  /** The names that the steps ran with, in order. */
  ran: [] as string[],
  /** When the app subscribed and unsubscribed, and when a question began, ended and was answered, in order. */
  log: [] as string[],
  isBusy: false,
  /** For how long it is busy, as it says. */
  busySeconds: 60,
  isDown: false,
  token: 'secret',
  /** The records that a poll finds. */
  found: 1,
  /** The webhooks that exist, by their ids. */
  webhooks: new Map<string, { targetUrl: string; of: string | undefined }>(),
  /** How often the app subscribed. */
  subscriptions: 0,
  /** For how long a webhook exists, in seconds of the clock. */
  lifetime: undefined as number | undefined,
  now: (): number => 0,
  /** Goes on while a step runs, or while the app subscribes. */
  during: nothing,
  subscribing: nothing,
});
type SmallService = ReturnType<typeof newService>;

const createApp = (service: SmallService) => {
  const create = (key: string, perform: (z: Core, given: Given) => unknown, extra: object = {}) => ({
    key,
    noun: 'Thing',
    display: labeled(`Act ${key}`),
    operation: {
      inputFields: [{ key: 'name', label: 'Name' }],
      sample: { id: 1 },
      perform: async (z: Core, given: Given) => {
        service.ran.push(String(given.inputData.name));
        service.log.push(`${key} begins`);
        await service.during();
        service.log.push(`${key} ends`);
        return perform(z, given);
      },
      ...extra,
    },
  });
  const trigger = (key: string, operation: object) => ({
    key,
    noun: 'Thing',
    display: labeled(key),
    operation: { inputFields: [{ key: 'of', label: 'Of' }], sample: { id: 1, person: { name: 'Noor' } }, ...operation },
  });
  const mustBeUp = () => {
    if (service.isDown) throw new Error('The service is down.');
  };
  const subscribe = async (_z: unknown, { targetUrl, inputData }: Given) => {
    service.subscriptions += 1;
    await service.subscribing();
    mustBeUp();
    service.log.push('subscribed');
    const id = `webhook-${service.subscriptions}`;
    service.webhooks.set(id, { targetUrl, of: inputData.of });
    const expiresAt = service.lifetime && new Date(service.now() + service.lifetime * 1000).toISOString();
    return { id, ...(expiresAt && { expiration_date: expiresAt }) };
  };
  const unsubscribe = (_z: unknown, { subscribeData }: Given) => {
    mustBeUp();
    service.log.push('unsubscribed');
    service.webhooks.delete(subscribeData.id);
    return {};
  };
  return {
    version: '1.0.0',
    platformVersion: '19.1.0',
    // Otherwise core wraps Node's HTTP clients for good, also for the next test file of this worker.
    flags: { skipHttpPatch: true },
    triggers: {
      came: trigger('came', {
        type: 'hook',
        perform: ({ errors }: Core, { cleanedRequest }: Given) => {
          if (cleanedRequest.isBad) throw new errors.HaltedError('It may not come from the service.');
          if (cleanedRequest.isEarly && service.isBusy)
            throw new errors.ThrottledError('Too many.', service.busySeconds);
          return Array.isArray(cleanedRequest.records) ? cleanedRequest.records : [cleanedRequest];
        },
        performList: () => [],
        performSubscribe: subscribe,
        performUnsubscribe: unsubscribe,
      }),
      found: trigger('found', {
        type: 'polling',
        perform: () => {
          mustBeUp();
          return Array.from({ length: service.found }, (_, id) => ({ id })).reverse();
        },
      }),
      changed: trigger('changed', {
        type: 'polling',
        outputFields: ['id', 'at'].map((key) => ({ key, primary: true })),
        perform: () => [{ id: 1, at: service.found }],
      }),
    },
    creates: {
      note: create('note', (_z, { inputData }) => ({ id: 1, name: inputData.name })),
      limited: create('limited', () => ({ id: 1 }), { throttle: limit }),
      alone: create('alone', () => ({ id: 1 }), { lock: { key: 'thing-{{bundle.inputData.name}}', timeout: 60 } }),
      halt: create('halt', ({ errors }) => {
        throw new errors.HaltedError('Nothing to do.');
      }),
      fail: create('fail', () => {
        mustBeUp();
        return { id: 1 };
      }),
      throttle: create('throttle', ({ errors }) => {
        if (service.isBusy) throw new errors.ThrottledError('Too many.', service.busySeconds);
        return { id: 1 };
      }),
      sign: create('sign', ({ errors }, { authData }) => {
        if (authData.token !== service.token) throw new errors.ExpiredAuthError('The token is no longer valid.');
        return { id: 1 };
      }),
      ask: create('ask', (z) => ({ id: 1, callback: z.generateCallbackUrl() }), {
        performResume: ({ errors }: Core, { outputData, cleanedRequest }: Given) => {
          service.log.push('ask resumes');
          if (cleanedRequest.isBad) throw new errors.HaltedError('It may not be the answer.');
          return { ...outputData, ...cleanedRequest };
        },
      }),
    },
    searches: {
      // It finds a thing for each letter that stands alone in its name.
      find: {
        key: 'find',
        noun: 'Thing',
        display: labeled('Find Thing'),
        operation: {
          inputFields: [{ key: 'name', label: 'Name' }],
          perform: (_z: unknown, { inputData }: Given) => {
            service.log.push(`finds ${JSON.stringify(inputData)}`);
            const found = inputData.name?.match(/\b[a-z]\b/g) ?? [];
            return found.map((id) => ({ id, at: { place: `place of ${id}` } }));
          },
        },
      },
    },
  };
};

/** A step of the small app. Its name is its id, too. */
export const step = (operation: string, name: string): AppStep => ({
  type: 'app',
  id: name,
  operation,
  values: { name },
  labels: {},
});

/** A step that notes its name. */
export const note = (name: string): AppStep => step('creates.note', name);

/** An instant trigger, or another one. */
export const trigger = (operation = 'triggers.came', values: AppStep['values'] = {}): AppStep => ({
  ...step(operation, 'trigger'),
  values,
});

/** What a test may say of the stand-in. */
interface Settings {
  store?: Store;
  service?: SmallService;
}

const stops: (() => Promise<void>)[] = [];

/** Stops every stand-in that a test started. */
export const stopAll = async (): Promise<void> => {
  for (const stop of stops.splice(0)) await stop();
};

/** Starts a stand-in for another app, whose clock stands still. */
export const startApp = async (app: object) => {
  const zapier = createZapier({ version: '1.0.0', platformVersion: '19.1.0', flags: { skipHttpPatch: true }, ...app });
  const clock = { now: () => 0, at: () => undefined };
  const started = await zapier.startZapier({ clock, authData: {}, address: 'http://127.0.0.1:9' });
  stops.push(started.stop);
  return { ...started, definition: zapier.definition };
};

/** Starts a stand-in for the small app, whose clock moves by `pass`. */
export const startSmall = async ({ service = newService(), ...settings }: Settings = {}) => {
  const time = { now: service.now(), due: [] as { at: number; run: () => Promise<unknown> }[] };
  service.now = () => time.now;
  const connection = new Account({ token: 'secret' });
  const clock = { now: () => time.now, at: (at: number, run: () => Promise<unknown>) => time.due.push({ at, run }) };
  const { definition, startZapier } = createZapier(createApp(service));
  const zapier = await startZapier({ ...settings, clock, connection });
  stops.push(zapier.stop);

  const runDue = async () => {
    const due = time.due.filter(({ at }) => at <= time.now);
    time.due = time.due.filter(({ at }) => at > time.now);
    await Promise.all(due.map(({ run }) => run()));
  };
  const settled = () => zapier.work.settled(runDue);
  /** Lets time pass, and stops on the way for what is due. */
  const pass = async (seconds: number) => {
    const end = time.now + seconds * 1000;
    for (let next = time.now; next <= end; next = Math.min(...time.due.map(({ at }) => at))) {
      time.now = next;
      await settled();
    }
    time.now = end;
  };
  /** Delivers a record to a Zap that is on, and waits until everything has settled. Returns the status. */
  const deliver = async (
    zap: ReturnType<Zapier['addZap']>,
    body: object = { id: 1 },
    url = zap.subscription?.targetUrl ?? '',
  ) => {
    const rawRequest = { method: 'POST' as const, querystring: '', headers: {}, content: JSON.stringify(body) };
    const isTaken = zapier.deliveries.receive(url.split('/').at(-1) ?? '', { rawRequest, cleanedRequest: body });
    await settled();
    return isTaken ? 200 : platform.offStatus.is;
  };
  /** A Zap of these steps after an instant trigger. It is off. */
  const zapOf = (...steps: Step[]) => zapier.zaps.add([trigger(), ...steps]);
  /** A Zap that is on. */
  const zapOn = async (...steps: Step[]) => {
    const zap = zapOf(...steps);
    await zapier.subscriptions.turnOn(zap);
    return zap;
  };
  const statuses = () => zapier.runs.list().map(({ status }) => status);
  return { ...zapier, definition, service, connection, settled, pass, deliver, zapOf, zapOn, statuses };
};

/** A promise, and what fulfills it. */
export const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

/** Lets the work of this process go on until something is so. */
export const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(setImmediate);
};

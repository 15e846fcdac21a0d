import { type Clock, LabClock } from './clock';
import { Account, type Connection } from './core/connection';
import type { Definition } from './core/definition';
import type { RunStep } from './core/handler';
import type { StepResult } from './core/result';
import { Work } from './core/work';
import { Editor } from './editor/editor';
import { Rehearsals } from './editor/rehearsal';
import { toStep, type WrittenStep } from './kinds';
import { AppRunner } from './kinds/app-runner';
import type { OtherApps } from './kinds/kind';
import { listen } from './listen';
import { Runs } from './runs/kept-runs';
import { Runner } from './runs/run-zaps';
import { Deliveries, type DeliveriesParts } from './starts/deliveries';
import { turnOnTrigger } from './starts/live-trigger';
import { Polling } from './starts/polling';
import { Receiver } from './starts/receiver';
import { RpcStore } from './starts/rpc';
import { Subscriptions, type SubscriptionsParts } from './starts/subscriptions';
import { Zaps } from './zap/kept-zaps';
import { MemoryStore, type Store } from './zap/store';

/** What a started Zapier may be given. Without it, everything is in memory, by the clock of this machine. */
export interface ZapierSettings extends Pick<DeliveriesParts, 'noteArrival'>, Pick<SubscriptionsParts, 'onSubscribed'> {
  /** What the account is connected with. */
  authData?: Record<string, string>;
  /** The account, if it can be refused and connected again. */
  connection?: Connection;
  store?: Store;
  clock?: Clock;
  /** The address whose requests somebody else's server passes to `respond`. Without one, a server is started. */
  address?: string;
  /** The headers of API requests that a run keeps, in lower case. */
  shownHeaders?: readonly string[];
  /** The account with which an operation can be rehearsed, since nothing of it stays. Without it, none is. */
  rehearsalAuth?: (operation: string) => Record<string, string>;
  /** Hears that a run went on, with what a step gave. */
  notify?: (result?: StepResult) => void;
  /** What other apps have and give. */
  others?: OtherApps;
}

/** A clock whose work counts while it goes on. */
const countedClock = (clock: Clock, work: Work): Clock => ({
  now: () => clock.now(),
  at: (dueAt, run) => clock.at(dueAt, () => work.add(run())),
});

interface Started {
  url: string;
  stop(): Promise<void>;
}

/** Starts the server that receives deliveries and callbacks, unless somebody else's server does. */
const startReceiver = async (address: string | undefined, respond: Receiver['respond']): Promise<Started> =>
  address === undefined ? listen(respond) : { url: address, stop: async () => undefined };

/** Starts an editor and a runner of Zaps. Zaps that are on and have no webhook are polled until `stop`. */
export const startZapier = async (definition: Definition, runStep: RunStep, settings: ZapierSettings) => {
  const { authData = {}, connection = new Account(authData), store = new MemoryStore() } = settings;
  const { shownHeaders = [], notify = () => undefined, address } = settings;
  const systemClock = new LabClock();
  const work = new Work();
  let receive: Receiver['respond'] = async (_, response) => void response.writeHead(503).end();
  const server = await startReceiver(address, (...exchange) => receive(...exchange));

  const clock = countedClock(settings.clock ?? systemClock, work);
  const run: RunStep = (path, bundle, around) => work.add(runStep(path, bundle, around));
  const app = new AppRunner({ definition, runStep: run, connection, address: server.url, shownHeaders });
  const { rehearsalAuth } = settings;
  const runnerOf = (operation: string) => rehearsalAuth && app.with(new Account(rehearsalAuth(operation)));
  const rehearsals = new Rehearsals({ app, clock, runnerOf });
  const [zaps, runs] = [new Zaps(store), new Runs(store, clock)];
  const { others } = settings;
  const common = {
    definition,
    connection,
    address: server.url,
    clock,
    work,
    zaps,
    runs,
    app,
    notify,
    others,
  };
  const runner = new Runner(common);
  const polling = new Polling({ ...common, runner });
  const subscriptions = new Subscriptions({ ...common, polling, onSubscribed: settings.onSubscribed });
  const deliveries = new Deliveries({ ...common, runner, noteArrival: settings.noteArrival });
  const receiver = new Receiver({ deliveries, runner, rpc: new RpcStore(store, clock) });
  receive = (request, response) => receiver.respond(request, response);

  return {
    /** Where it receives deliveries and callbacks. */
    url: server.url,
    zaps,
    runs,
    work,
    runner,
    editor: new Editor({ ...common, runner, rehearsals }),
    subscriptions,
    deliveries,
    polling,
    /** Responds to a request to its address. */
    respond: receive,
    /** Runs a step with the account, by its path in the app. Rejects with core's error. */
    run: (path: string, bundle?: Parameters<RunStep>[1]) => runStep(path, { authData: connection.authData, ...bundle }),
    /** Turns on a Zap that has only a trigger, by its key. */
    turnOn: (key: string, inputData: Record<string, unknown> = {}) =>
      turnOnTrigger({ zaps, subscriptions, deliveries }, key, inputData),
    /** Adds a Zap that is off. `{{1.contact.phone}}` in a text is an output of step 1. */
    addZap: (steps: readonly WrittenStep[], title?: string) => zaps.add(steps.map(toStep), title),
    /**
     * Goes on with what the store has from an earlier process: runs that wait, runs that were held, and subscriptions, of
     * which the service still has those with the `known` ids.
     */
    restore: async (known: ReadonlySet<string> = new Set()): Promise<void> => {
      await subscriptions.restore(known);
      runner.paused.restore();
      await runner.paused.releaseHeld();
    },
    /** Resolves when no run goes on. */
    settled: () => work.settled(async () => undefined),
    stop: async (): Promise<void> => {
      polling.stop();
      systemClock.stop();
      await server.stop();
    },
  };
};

import type { Clock } from './clock';
import { Deliveries, type DeliveriesParts } from './deliveries';
import { Editor } from './editor';
import { Polling } from './polling';
import { RpcStore } from './rpc';
import type { StepResult } from './run';
import { Runner } from './runner';
import { type StepParts, StepRunner } from './step';
import type { Store } from './store';
import { Subscriptions, type SubscriptionsParts } from './subscriptions';
import { Zaps } from './zaps';

interface Hears extends Pick<DeliveriesParts, 'noteArrival'>, Pick<SubscriptionsParts, 'onSubscribed'> {
  /** Hears that a run went on, with what a step of this app gave. */
  notify: (result?: StepResult) => void;
}

/** Where Zaps are kept and run, and who hears of them. */
export type ZapsSettings = Omit<StepParts, 'definition' | 'runStep'> & Hears & { clock: Clock; store: Store };

/** Starts an editor and a runner of Zaps. Zaps that are on and have no webhook are polled until `stop`. */
export const startZaps = ({ store, ...settings }: StepParts & ZapsSettings) => {
  const zaps = new Zaps(store, settings.clock);
  const common = { ...settings, zaps, stepRunner: new StepRunner(settings) };
  const runner = new Runner(common);
  const polling = new Polling({ ...common, runner });
  return {
    zaps,
    runner,
    editor: new Editor({ ...common, runner }),
    subscriptions: new Subscriptions({ ...common, polling }),
    deliveries: new Deliveries({ ...common, runner }),
    rpc: new RpcStore(store),
    polling,
    stop: () => polling.stop(),
  };
};

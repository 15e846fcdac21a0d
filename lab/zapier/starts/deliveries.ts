import type { Failure } from '../core/result';
import type { AppStep } from '../kinds';
import type { HookDelivery } from '../runs/run';
import type { Runner, RunnerParts } from '../runs/run-zaps';
import { runningTrigger, type Subscription, type Zap } from '../zap/zap';

/** A delivery that reached a Zap that is on. */
export interface Delivered {
  subscription: Subscription;
  delivery: HookDelivery;
  /** What the Zap did with it. Empty until it did. */
  outcome: string;
}

/** What a trigger made of a delivery. */
export interface Handled {
  zap: Zap;
  records: readonly unknown[];
  failure: Failure | undefined;
}

export interface DeliveriesParts extends Pick<RunnerParts, 'zaps' | 'work' | 'notify'> {
  runner: Runner;
  /** Hears of each delivery before the Zap runs. Returns what its runs name as their cause. */
  noteArrival?: ((arrival: Delivered) => string) | undefined;
}

/** Receives the deliveries of Zaps that are on. */
export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #listeners = new Set<(handled: Handled) => void>();

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
  }

  /** Calls `hear` for each delivery after the trigger ran with it. Returns what ends that. */
  onHandled(hear: (handled: Handled) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  /** Receives a delivery. Returns false when no Zap that is on has this address. Zapier then responds with 410. */
  receive(hookId: string, delivery: HookDelivery): boolean {
    const zap = this.#parts.zaps.list().find(({ subscription }) => subscription?.targetUrl.endsWith(`/${hookId}`));
    const trigger = zap && runningTrigger(zap);
    if (!zap?.isOn || !zap.subscription || !trigger) return false;
    this.#parts.work.inBackground(this.#take(zap, zap.subscription, trigger, delivery));
    return true;
  }

  async #take(zap: Zap, subscription: Subscription, trigger: AppStep, delivery: HookDelivery): Promise<void> {
    const arrival: Delivered = { subscription, delivery, outcome: '' };
    const cause = this.#parts.noteArrival?.(arrival);
    const { failure, records } = await this.#parts.runner.trigger(zap, trigger, delivery, cause);
    arrival.outcome = failure?.message ?? (records.length > 0 ? 'Started a run' : 'Started no run');
    for (const hear of this.#listeners) hear({ zap, records, failure });
    this.#parts.notify();
  }
}

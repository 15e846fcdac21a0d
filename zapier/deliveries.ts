import type { IncomingMessage } from 'node:http';
import { inBackground } from './background';
import { receiveDelivery } from './delivery';
import type { HookDelivery } from './run';
import type { Runner, RunnerParts } from './runner';
import { type OwnStep, runningSteps, type Subscription, type Zap } from './zap';

/** A delivery that reached a Zap that is on. */
export interface Arrival {
  subscription: Subscription;
  delivery: HookDelivery;
  /** What the Zap did with it. Empty until it did. */
  outcome: string;
}

export interface DeliveriesParts extends Pick<RunnerParts, 'zaps' | 'notify'> {
  runner: Runner;
  /** Hears of each delivery before the Zap runs. Returns what its runs name as their cause. */
  noteArrival?: ((arrival: Arrival) => string) | undefined;
}

/** Receives the deliveries of Zaps that are on. */
export class Deliveries {
  readonly #parts: DeliveriesParts;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
  }

  /** Receives a delivery. Returns false when no Zap that is on has this address. Zapier then responds with 410. */
  async receive(hookId: string, request: IncomingMessage): Promise<boolean> {
    const zap = this.#parts.zaps.list().find(({ subscription }) => subscription?.targetUrl.endsWith(`/${hookId}`));
    const trigger = zap && runningSteps(zap)[0];
    if (!zap?.isOn || !zap.subscription || trigger?.type !== 'own') return false;
    inBackground(this.#take(zap, zap.subscription, trigger, await receiveDelivery(request)));
    return true;
  }

  async #take(zap: Zap, subscription: Subscription, trigger: OwnStep, delivery: HookDelivery): Promise<void> {
    const arrival: Arrival = { subscription, delivery, outcome: '' };
    const cause = this.#parts.noteArrival?.(arrival);
    arrival.outcome = await this.#parts.runner.trigger(zap, trigger, delivery, cause);
    this.#parts.notify();
  }
}

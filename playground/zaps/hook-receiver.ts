import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { decodeDelivery } from '../../src/api/decode';
import { isGenuine } from '../../src/webhooks/signature';
import { inBackground } from '../background';
import { receiveDelivery } from '../zapier';
import type { HookDelivery } from './run';
import type { Runner, RunnerParts } from './runner';
import type { OwnStep, Zap } from './zap';

/** A delivery that reached a Zap. */
export interface Arrival {
  webhookId: string;
  eventId: string;
  isGenuine: boolean;
  wasSeen: boolean;
  /** What the Zap did with it. */
  outcome: string;
  headers: Record<string, string>;
  body: string;
}

type HookReceiverParts = Pick<RunnerParts, 'zaps' | 'notify'> & { runner: Runner };

const signed = z.object({ secret: z.string() });

const maxArrivals = 1000;

/** Receives the deliveries of Zaps that are on. */
export class HookReceiver {
  readonly #parts: HookReceiverParts;
  /** Newest first. */
  readonly #arrivals: Arrival[] = [];

  constructor(parts: HookReceiverParts) {
    this.#parts = parts;
  }

  /** The last 1,000 deliveries, newest first. */
  arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  /** Receives a delivery. Returns false when no Zap that is on has this address. Zapier then responds with 410. */
  async receive(hookId: string, request: IncomingMessage): Promise<boolean> {
    const zap = this.#parts.zaps.list().find(({ subscription }) => subscription?.targetUrl.endsWith(`/${hookId}`));
    const trigger = zap?.steps[0];
    if (!zap?.isOn || !zap.subscription || trigger?.type !== 'own') return false;
    inBackground(this.#take(zap, trigger, await receiveDelivery(request)));
    return true;
  }

  async #take(zap: Zap, trigger: OwnStep, delivery: HookDelivery): Promise<void> {
    const { content, headers, querystring } = delivery.rawRequest;
    const { id: webhookId = '', data } = zap.subscription ?? {};
    const eventId = decodeDelivery(delivery.cleanedRequest)?.[0]?.id ?? '';
    const arrival: Arrival = {
      webhookId,
      eventId,
      isGenuine: isGenuine({ content, headers, querystring }, signed.safeParse(data).data?.secret ?? ''),
      wasSeen: this.#arrivals.some((each) => each.webhookId === webhookId && each.eventId === eventId),
      outcome: '',
      headers,
      body: content,
    };
    this.#arrivals.unshift(arrival);
    this.#arrivals.splice(maxArrivals);
    arrival.outcome = await this.#parts.runner.trigger(zap, trigger, delivery);
    this.#parts.notify();
  }
}

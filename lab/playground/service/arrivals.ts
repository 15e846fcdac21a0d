import * as z from 'zod/mini';
import { decodeDelivery } from '../../../src/api/decode';
import { isGenuine, readRawRequest } from '../../../src/hook/genuine';
import type { Delivered } from '../../zapier/starts/deliveries';
import type { Ledger } from './ledger';
import { lineOf } from './observer';

/** A delivery of the service that reached a Zap. */
export interface Arrival {
  webhookId: string;
  eventId: string;
  isGenuine: boolean;
  wasSeen: boolean;
  /** What the Zap did with it. */
  outcome: () => string;
  headers: Record<string, string>;
  body: string;
}

const signed = z.object({ secret: z.string(), url: z.optional(z.string()) });

const maxArrivals = 1000;

/** Names what a webhook delivers of an event, however often. */
export const deliveryKey = (webhookId: string, eventId: string): string => `${webhookId} ${eventId}`;

/** The last 1,000 deliveries that reached a Zap. */
export class Arrivals {
  readonly #ledger: Ledger;
  /** Newest first. */
  readonly #arrivals: Arrival[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Adds a delivery before its Zap runs. Returns its key, which its runs name as their cause. */
  note(delivered: Delivered): string {
    const { id: webhookId, data } = delivered.subscription;
    const { rawRequest, cleanedRequest } = delivered.delivery;
    const { secret = '', url } = signed.safeParse(data).data ?? {};
    const raw = readRawRequest(rawRequest, url);
    const [event] = decodeDelivery(cleanedRequest) ?? [];
    const eventId = event?.id ?? '';
    const key = deliveryKey(webhookId, eventId);
    // It may be here before the page heard of its event.
    if (event) this.#ledger.numberOf(lineOf(event));
    this.#ledger.numberOf(key);
    this.#arrivals.unshift({
      webhookId,
      eventId,
      isGenuine: raw !== undefined && isGenuine(raw, secret),
      wasSeen: this.#arrivals.some((each) => each.webhookId === webhookId && each.eventId === eventId),
      outcome: () => delivered.outcome,
      headers: rawRequest.headers,
      body: rawRequest.content,
    });
    this.#arrivals.splice(maxArrivals);
    return key;
  }

  /** Newest first. */
  list(): readonly Arrival[] {
    return this.#arrivals;
  }
}

import type { Context } from 'hono';
import * as z from 'zod/mini';
import { readEvents } from '../../../src/api/adapter';
import { decode, decodeDelivery } from '../../../src/api/decode';
import { type Delivery, events } from '../../../src/api/events';
import { message } from '../../../src/api/resources';
import { parseJson } from '../../../src/call/json';
import type { Chats } from './chats';
import type { Clock } from './clock';
import type { Ledger } from './ledger';
import type { Live } from './live';
import type { Service } from './service';
import type { Store } from './store';
import { subjectOf } from './subject';

const observedEvent = z.object({
  id: z.string(),
  /** The line of the activity list that tells of it. */
  line: z.string(),
  type: z.string(),
  at: z.string(),
  /** The customer's phone number when the event is about one. */
  phone: z.optional(z.string()),
  data: z.optional(z.unknown()),
});
/** An event of the service. */
export type ObservedEvent = z.output<typeof observedEvent>;

interface ObserverParts {
  store: Store;
  ledger: Ledger;
  service: Service;
  clock: Clock;
  chats: Chats;
  live: Live;
}

const path = '/observer';
const maxEvents = 1000;
const retryDelayMs = 60_000;

/** Names the line of the activity list that tells of a message, whatever happens to it. */
export const messageLine = (id: unknown): string => `message-${id}`;

/** Names the line that tells of an event. All events of a message of the company share one. */
export const lineOf = ({ id, type, data }: Delivery): string => {
  const changed = type.startsWith('message.') ? decode(message.schema, data).data : undefined;
  return changed?.direction === 'outbound' ? messageLine(changed.id) : id;
};

/** Follows the service by a webhook for every event, as any client could. The store keeps the last 1,000 events. */
export class Observer {
  readonly #parts: ObserverParts;
  readonly #url: string;
  /** Newest first. */
  readonly #events: ObservedEvent[];

  /** `address` is the address of this playground. */
  constructor(parts: ObserverParts, address: string) {
    this.#parts = parts;
    this.#url = address + path;
    this.#events = parts.store.list('event', observedEvent).reverse();
  }

  /** Creates the webhook, which is renewed when it expires. Removes those from before. */
  async subscribe(): Promise<void> {
    const { service, clock } = this.#parts;
    const earlier = (await service.listWebhooks()).filter(({ url }) => url?.endsWith(path));
    const { expires_at } = await service.subscribe(this.#url, Object.keys(events));
    if (expires_at) clock.at(Date.parse(expires_at), () => this.#renew());
    for (const { id } of earlier) await service.unsubscribe(id);
  }

  /** Subscribes again. Tries every minute while the service refuses. */
  async #renew(): Promise<void> {
    const { clock } = this.#parts;
    await this.subscribe().catch(() => clock.at(clock.now() + retryDelayMs, () => this.#renew()));
  }

  events(): readonly ObservedEvent[] {
    return this.#events;
  }

  /** Receives a delivery of the webhook. Refuses one without events. */
  async receive(c: Context): Promise<Response> {
    const content = await c.req.text();
    const delivered = readEvents({ headers: c.req.header(), content, url: c.req.url, body: parseJson(content) });
    const received = decodeDelivery(delivered) ?? [];
    for (const event of received) {
      if (!this.#events.some(({ id }) => id === event.id)) this.#add(event);
    }
    return c.body(null, received.length > 0 ? 204 : 400);
  }

  #add(event: Delivery): void {
    const { id, type, created_at, data } = event;
    const { ledger, store } = this.#parts;
    const line = lineOf(event);
    ledger.numberOf(line);
    const observed = { id, line, type, at: `${created_at}`, phone: subjectOf(data).phone, data };
    this.#events.unshift(observed);
    store.put('event', id, observed);
    for (const old of this.#events.splice(maxEvents)) store.remove('event', old.id);
    const changed = type.startsWith('message.') ? decode(message.schema, data).data : undefined;
    if (changed) this.#parts.chats.put(changed);
    this.#parts.live.changed('phones', 'activity');
  }
}

import type { Context } from 'hono';
import * as z from 'zod/mini';
import { decode, decodeDelivery } from '../src/api/decode';
import { type Delivery, events } from '../src/api/events';
import { message } from '../src/api/resources';
import type { Chats } from './chats';
import type { Clock } from './clock';
import type { Live } from './live';
import type { Service } from './service';

/** An event of the service. */
interface ObservedEvent {
  id: string;
  type: string;
  at: string;
  /** The customer's phone number when the event is about one. */
  phone: string | undefined;
  data: unknown;
}

interface ObserverParts {
  service: Service;
  clock: Clock;
  chats: Chats;
  live: Live;
}

const path = '/observer';
const maxEvents = 1000;
const retryDelayMs = 60_000;

const about = z.object({
  direction: z.optional(z.nullable(z.string())),
  from: z.optional(z.nullable(z.string())),
  to: z.optional(z.nullable(z.string())),
  contact: z.optional(z.nullable(z.looseObject({ phone: z.optional(z.nullable(z.string())) }))),
});

const phoneOf = (data: unknown): string | undefined => {
  const { direction, from, to, contact } = about.safeParse(data).data ?? {};
  return (direction === 'inbound' ? from : to) ?? contact?.phone ?? undefined;
};

/** Follows the service by a webhook for every event, as any client could. */
export class Observer {
  readonly #parts: ObserverParts;
  readonly #url: string;
  /** Newest first. */
  readonly #events: ObservedEvent[] = [];

  /** `address` is the address of this playground. */
  constructor(parts: ObserverParts, address: string) {
    this.#parts = parts;
    this.#url = address + path;
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

  /** Receives a delivery of the webhook. */
  async receive(c: Context): Promise<Response> {
    for (const event of decodeDelivery(await c.req.json()) ?? []) {
      if (!this.#events.some(({ id }) => id === event.id)) this.#add(event);
    }
    return c.body(null, 204);
  }

  #add({ id, type, created_at, data }: Delivery): void {
    this.#events.unshift({ id, type, at: `${created_at}`, phone: phoneOf(data), data });
    this.#events.splice(maxEvents);
    const changed = type.startsWith('message.') ? decode(message.schema, data).data : undefined;
    if (changed) this.#parts.chats.put(changed);
    this.#parts.live.changed('phones', 'activity');
  }
}

import type { Context } from 'hono';
import * as z from 'zod/mini';
import { delivery, events } from '../src/api/events';
import { message } from '../src/api/resources';
import { fromWire } from '../src/api/wire';
import type { Chats } from './chats';
import type { Live } from './live';
import type { Service } from './service';

/** An event of the service. */
export interface ObservedEvent {
  id: string;
  type: string;
  at: string;
  /** The customer's phone number when the event is about one. */
  phone: string | undefined;
  data: unknown;
}

const maxEvents = 1000;

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
  readonly #chats: Chats;
  readonly #live: Live;
  /** Newest first. */
  #events: ObservedEvent[] = [];

  constructor(chats: Chats, live: Live) {
    this.#chats = chats;
    this.#live = live;
  }

  async subscribe(service: Service, url: string): Promise<void> {
    await service.subscribe(url, Object.keys(events));
  }

  events(): readonly ObservedEvent[] {
    return this.#events;
  }

  /** Receives a delivery of the webhook. */
  async receive(c: Context): Promise<Response> {
    const event = delivery.parse(fromWire(delivery, await c.req.json()));
    const known = { id: event.id, type: event.type, at: `${event.created_at}`, phone: phoneOf(event.data) };
    this.#events = [{ ...known, data: event.data }, ...this.#events].slice(0, maxEvents);
    if (event.type.startsWith('message.')) {
      const { data } = message.schema.safeParse(fromWire(message.schema, event.data));
      if (data) this.#chats.put(data);
    }
    this.#live.changed('phones', 'activity');
    return c.body(null, 204);
  }
}

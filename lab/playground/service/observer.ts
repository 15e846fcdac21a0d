import type { Context } from 'hono';
import { readEvent } from '../../../src/api/adapter';
import { decode, decodeDelivery } from '../../../src/api/decode';
import { type Delivery, events } from '../../../src/api/events';
import { parseJson } from '../../../src/api/json';
import { message } from '../../../src/api/resources';
import type { Clock } from '../../zapier/clock';
import type { Chats } from './chats';
import type { Live } from './live';
import type { Service } from './service';

interface ObserverParts {
  service: Service;
  clock: Clock;
  chats: Chats;
  live: Live;
}

const path = '/observer';
const retryDelayMs = 60_000;

/** Follows the service by a webhook for every event, as any client could. */
export class Observer {
  readonly #parts: ObserverParts;
  readonly #url: string;

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

  /** Receives a delivery of the webhook. Refuses one without an event. */
  async receive(c: Context): Promise<Response> {
    const content = await c.req.text();
    const event = decodeDelivery(readEvent({ headers: c.req.header(), content, body: parseJson(content) }));
    if (event) this.#note(event);
    return c.body(null, event ? 204 : 400);
  }

  #note({ type, data }: Delivery): void {
    const { chats, live } = this.#parts;
    const changed = type.startsWith('message.') ? decode(message.schema, data).data : undefined;
    if (changed) chats.put(changed);
    live.changed('phones');
  }
}

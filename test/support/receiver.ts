import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { listen } from '../../lab/zapier/listen';
import { decode, decodeDelivery } from '../../src/api/decode';
import { type Delivery, events } from '../../src/api/events';
import { eventually } from './running';

/** A delivery that arrived. */
interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  event: Delivery;
}

const recordSchemas = new Map(Object.entries(events).map(([type, { schema }]) => [type, schema]));

/** Reads the event of a delivery as the integration does. */
const readEvent = (raw: string): Delivery => {
  const event = decodeDelivery(JSON.parse(raw));
  if (!event) throw new Error(`The delivery has no event: ${raw}`);
  const { success, data } = decode<z.ZodMiniType<Delivery['data']>>(
    recordSchemas.get(event.type) ?? z.never(),
    event.data,
  );
  if (!success) throw new Error(`The event has no record: ${raw}`);
  return { ...event, data };
};

/** Responds to a delivery. `count` is how many have arrived, including this one. */
export type Reply = (response: ServerResponse, count: number) => void;

const accept: Reply = (response) => response.writeHead(200).end();

/** A web server that receives deliveries, as Zapier does. */
export class Receiver {
  readonly received: Received[] = [];
  reply: Reply;
  url = '';
  stop = async (): Promise<void> => undefined;

  private constructor(reply: Reply) {
    this.reply = reply;
  }

  static async start(reply: Reply = accept): Promise<Receiver> {
    const receiver = new Receiver(reply);
    const server = await listen(async (request, response) => {
      const raw = await text(request);
      receiver.received.push({ headers: request.headers, raw, event: readEvent(raw) });
      receiver.reply(response, receiver.received.length);
    });
    receiver.url = `${server.url}/`;
    receiver.stop = server.stop;
    return receiver;
  }

  get types(): string[] {
    return this.received.map(({ event }) => event.type);
  }

  /** Waits until `count` deliveries have arrived and returns them. */
  async wait(count: number): Promise<Received[]> {
    await eventually(() => expect(this.received.length).toBeGreaterThanOrEqual(count));
    return this.received;
  }
}

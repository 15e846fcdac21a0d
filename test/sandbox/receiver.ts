import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { decode, decodeDelivery } from '../../src/api/decode';
import { type Delivery, events } from '../../src/api/events';
import { isGenuine } from '../../src/webhooks/signature';
import { eventually } from './running';

/** A delivery that arrived. */
interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  /** In our names. */
  event: Delivery;
}

const recordSchemas = new Map(Object.entries(events).map(([type, { schema }]) => [type, schema]));

/** Reads the event of a delivery as the integration does. */
const readEvent = (raw: string): Delivery => {
  const [event] = decodeDelivery(JSON.parse(raw)) ?? [];
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

const address = z.object({ port: z.number() });

/** A web server that receives deliveries, as Zapier does. */
export class Receiver {
  readonly received: Received[] = [];
  reply: Reply;
  url = '';
  readonly #server = createServer(async (request, response) => {
    const raw = await text(request);
    this.received.push({ headers: request.headers, raw, event: readEvent(raw) });
    this.reply(response, this.received.length);
  });

  private constructor(reply: Reply) {
    this.reply = reply;
  }

  static async start(reply: Reply = accept): Promise<Receiver> {
    const receiver = new Receiver(reply);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    receiver.url = `http://127.0.0.1:${address.parse(receiver.#server.address()).port}/`;
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

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** Whether the delivery is signed with the secret, or reached the address with it when the contract has no signatures. */
export const isSigned = ({ headers, raw }: Received, secret: string | null | undefined): boolean =>
  isGenuine({ headers, content: raw }, secret ?? '');

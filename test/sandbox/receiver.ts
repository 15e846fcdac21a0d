import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { delivery } from '../../src/api/events';
import { eventually } from './running';

/** A delivery that arrived. */
interface Received {
  headers: IncomingHttpHeaders;
  raw: string;
  event: z.output<typeof delivery>;
}

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
    this.received.push({ headers: request.headers, raw, event: delivery.parse(JSON.parse(raw)) });
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

/** The expected signature of a delivery, by https://www.standardwebhooks.com. */
export const signatureOf = ({ headers, raw }: Received, secret: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

import type { IncomingMessage, ServerResponse } from 'node:http';
import { platform } from '../platform';
import type { Runner } from '../runs/run-zaps';
import type { Deliveries } from './deliveries';
import { readBody, toDelivery } from './read-delivery';
import type { RpcStore } from './rpc';

interface ReceiverParts {
  deliveries: Deliveries;
  runner: Runner;
  rpc: RpcStore;
}

const badRequest = 400;
const tooLarge = 413;

/** The JSON that a call has, or undefined when it has none. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Serves what Zapier's servers receive: `/hooks/ID`, `/callbacks/ID`, and `/rpc` for `z.cursor` and `z.cache`. */
export class Receiver {
  readonly #parts: ReceiverParts;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  /** Responds to a request. Its path may begin with more than the parts that Zapier serves. */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, part, id = ''] = /\/(hooks|callbacks|rpc)(?:\/([^/?]*))?(?:\?.*)?$/.exec(request.url ?? '') ?? [];
    if (part === 'hooks') return void response.writeHead(await this.#receiveDelivery(id, request)).end();
    if (!part) return void response.writeHead(404).end();
    const text = await readBody(request);
    const body = text === undefined ? undefined : parseJson(text);
    if (body === undefined) return void response.writeHead(text === undefined ? tooLarge : badRequest).end();
    if (part === 'callbacks') {
      const query = new URLSearchParams(request.url?.split('?')[1]);
      return void response.writeHead(this.#receiveCallback(id, body, Object.fromEntries(query))).end();
    }
    this.#answerCall(body, response);
  }

  async #receiveDelivery(id: string, request: IncomingMessage): Promise<number> {
    const content = await readBody(request);
    if (content === undefined) return tooLarge;
    return this.#parts.deliveries.receive(id, toDelivery(request, content)) ? 200 : platform.offStatus.is;
  }

  #receiveCallback(id: string, body: unknown, querystring: object): number {
    const cleanedRequest = { ...Object(body), querystring };
    return this.#parts.runner.receiveCallback(id, cleanedRequest) ? 200 : platform.offStatus.is;
  }

  #answerCall(body: unknown, response: ServerResponse): void {
    const answer = this.#parts.rpc.answer(body);
    if (answer === undefined) return void response.writeHead(badRequest).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}

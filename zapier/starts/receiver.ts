import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { type OpenQuestions, platform } from '../platform';
import type { Runner } from '../runs/run-zaps';
import type { Deliveries } from './deliveries';
import type { RpcStore } from './rpc';

interface ReceiverParts {
  deliveries: Deliveries;
  runner: Runner;
  rpc: RpcStore;
  answers: OpenQuestions;
}

const called = z.unknown();

const badRequest = 400;

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
    const body = await json(request).then(called.parse, () => undefined);
    if (body === undefined || !part) return void response.writeHead(part ? badRequest : 404).end();
    if (part === 'callbacks') {
      const query = new URLSearchParams(request.url?.split('?')[1]);
      return void response.writeHead(this.#receiveCallback(id, body, Object.fromEntries(query))).end();
    }
    this.#answerCall(body, response);
  }

  async #receiveDelivery(id: string, request: IncomingMessage): Promise<number> {
    if (Number(request.headers['content-length'] ?? 0) > platform.deliveryBytes.is) return 413;
    return (await this.#parts.deliveries.receive(id, request)) ? 200 : platform.offStatus.is;
  }

  #receiveCallback(id: string, body: unknown, querystring: object): number {
    const { runner, answers } = this.#parts;
    const cleanedRequest = answers.callbackQuery === 'passed' ? { ...Object(body), querystring } : body;
    return runner.receiveCallback(id, cleanedRequest) ? 200 : answers.usedCallback;
  }

  #answerCall(body: unknown, response: ServerResponse): void {
    const answer = this.#parts.rpc.answer(body);
    if (answer === undefined) return void response.writeHead(badRequest).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}

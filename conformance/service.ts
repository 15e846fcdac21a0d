import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '../src/answer';
import { type AnyInput, type Endpoint, headers, type Input } from '../src/api/endpoints';
import { toWire } from '../src/api/wire';
import type { Connection } from '../src/connection';
import { encodeBody, encodePath, encodeQuery } from '../src/encode';
import { NotChecked } from './check';
import { sentenceOf } from './sentence';

/** What a service answered to a call; `body` is parsed JSON, or the text when it is not JSON. */
export interface Answer {
  endpoint: Endpoint;
  status: number;
  headers: Headers;
  body: unknown;
}

/** The longest that an answer may take, in milliseconds. */
const patience = 15_000;

/** When the service asks to wait but does not say how long, and the longest wait that is worth it, in seconds. */
const usualPause = 5;
const longestPause = 60;

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A live service, asked with nothing between: what it answers is kept as it came. */
export class Service {
  readonly answers: Answer[] = [];
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Asks once. Throws `NotChecked` when no answer comes. An empty token is not sent. */
  async askOnce(endpoint: Endpoint, input: AnyInput, token = this.#connection.token): Promise<Answer> {
    const query = endpoint.query ? toWire(endpoint.query, input.query) : undefined;
    try {
      const response = await fetch(this.#connection.baseUrl + encodePath(endpoint.path, input) + encodeQuery(query), {
        method: endpoint.method,
        // A redirect that is followed takes the token with it, to whichever host.
        redirect: 'manual',
        signal: AbortSignal.timeout(patience),
        headers: {
          accept: 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(endpoint.body && { 'content-type': 'application/json' }),
          ...(input.idempotencyKey && { [headers.idempotencyKey]: input.idempotencyKey }),
        },
        ...(endpoint.body && { body: encodeBody(toWire(endpoint.body, input.body)) }),
      });
      const body = readJson(await response.text());
      const answer: Answer = { endpoint, status: response.status, headers: response.headers, body };
      this.answers.push(answer);
      return answer;
    } catch (error) {
      throw new NotChecked(`${endpoint.method} ${endpoint.path} got no answer: ${sentenceOf(error)}`);
    }
  }

  /** Asks, and once more when the service wants to be asked later. */
  async ask<E extends Endpoint>(endpoint: E, input: Input<E>, token?: string): Promise<Answer> {
    const answer = await this.askOnce(endpoint, input, token);
    if (answer.status !== 429) return answer;
    const pause = readRetryAfter(answer.headers.get(headers.retryAfter)) ?? usualPause;
    if (pause > longestPause) throw new NotChecked(`the service wants to be left alone for ${pause} seconds`);
    await sleep(pause * 1000);
    return this.askOnce(endpoint, input, token);
  }
}

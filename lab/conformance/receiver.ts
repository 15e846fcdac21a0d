import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../zapier/listen';

/** A POST request that arrived at the local port. */
export interface Received {
  path: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  content: string;
}

/** A local port that accepts deliveries and keeps them. */
export interface Receiver {
  received: readonly Received[];
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Resolves with the first delivery that is wanted, or with undefined after `timeoutMs`. */
  wait(isWanted: (received: Received) => boolean, timeoutMs: number): Promise<Received | undefined>;
  /** Resolves when nothing has arrived for two seconds, or after a minute. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether a browser sends the request for a web page, which could pass for a delivery. */
const isFromPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** How long nothing may arrive until no further delivery is expected, and how often to wait for that. */
const quiet = { ms: 2_000, tries: 30 };

/** Opens the port; 0 picks a free one. Rejects when it is in use. */
export const openReceiver = async (port: number): Promise<Receiver> => {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  const server = await listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (isFromPage(request)) return void response.writeHead(403).end();
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const content = await text(request);
    received.push({ path: request.url ?? '', headers: Object.fromEntries(headers), content });
    response.writeHead(200).end();
    arrivals.emit('arrival');
  }, port);

  const wait: Receiver['wait'] = async (isWanted, timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    while (!received.some(isWanted) && !signal.aborted) {
      await once(arrivals, 'arrival', { signal }).catch(() => undefined);
    }
    return received.find(isWanted);
  };

  const settle = async (): Promise<void> => {
    for (let tries = 0, seen = -1; seen !== received.length && tries < quiet.tries; tries++) {
      seen = received.length;
      await sleep(quiet.ms);
    }
  };

  return { ...server, received, wait, settle };
};

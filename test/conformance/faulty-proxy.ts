import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

/** How a service differs from the sandbox that is behind it. */
export interface Bend {
  /** Changes each value of an answer, as `JSON.parse` does with a reviver; undefined leaves a field out. */
  value?: (key: string, value: unknown) => unknown;
  /** Another status in place of one. */
  status?: Record<number, number>;
  /** Query parameters that are not heard. */
  deafTo?: string[];
  /** Headers that are lost on the way there and back. */
  lost?: string[];
}

const keepValue = (_key: string, value: unknown): unknown => value;

const toForward = async (request: IncomingMessage, base: string, { deafTo = [], lost = [] }: Bend) => {
  const url = new URL(request.url ?? '', base);
  for (const name of deafTo) url.searchParams.delete(name);
  const { method = 'GET', headers } = request;
  const kept = ['authorization', 'content-type', 'idempotency-key'].filter((name) => !lost.includes(name));
  const sent = kept.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : []));
  return { url, init: { method, headers: sent, ...(method !== 'GET' && { body: await text(request) }) } };
};

/** A service that answers as the one at `base` does, but bent. */
export const startBent = async (base: string, bend: Bend): Promise<{ url: string; stop: () => Promise<void> }> => {
  const { value = keepValue, status = {}, lost = [] } = bend;
  const server = createServer(async (request, response) => {
    const { url, init } = await toForward(request, base, bend);
    const answer = await fetch(url, init);
    const content = await answer.text();
    const headers = [...answer.headers].filter(([name]) => name !== 'content-length' && !lost.includes(name));
    response.writeHead(status[answer.status] ?? answer.status, Object.fromEntries(headers));
    response.end(content && JSON.stringify(JSON.parse(content, value)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
};

import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';

/** A response as it travelled. */
interface Recorded {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const address = z.object({ port: z.number() });

/** Starts a proxy in front of a service that keeps every response. */
export const startRecorder = async (base: string) => {
  const responses: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const { host: _, connection: __, 'content-length': ___, ...others } = headers;
    const content = await buffer(request);
    const sent = { method, headers: new Headers(Object.entries(others).map(([name, value]) => [name, String(value)])) };
    const got = await fetch(base + url, content.length > 0 ? { ...sent, body: content } : sent);
    const body = await got.text();
    const { 'content-length': ____, ...given } = Object.fromEntries(got.headers);
    responses.push({ status: got.status, headers: given, body });
    response.writeHead(got.status, given).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${address.parse(server.address()).port}`, responses, stop };
};

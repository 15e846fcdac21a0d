import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import * as z from 'zod/mini';

const address = z.object({ port: z.number() });

/** Starts a server on a free loopback port, passes its address to `use`, and stops it whatever happens. */
export const withServer = async <T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${address.parse(server.address()).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
};

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import * as z from 'zod/mini';

const address = z.object({ port: z.number() });

/** Serves HTTP on a loopback address. Port 0 picks a free port. Rejects when the port is in use. */
export const listen = async (respond: RequestListener, port = 0) => {
  const server = createServer(respond);
  // A server that ends idle connections meets a client that sends its next request, if the machine is busy.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** `http://127.0.0.1:PORT` */
    url: `http://127.0.0.1:${address.parse(server.address()).port}`,
    /** Resolves when all connections are closed. */
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A server that `listen` started. */
export type LocalServer = Awaited<ReturnType<typeof listen>>;

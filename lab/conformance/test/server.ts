import type { RequestListener } from 'node:http';
import { listen } from '../../zapier/listen';

/** Starts a server on a free loopback port, passes its address to `use`, and stops it whatever happens. */
export const withServer = async <T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
  const server = await listen(listener);
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
};

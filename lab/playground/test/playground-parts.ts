import type { RequestListener } from 'node:http';
import { startSeeded } from '../../../test/support/seeded';
import type { SandboxOptions } from '../../sandbox/sandbox';
import { listen } from '../../zapier/listen';
import { assemble, type Parts } from '../service/assemble';
import { Store } from '../service/store';

/** The playground without its page, in this process. */
export interface Assembled {
  parts: Parts;
  stop(): Promise<void>;
}

/** Starts the service and everything on it, with what the store has and a server that passes deliveries to Zapier. */
export const startParts = async (options: SandboxOptions = {}, store = new Store(':memory:')): Promise<Assembled> => {
  let receive: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = await listen((...exchange) => receive(...exchange));
  const sandbox = await startSeeded({ speed: 1, ...options });
  const parts = await assemble({ address: server.url, sandbox, store, startOver: async () => undefined });
  receive = (...exchange) => void parts.respond(...exchange);
  const stop = async () => {
    await parts.stop();
    store.close();
    await sandbox.stop();
    await server.stop();
  };
  return { parts, stop };
};

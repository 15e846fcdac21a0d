import * as z from 'zod/mini';
import { callAt } from '../../sandbox/http/route';
import type { Sandbox } from '../../sandbox/sandbox';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { fromWire } from '../../src/api/translate';

const requests = z.object({
  data: z.array(
    z.object({ method: z.string(), path: z.string(), headers: z.record(z.string(), z.string()), body: z.unknown() }),
  ),
});

/** The requests that the sandbox has received, as they came, the oldest first. */
export const receivedBy = async ({ url }: Sandbox) =>
  requests.parse(await (await fetch(`${url}/sandbox/requests`)).json()).data;

/** The calls of these requests, whose names and bodies are ours. */
export const receivedCalls = async (sandbox: Sandbox) =>
  (await receivedBy(sandbox)).map(({ method, path, body }) => {
    const call = callAt(method, path);
    const endpoint: Endpoint | undefined = call && endpoints[call];
    return { call, body: endpoint?.body ? fromWire(endpoint.body, body) : body };
  });

import * as z from 'zod/mini';
import { callAt } from '../../lab/sandbox/http/route';
import type { Sandbox } from '../../lab/sandbox/sandbox';

const requests = z.object({
  data: z.array(
    z.object({ method: z.string(), path: z.string(), headers: z.record(z.string(), z.string()), body: z.unknown() }),
  ),
});

/** The requests that the sandbox has received, as they came, the oldest first. */
export const receivedBy = async ({ url }: Sandbox) =>
  requests.parse(await (await fetch(`${url}/sandbox/requests`)).json()).data;

/** The calls of these requests, with their bodies. */
export const receivedCalls = async (sandbox: Sandbox) =>
  (await receivedBy(sandbox)).map(({ method, path, body }) => ({ call: callAt(method, path), body }));

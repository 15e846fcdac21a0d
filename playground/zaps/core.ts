import '../quiet-core';
import * as core from 'zapier-platform-core';
import * as z from 'zod/mini';
import app from '../../src';

/** What Zapier passes to a step. */
export interface StepBundle {
  inputData: Record<string, unknown>;
  /** The values with their `{{…}}`, as the editor keeps them. */
  inputDataRaw?: Record<string, unknown>;
  authData: Record<string, string>;
  meta?: Record<string, unknown>;
  targetUrl?: string;
  subscribeData?: unknown;
  outputData?: unknown;
  rawRequest?: unknown;
  cleanedRequest?: unknown;
}

/** Where a step reaches the rest of Zapier. */
export interface Surroundings {
  /** Serves `z.cursor` and `z.cache`. */
  rpcUrl: string;
  /** Which cursor a step reads. */
  storeKey?: string;
  /** What `z.generateCallbackUrl` returns. */
  callbackUrl?: string;
}

// Core asks for a key before it calls `rpcUrl`.
process.env.ZAPIER_DEPLOY_KEY ??= 'playground';

type Handler = (event: Record<string, unknown>) => Promise<{ results: unknown }>;

// Core exports it for Zapier's servers, without a type.
const { createAppHandler } = z
  .object({ createAppHandler: z.custom<(definition: unknown) => Handler>((value) => typeof value === 'function') })
  .parse({ ...core });
const handler = createAppHandler(app);

/** Runs a step of the app on Zapier's core by its path, such as `creates.send_message.operation.perform`. */
export const runOnCore = async (method: string, bundle: StepBundle, around: Surroundings): Promise<unknown> => {
  const { results } = await handler({
    command: 'execute',
    method,
    bundle: { meta: {}, inputDataRaw: bundle.inputData, ...bundle },
    rpc_base: around.rpcUrl,
    storeKey: around.storeKey ?? method,
    callback_url: around.callbackUrl,
  });
  return results;
};

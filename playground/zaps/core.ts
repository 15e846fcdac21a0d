import '../quiet-core';
// The app loads it on first use. Here that would hold up the page during somebody's first run.
import '../../src/formats/numbering-plan';
import * as core from 'zapier-platform-core';
import * as z from 'zod/mini';
import { appWithOnly } from '../app-with-only';

/** What Zapier passes to a step. */
export interface StepBundle {
  inputData: Record<string, unknown>;
  /** The values with their `{{…}}`, as the editor keeps them. */
  inputDataRaw: Record<string, unknown>;
  authData: Record<string, string>;
  meta: Record<string, unknown>;
  targetUrl?: string;
  subscribeData?: unknown;
  outputData?: unknown;
  rawRequest?: unknown;
  cleanedRequest?: unknown;
}

/** Where a step reaches the rest of Zapier. */
interface Surroundings {
  /** Serves `z.cursor` and `z.cache`. */
  rpcUrl: string;
  /** Which cursor a step reads. */
  storeKey?: string;
  /** What `z.generateCallbackUrl` returns. */
  callbackUrl?: string | undefined;
}

// Core asks for a key before it calls `rpcUrl`.
process.env.ZAPIER_DEPLOY_KEY ??= 'playground';

type Handler = (event: Record<string, unknown>) => Promise<{ results: unknown }>;

// Core exports it for Zapier's servers, without a type.
const { createAppHandler } = z
  .object({ createAppHandler: z.custom<(definition: unknown) => Handler>((value) => typeof value === 'function') })
  .parse({ ...core });

const handlers = new Map<string, Handler>();

const handlerOf = (key: string): Handler => {
  const handler = handlers.get(key) ?? createAppHandler(appWithOnly(key));
  handlers.set(key, handler);
  return handler;
};

/** Runs a step of the app on Zapier's core by its path, such as `creates.send_message.operation.perform`. */
export const runOnCore = async (method: string, bundle: StepBundle, around: Surroundings): Promise<unknown> => {
  const { results } = await handlerOf(method.split('.')[1] ?? '')({
    command: 'execute',
    method,
    bundle,
    rpc_base: around.rpcUrl,
    storeKey: around.storeKey ?? method,
    callback_url: around.callbackUrl,
  });
  return results;
};

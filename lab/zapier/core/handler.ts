import './memory-limit';
import * as core from 'zapier-platform-core';
import * as z from 'zod/mini';
import type { Definition } from './definition';

/** What Zapier passes to a step. */
export type StepBundle = Partial<
  Omit<core.Bundle, 'meta' | 'inputDataRaw' | 'outputData' | 'rawRequest' | 'subscribeData'>
> & {
  meta?: Partial<core.Bundle['meta']> & { inputFields?: Record<string, unknown> };
  /** The values with their `{{…}}`, as the editor keeps them. */
  inputDataRaw?: Record<string, unknown>;
  rawRequest?: Partial<core.Bundle['rawRequest']>;
  outputData?: unknown;
  subscribeData?: unknown;
};

/** Where a step reaches the rest of Zapier. */
export interface Surroundings {
  /** Serves `z.cursor` and `z.cache`. Without it, there is no cursor. */
  rpcUrl?: string;
  /** What `z.cache` has without `rpcUrl`. By default, each step has one as long as this process. */
  cache?: object;
  /** Which cursor a step reads. */
  storeKey?: string;
  /** What `z.generateCallbackUrl` returns. */
  callbackUrl?: string | undefined;
}

/** A step that runs by itself gets an address, where nobody waits for a callback. */
export const alone: Surroundings = { callbackUrl: 'https://hooks.zapier.com/stand-in' };

/** Runs an event of Zapier's on core. Its status is `CALLBACK` when the step waits for one. */
export type Handler = (event: Record<string, unknown>) => Promise<{ results: unknown; status?: string }>;

/** Runs a step of the app by its path, such as `creates.send_message.operation.perform`. Rejects with core's error. */
export type RunStep = (path: string, bundle?: StepBundle, around?: Surroundings) => Promise<unknown>;

// Core exports it for Zapier's servers, without a type.
const { createAppHandler } = z
  .object({ createAppHandler: z.custom<(definition: object) => Handler>((value) => typeof value === 'function') })
  .parse({ ...core });

/** Returns the handler of an operation by its key. Each has a definition of its own, since core copies it at every run. */
export const createHandlers = (definition: Definition): ((key: string) => Handler) => {
  const handlers = new Map<string, Handler>();
  return (key) => {
    const handler = handlers.get(key) ?? createAppHandler(definition.only(key));
    handlers.set(key, handler);
    return handler;
  };
};

/** Whether core prints every request, by the variables that its tester reads. */
const logging = () => ({
  logToStdout: process.env.LOG_TO_STDOUT !== undefined,
  detailedLogToStdout: process.env.DETAILED_LOG_TO_STDOUT !== undefined,
});

/** Returns what runs the steps of an app on Zapier's core. */
export const createRunStep = (definition: Definition): RunStep => {
  const handlerOf = createHandlers(definition);
  const caches = new Map<string, object>();

  const cacheOf = (key: string): object => {
    const cache = caches.get(key) ?? {};
    caches.set(key, cache);
    return cache;
  };

  return async (path, { meta = {}, ...bundle } = {}, { rpcUrl, storeKey = path, callbackUrl, cache } = alone) => {
    const key = path.split('.')[1] ?? '';
    // Core asks for a key before it calls `rpcUrl`.
    if (rpcUrl) process.env.ZAPIER_DEPLOY_KEY ??= 'stand-in';
    const { results } = await handlerOf(key)({
      command: 'execute',
      method: path,
      bundle: { inputData: {}, ...bundle, meta },
      storeKey,
      callback_url: callbackUrl,
      ...logging(),
      ...(rpcUrl === undefined ? { zcacheTestObj: cache ?? cacheOf(key) } : { rpc_base: rpcUrl }),
    });
    return results;
  };
};

/** Loads the app's bundle onto Zapier's core. */
import { createRequire } from 'node:module';
import * as core from 'zapier-platform-core';
import * as z from 'zod/mini';
import type { Handler } from './zapier';

type HandlerFactory = (app: unknown) => Handler;

// Core exports it for Zapier's servers, without a type.
const { createAppHandler } = z
  .object({ createAppHandler: z.custom<HandlerFactory>((value) => typeof value === 'function') })
  .parse({ ...core });

const steps = z.record(z.string(), z.unknown());
const definition = z.looseObject({ triggers: steps, creates: steps, searches: steps });

const only = (all: Record<string, unknown>, key: string): Record<string, unknown> =>
  key in all ? { [key]: all[key] } : {};

/** Returns what runs a step of the bundle, or undefined for a step that the app doesn't have. Each step gets a definition of its own, since core copies it at every run. */
export const loadApp = (bundle: string): ((step: string) => Handler | undefined) => {
  const app = definition.parse(createRequire(bundle)(bundle));
  const handlers = new Map<string, Handler>();
  return (step) => {
    const { triggers, creates, searches } = app;
    if (![triggers, creates, searches].some((all) => step in all)) return undefined;
    const part = {
      triggers: only(triggers, step),
      creates: only(creates, step),
      searches: only(searches, step),
      searchOrCreates: {},
    };
    const handler = handlers.get(step) ?? createAppHandler({ ...app, ...part });
    handlers.set(step, handler);
    return handler;
  };
};

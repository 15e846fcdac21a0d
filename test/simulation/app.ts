/** Loads the app's bundle onto Zapier's core. */
import { createRequire } from 'node:module';
import * as z from 'zod/mini';
import { Definition } from '../../zapier/core/definition';
import { createHandlers } from '../../zapier/core/handler';
import type { HandlerOf } from './zapier';

const app = z.custom<object>((value) => typeof value === 'object');

/** Returns what runs a step of the bundle, or undefined for a step that the app doesn't have. */
export const loadApp = (bundle: string): HandlerOf => {
  const definition = new Definition(app.parse(createRequire(bundle)(bundle)));
  const handlerOf = createHandlers(definition);
  return (step) => (definition.has(step) ? handlerOf(step) : undefined);
};

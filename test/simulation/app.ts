/** Loads the app onto Zapier's core. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import * as z from 'zod/mini';
import { project } from '../../lab/cli/environment';
import { Definition } from '../../lab/zapier/core/definition';
import { createHandlers } from '../../lab/zapier/core/handler';
import type { HandlerOf } from './zapier';

const app = z.custom<object>((value) => typeof value === 'object');

/** Returns the app of a bundle's text, which finds its packages as the project does. */
export const evaluate = (bundle: string): unknown => {
  const module: { exports: unknown } = { exports: {} };
  const run = compileFunction(bundle, ['module', 'require']);
  run(module, createRequire(join(project, 'dist/index.js')));
  return module.exports;
};

/** Returns what runs a step of an app, or undefined for a step that the app doesn't have. */
export const handlersOf = (given: unknown): HandlerOf => {
  const definition = new Definition(app.parse(given));
  const handlerOf = createHandlers(definition);
  return (step) => (definition.has(step) ? handlerOf(step) : undefined);
};

import type { Bundle, ZObject } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { runStep as run } from '../../playground/service/zapier';
import app from '../../src';
import { alone, type RunStep } from '../../zapier/core/handler';

export { definition, type LiveTrigger, startZapier, type Zapier } from '../../playground/service/zapier';

let cache: object = {};

/** Forgets what steps have put into `z.cache`. It happens before each test. */
export const emptyCache = (): void => {
  cache = {};
};

/** Runs a step of the app by its path, such as `creates.send_message.operation.perform`. Rejects with core's error. */
export const runStep: RunStep = (path, bundle, around = { ...alone, cache }) => run(path, bundle, around);

type Perform = (z: ZObject, bundle: Bundle) => unknown;

// A list of fields is also a step, because core runs the functions in it.
const perform = z.custom<Perform>((value) => typeof value === 'function' || Array.isArray(value));
const branch = z.record(z.string(), z.unknown());

/** Finds a step by its path in the app, such as `creates.send_message.operation.perform`. Throws when there is none. */
export const findPerform = (path: string): Perform =>
  perform.parse(path.split('.').reduce<unknown>((at, key) => branch.parse(at)[key], app));

import type { Bundle, ZObject } from 'zapier-platform-core';
import * as z from 'zod/mini';
import app from '../../src';

export { definition, type LiveTrigger, runStep, startZapier, type Zapier } from '../../playground/service/zapier';

type Perform = (z: ZObject, bundle: Bundle) => unknown;

// A list of fields is also a step, because core runs the functions in it.
const perform = z.custom<Perform>((value) => typeof value === 'function' || Array.isArray(value));
const branch = z.record(z.string(), z.unknown());

/** Finds a step by its path in the app, such as `creates.send_message.operation.perform`. Throws when there is none. */
export const findPerform = (path: string): Perform =>
  perform.parse(path.split('.').reduce<unknown>((at, key) => branch.parse(at)[key], app));

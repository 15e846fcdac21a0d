import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { runStep as run } from '../../lab/playground/service/zapier';
import { alone, type RunStep } from '../../lab/zapier/core/handler';
import app from '../../src';

export { definition, type LiveTrigger, startZapier, type Zapier } from '../../lab/playground/service/zapier';

let cache: object = {};

/** Forgets what steps have put into `z.cache`. It happens before each test. */
export const emptyCache = (): void => {
  cache = {};
};

/** Runs a step of the app by its path, such as `creates.send_message.operation.perform`. Rejects with core's error. */
export const runStep: RunStep = (path, bundle, around = { ...alone, cache }) => run(path, bundle, around);

type Perform = (z: ZObject, bundle: Bundle) => unknown;

// A list of fields is also a step, because core runs the functions in it.
const perform = zod.custom<Perform>((value) => typeof value === 'function' || Array.isArray(value));
const branch = zod.custom<Readonly<Record<string, unknown>>>((value) => typeof value === 'object' && value !== null);

/** Finds a step by its path in the app, such as `creates.send_message.operation.perform`. Throws when there is none. */
export const findPerform = (path: string): Perform =>
  perform.parse(path.split('.').reduce<unknown>((at, key) => branch.parse(at)[key], app));

/** What a function of a step reaches without core: the service, which answers each request, and Zapier's cache. */
interface Edge {
  respond?: (request: { url: string; method: string; body?: unknown }) => Promise<Response> | Response;
  cache?: { get: (...params: unknown[]) => Promise<unknown>; set: (...params: unknown[]) => Promise<unknown> };
}

/** What core does before each run. */
const beforeApp = zod.array(zod.custom<(run: object) => Promise<unknown>>((value) => typeof value === 'function'));

const asZ = zod.custom<ZObject>();
const asBundle = zod.custom<Bundle>();

/** Runs a function of a step, or those in a list of fields, without core, by its path. For properties and matrices, since a run on core takes long. */
export const runAlone = async (path: string, bundle: object, { respond, cache }: Edge): Promise<unknown> => {
  const [z, given] = [asZ.parse({ request: respond, cache }), asBundle.parse({ inputData: {}, ...bundle })];
  for (const begin of beforeApp.parse(app.beforeApp))
    await begin({ z, _zapier: { event: { method: path, bundle: given } } });
  const part = findPerform(path);
  if (!Array.isArray(part)) return part(z, given);
  const fields = part.map((each: unknown) => (typeof each === 'function' ? each(z, given) : each));
  return (await Promise.all(fields)).flat();
};

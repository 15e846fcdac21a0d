/** Runs the functions of triggers. */

import { authData } from './service';
import { runAlone, runStep } from './zapier';

export type Bundle = Parameters<typeof runStep>[1];

/** Runs a function of a trigger. */
export const runTrigger = (trigger: string, name: string, bundle: Bundle = {}) =>
  runStep(`triggers.${trigger}.operation.${name}`, { authData, ...bundle });

/** Runs the function of a trigger for a delivery, with a cache that forgets, since a message starts a Zap once. */
export const receiveAlone = (trigger: string, bundle: object) => {
  const cache = { get: async () => null, set: async () => true };
  return runAlone(`triggers.${trigger}.operation.perform`, { authData, ...bundle }, { cache });
};

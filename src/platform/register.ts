import { type EndpointName, exists } from '../api/endpoints';

/** A step, and the calls that it can't do without. */
type Entry = readonly [step: { key: string }, ...needs: EndpointName[]];

/** Returns the steps by key, without those that the service lacks a call for. */
export const register = <const E extends readonly Entry[]>(entries: E): Record<string, E[number][0]> =>
  Object.fromEntries(entries.filter(([, ...needs]) => needs.every(exists)).map(([step]) => [step.key, step]));

import type * as zod from 'zod/mini';
import { exists, type Fact } from '../api/endpoints';
import { isMissing } from '../api/wire';

/** A call or an event, or the schema of a field or filter; undefined if its line is deleted. */
type Need = Fact | zod.ZodMiniType | undefined;

/** A step, and what it can't do without. */
type Entry = readonly [step: { key: string }, ...needs: Need[]];

const needs = new WeakMap<object, readonly Need[]>();

/** Returns what a registered step can't do without. */
export const needsOf = (step: object): readonly Need[] => needs.get(step) ?? [];

const isThere = (need: Need): boolean => (typeof need === 'string' ? exists(need) : !isMissing(need));

/** Returns the steps by key, without those that need something that the service lacks. */
export const register = <const E extends readonly Entry[]>(entries: E): Record<string, E[number][0]> => {
  for (const [step, ...all] of entries) needs.set(step, all);
  return Object.fromEntries(entries.filter(([, ...all]) => all.every(isThere)).map(([step]) => [step.key, step]));
};

import type * as zod from 'zod/mini';
import { exists, type Feature } from '../api/endpoints';
import { isMissing } from '../api/wire';

/** A call or an event, or the schema of a field or filter; undefined if its line is deleted. */
type Need = Feature | zod.ZodMiniType | undefined;

type Entry = readonly [step: { key: string }, ...needs: Need[]];

const needs = new WeakMap<object, readonly Need[]>();

/** Returns what a registered step can't do without. */
export const needsOf = (step: object): readonly Need[] => needs.get(step) ?? [];

const isThere = (need: Need): boolean => (typeof need === 'string' ? exists(need) : !isMissing(need));

const gone: { step: { key: string }; lacks: string[] }[] = [];

/** Returns the keys of the steps that the app does without, and what the service lacks for each. */
export const goneSteps = (): readonly { key: string; lacks: readonly string[] }[] =>
  gone.map(({ step: { key }, lacks }) => ({ key, lacks }));

/** Returns the steps by key, without those that need something that the service lacks. */
export const register = <const E extends readonly Entry[]>(entries: E): Record<string, E[number][0]> => {
  for (const [step, ...all] of entries) {
    needs.set(step, all);
    const lacks = all
      .filter((need) => !isThere(need))
      .map((need) => (typeof need === 'string' ? need : 'a field or filter'));
    if (lacks.length > 0) gone.push({ step, lacks });
  }
  return Object.fromEntries(entries.filter(([, ...all]) => all.every(isThere)).map(([step]) => [step.key, step]));
};

import * as z from 'zod/mini';
import { failed } from '../core/failure';
import type { Outcome } from '../core/result';
import { choiceField, type Field } from '../fields/form';
import { platform } from '../platform';

/** What a person chooses for a search in the editor, besides the fields of the app. */
export const searchSettings = z.object({
  /** Which results later steps get. */
  results: z.catch(z.optional(z.enum(platform.searchResults.is)), undefined),
  /** What the run does when nothing is found. */
  whenNone: z.catch(z.optional(z.enum(platform.whenNothingIsFound.is)), undefined),
});
export type SearchSettings = z.output<typeof searchSettings>;

const results = { first: 'Use the first result', all: 'Use all results' };
const whenNone = { stop: 'Stop the run', continue: 'Continue the run' };

/** The fields of these settings, which the editor shows below those of the app. */
export const searchFields: readonly Field[] = [
  choiceField('zapier-results', 'If multiple results are found', results, { default: 'first' }),
  choiceField('zapier-whenNone', 'If nothing is found', whenNone, { default: 'stop' }),
];

/** The settings that somebody chose, as people read them. */
export const describeSettings = (settings: SearchSettings): [label: string, text: string][] =>
  searchFields.flatMap(({ key, label, options = [] }): [string, string][] => {
    const chosen = Object.entries(settings).find(([name]) => key === `zapier-${name}`)?.[1];
    const option = options.find(({ value }) => value === chosen);
    return option ? [[label, option.label]] : [];
  });

/** Why a search stops its run. */
export const foundNothing = 'The search found nothing.';

const noMatch = {
  message: foundNothing,
  effect: 'Zapier stops this run (Safely halted) unless the step may continue without a match.',
};

const isRecord = z.record(z.string(), z.unknown());

/** The records as one, in which each value is the list of theirs. */
const toLineItems = (records: readonly unknown[]): unknown => {
  const parsed = records.map((record) => isRecord.safeParse(record).data);
  if (!parsed.some((record) => record)) return records;
  const keys = new Set(parsed.flatMap((record) => Object.keys(record ?? {})));
  return Object.fromEntries([...keys].map((key) => [key, toLineItems(parsed.map((record) => record?.[key]))]));
};

/** What Zapier adds to the results of a search, for a filter or a path after it. */
export const foundOutput = { key: platform.searchFound.is, label: 'Zap Search Was Found Status', type: 'boolean' };

/** A result as later steps get it. */
export const withFound = (result: unknown, isFound = true): unknown =>
  isRecord.safeParse(result).success ? { ...Object(result), [foundOutput.key]: isFound } : result;

/** What a search gives to later steps. */
export const pickResults = (given: unknown, { results = 'first', whenNone = 'stop' }: SearchSettings): Outcome => {
  if (!Array.isArray(given)) return failed('The search gave no list of results.');
  if (given.length === 0 && whenNone === 'stop') return { status: 'halted', failure: noMatch };
  if (given.length === 0) return { status: 'success', output: withFound({}, false) };
  return { status: 'success', output: withFound(results === 'all' ? toLineItems(given) : given[0]) };
};

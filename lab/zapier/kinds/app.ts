import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Definition } from '../core/definition';
import { fieldValue, form } from '../fields/form';
import type { Entered, Problems } from '../fields/values';
import { byFields } from './by-fields';
import { kind } from './kind';
import { foundOutput, searchFields, searchSettings, withFound } from './search-results';

const values = z.record(z.string(), fieldValue);

const schema = z.object({
  /** The path of the operation in the app, such as `creates.send_message`. */
  operation: z.string(),
  values: z._default(values, {}),
  /** What people chose in a dropdown, by the field's key. */
  labels: z._default(z.record(z.string(), z.string()), {}),
  /** Undefined until the step was opened. */
  form: z.optional(form),
  search: z.optional(searchSettings),
});
type App = z.output<typeof schema>;

/** Begins the key of a field that is the editor's own. */
const own = 'zapier-';

const isSearch = (operation: string): boolean => operation.startsWith('searches.');

const fields = ({ form: given, operation }: App) => [
  ...(given?.fields ?? []),
  ...(given && isSearch(operation) ? searchFields : []),
];

const settingsOf = ({ search = {} }: App): Entered =>
  Object.fromEntries(Object.entries(search).flatMap(([key, value]) => (value ? [[own + key, value]] : [])));

/** The step with the values of its form, of which some are the editor's own. */
const withValues = <T extends App>(step: T, entered: Entered): T => {
  const all = Object.entries(entered);
  const settings = all.flatMap(([key, value]) => (key.startsWith(own) ? [[key.slice(own.length), value]] : []));
  return {
    ...step,
    values: Object.fromEntries(all.filter(([key]) => !key.startsWith(own))),
    ...(settings.length > 0 && { search: searchSettings.safeParse(Object.fromEntries(settings)).data ?? step.search }),
  };
};

const listed = byFields<App>({
  fields,
  values: (step) => ({ ...step.values, ...settingsOf(step) }),
  withValues,
  chosen: ({ labels }, key) => labels[key],
});

const declaredField = z.object({ key: z.string(), label: z.string(), required: z.literal(true) });

/** The required fields that are empty, of a step that nobody opened yet. */
const findUndeclared = (definition: Definition, { operation, values: entered }: App): Problems => {
  const declared = definition.find(operation)?.inputFields ?? [];
  const required = declared.flatMap((field) => declaredField.safeParse(field).data ?? []);
  const empty = required.filter(({ key }) => entered[key] === undefined || entered[key] === '');
  return Object.fromEntries(empty.map(({ key, label }) => [key, `${label} is empty. Fill it in and try again.`]));
};

/** The names of choices that weren't changed, and those of the new ones. */
const keepLabels = (step: App, entered: Entered, chosen: Record<string, string>): App['labels'] => {
  const same = Object.entries(step.labels).filter(
    ([key]) => !Object.hasOwn(entered, key) || isDeepStrictEqual(entered[key], step.values[key]),
  );
  return { ...Object.fromEntries(same), ...chosen };
};

/** A step of the app. */
export const app = kind({
  type: 'app',
  schema,
  empty: { operation: '', values: {}, labels: {} },
  fields,
  keepsExample: true,
  ...listed,
  title: ({ operation }, definition) => definition.labelOf(operation),
  named: ({ operation }, definition) => ({ event: definition.labelOf(operation) }),
  example: ({ example, operation }, definition) => {
    const sample = definition.find(operation)?.sample ?? {};
    return example ?? (isSearch(operation) ? withFound(sample) : sample);
  },
  outputs: ({ operation }, definition) => [
    ...(definition.find(operation)?.outputs ?? []),
    ...(isSearch(operation) ? [foundOutput] : []),
  ],
  enter: (step, entered, labels) => ({
    ...listed.enter(step, entered),
    labels: keepLabels(step, entered, labels),
  }),
  unfilled: (step, definition) => (step.form ? listed.unfilled(step) : findUndeclared(definition, step)),
  run: async (step, { app: runner, ...context }) => {
    // A test of an instant trigger reads recent records.
    const method = runner.definition.find(step.operation)?.isHook ? 'performList' : 'perform';
    return (await runner.run(step, method, context)).result;
  },
});

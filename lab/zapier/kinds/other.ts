import * as z from 'zod/mini';
import { failed } from '../core/failure';
import { readRecord } from '../fields/json-record';
import { resolveText } from '../fields/mapping';
import { changeTexts, type Entered, mapEntries, type Problems } from '../fields/values';
import { kind } from './kind';
import { pickResults } from './search-results';

const text = z.union([z.string(), z.array(z.string())]);
const rowAction = z.object({
  does: z.enum(['add', 'change', 'remove', 'find']),
  /** The label of the field that names the row, and the path of what the row has there. A new row is named by nothing. */
  field: z._default(z.string(), ''),
  column: z._default(z.string(), ''),
});

const schema = z.object({
  app: z.string(),
  event: z.string(),
  /** Values by label. */
  fields: z._default(z.record(z.string(), text), {}),
  /** What it does to a row of its app, such as a line of a sheet or an event of a calendar. */
  row: z.optional(rowAction),
  /** An example of what the app gives. */
  json: z._default(z.string(), '{}'),
  /** A condition of an earlier version. A step that has one can't be read, because without it the step would always run. */
  onlyIf: z.optional(z.undefined()),
});
type Other = z.output<typeof schema>;

const pairs = z.record(z.string(), z.string());

const emptyJson = '{\n  "id": 1,\n  "phone": "+12025550123"\n}';

const splitEvent = (name: string): Pick<Other, 'app' | 'event'> => {
  const at = name.indexOf(':');
  return at < 0 ? { app: name, event: 'New Record' } : { app: name.slice(0, at), event: name.slice(at + 1).trim() };
};

/** What each step gives. Every step after it asks, and its JSON may be long. */
const records = new WeakMap<Other, object>();

const recordOf = (step: Other): object | undefined => {
  const record = records.get(step) ?? readRecord(step.json).record;
  if (record) records.set(step, record);
  return record;
};

/** What the action of another app receives, by label. */
const inputOf = ({ fields }: Other, outputs: readonly unknown[]): Record<string, string> =>
  mapEntries(fields, (value) =>
    [value]
      .flat()
      .map((each) => resolveText(each, outputs))
      .join(', '),
  );

const findUnfilled = ({ fields }: Other): Problems => {
  const [empty] = Object.entries(fields).find(([, value]) => [value].flat().join('').trim() === '') ?? [];
  return empty === undefined ? {} : { fields: `${empty} is empty. Fill it in, or clear its name to leave it out.` };
};

/** A step of another app, with an example of what it gives as JSON. */
export const other = kind({
  type: 'other',
  schema,
  empty: { app: 'Another app', event: 'New Record', fields: {}, json: emptyJson },
  named: ({ app, event }) => ({ app, event }),
  title: ({ app, event }) => `${app}: ${event}`,
  example: recordOf,
  entered: ({ app, event, json, fields }): Entered => ({
    event: `${app}: ${event}`,
    fields: mapEntries(fields, (value) => [value].flat().join(', ')),
    json,
  }),
  enter: (step, { event, json, fields }) => ({
    ...step,
    ...(event !== undefined && splitEvent(String(event))),
    ...(json !== undefined && { json: String(json) }),
    ...(fields !== undefined && { fields: pairs.parse(fields) }),
  }),
  mapped: ({ fields }) =>
    Object.entries(fields).map(([name, value]) => ({ key: 'fields', name: `The field ${name}`, value })),
  remap: (step, change) => ({ ...step, fields: mapEntries(step.fields, (value) => changeTexts(value, change)) }),
  unfilled: (step, _definition, isTrigger) => (isTrigger ? {} : findUnfilled(step)),
  /** Gives what its example is like, or fails: without it, later steps would send messages with empty variables. A search gives the row. */
  run: (step, { outputs, others, isTest }) => {
    const { record, problem } = readRecord(step.json);
    const input = inputOf(step, outputs);
    if (problem) return { input, output: record, ...failed(problem) };
    if (!record || !others) return { input, output: record, status: 'success' };
    if (step.row?.does !== 'find') return { input, output: others.resultFor(record, input), status: 'success' };
    const found = others.findRow(step, input[step.row.field] ?? '');
    return { input, ...pickResults(found ? [found] : isTest ? [record] : [], {}) };
  },
  guide: ({ fields }, show) => Object.entries(fields).map(([name, value]) => [name, show([value].flat().join(', '))]),
});

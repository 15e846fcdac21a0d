import * as zod from 'zod/mini';
import { isTime } from '../api/fields';
import { toLabel } from '../api/labels';
import { isList, itemOf } from '../api/schema';

type Schema = zod.core.$ZodType;
type Labels = Record<string, string>;

/** A field that a step returns, as Zapier declares it: `contact__phone` is nested, `messages[]text` is in each line item. */
export interface OutputField {
  key: string;
  label: string;
  /** Left out for a dictionary. */
  type?: 'string' | 'number' | 'boolean' | 'datetime';
  list?: true;
}

/** What people call a field whose key doesn't say it, by its path in the record. */
const recordLabels: Labels = {
  phone: 'Phone Number',
  from: 'From Number',
  to: 'To Number',
  source: 'Sent By',
  assignee: 'Assigned To',
  error: 'Failure',
  'error.message': 'Failure Reason',
  'contact.phone': 'Contact Phone Number',
  'stats.recipients': 'Recipients',
  'stats.sent': 'Messages Sent',
  'stats.delivered': 'Messages Delivered',
  'stats.read': 'Messages Read',
  'stats.replied': 'Recipients Who Replied',
  'stats.failed': 'Messages Failed',
};

/** A place in what a step returns. `label` is the beginning of its label, `path` leads to it within its record. */
interface Place {
  key: string;
  label: string;
  path: readonly string[];
  labels: Labels;
}

const labelOf = (path: readonly string[], labels: Labels): string => {
  const known = labels[path.join('.')];
  if (known) return known;
  const own = toLabel(path.at(-1) ?? '');
  return path.length > 1 ? `${labelOf(path.slice(0, -1), labels)} ${own}` : own;
};

const typeOf = (schema: Schema): OutputField['type'] => {
  if (isTime(schema)) return 'datetime';
  const item = itemOf(schema);
  if (item instanceof zod.ZodMiniObject) return undefined;
  if (item instanceof zod.ZodMiniNumber) return 'number';
  return item instanceof zod.ZodMiniBoolean ? 'boolean' : 'string';
};

const fieldsOfRecord = (record: zod.ZodMiniObject, { key, label, path, labels }: Place): OutputField[] =>
  Object.entries(record.def.shape).flatMap(([name, schema]) =>
    fieldsAt(schema, { key: key + name, label, path: [...path, name], labels }),
  );

const fieldsAt = (schema: Schema, { key, label, path, labels }: Place): OutputField[] => {
  const item = itemOf(schema);
  const name = label + labelOf(path, labels);
  if (!(item instanceof zod.ZodMiniObject) || Object.keys(item.def.shape).length === 0) {
    const type = typeOf(schema);
    return [{ key, label: name, ...(type && { type }), ...(isList(schema) && { list: true }) }];
  }
  if (!isList(schema)) return fieldsOfRecord(item, { key: `${key}__`, label, path, labels });
  const each = { key: `${key}[]`, label: `${name.replace(/s$/, '')} `, path: [], labels: recordLabels };
  return fieldsOfRecord(item, each);
};

/**
 * Returns the output fields of a record: one for every key that its schema knows, nested ones and line items included.
 * `labels` names fields by their path where the key doesn't say what people call them.
 */
export const outputFieldsOf = (schema: zod.ZodMiniObject, labels: Labels = {}): OutputField[] =>
  fieldsOfRecord(schema, { key: '', label: '', path: [], labels: { ...recordLabels, ...labels } });

/** Returns what a step declares of its result: an example and the output fields. */
export const output = <R extends object>({
  noun,
  schema,
  sample,
}: {
  noun: string;
  schema: zod.ZodMiniObject;
  sample: R;
}): { sample: R; outputFields: OutputField[] } => ({
  sample,
  outputFields: outputFieldsOf(schema, { id: `${noun} ID`, url: `${noun} Link` }),
});

import * as zod from 'zod/mini';
import { isList, isTime, itemOf } from '../api/fields';
import { toLabel } from '../api/labels';
import { withoutMissing } from '../api/missing';
import { campaign, contact, type conversation, message, type template } from '../api/resources';
import { attributesField } from '../contact/form';
import { reachableRecords } from '../contact/person';
import { recipientField } from '../message/recipient';
import { freeFormVariablesField } from '../message/template-fields';
import { sourceLabel } from '../trigger/fields';

type Schema = zod.core.$ZodType;
type Labels = Readonly<Record<string, string | undefined>>;

/** The paths of a schema's keys, such as `error.message`. */
type PathIn<S> =
  S extends zod.ZodMiniObject<infer Shape>
    ? { [K in keyof Shape & string]: K | `${K}.${PathIn<Shape[K]>}` }[keyof Shape & string]
    : S extends zod.ZodMiniOptional<infer Inner> | zod.ZodMiniNullable<infer Inner>
      ? PathIn<Inner>
      : never;

/** Labels for keys of these schemas. A label for a key that none of them has is an error of types. */
type LabelsOf<S> = { readonly [P in PathIn<S>]?: string };

/** An output field, as Zapier declares it: `contact__phone` is nested, `messages[]text` is part of a line item. */
export interface OutputField {
  key: string;
  label: string;
  /** Missing for a dictionary. */
  type?: 'string' | 'number' | 'boolean' | 'datetime' | 'file';
  list?: true;
  /** Whether it's one of the fields by which Zapier tells polled records apart. */
  primary?: true;
}

/** What results have besides the records of the API. */
const resultKeys = zod.object({ minutes_to_reply: zod.number(), complete: zod.boolean() });

/** Labels for keys that don't make a good label, by their path in the record. Fields of forms have the same labels. */
const recordLabels = {
  phone: recipientField.label,
  from: 'From Number',
  to: 'To Number',
  source: sourceLabel,
  assignee: 'Assigned To',
  attributes: attributesField.label,
  variables: freeFormVariablesField.label,
  minutes_to_reply: 'Minutes to Reply',
  complete: 'All Messages Included',
  body: 'Text',
  error: 'Failure',
  'error.message': 'Failure Reason',
  'contact.phone': 'Contact Phone Number',
  'contact.username': 'Contact Username',
  reply_to: 'Quoted Message ID',
  'stats.recipients': 'Recipients',
  'stats.sent': 'Messages Sent',
  'stats.delivered': 'Messages Delivered',
  'stats.read': 'Messages Read',
  'stats.replied': 'Recipients Who Replied',
  'stats.failed': 'Messages Failed',
} satisfies LabelsOf<
  | (typeof message | typeof contact | typeof conversation | typeof campaign | typeof template)['schema']
  | typeof resultKeys
>;

/** A record in a result. `key` and `label` start those of its fields; `path` leads to it, from its line if it is in one. */
interface RecordPlace {
  key: string;
  label: string;
  path: readonly string[];
  labels: Labels;
}

const labelOf = (path: readonly string[], labels: Labels): string => {
  const known = labels[path.join('.')];
  if (known) return known;
  const [first = '', ...inner] = path;
  // A record inside another one names its fields as it does by itself.
  return inner.length > 0 ? `${labelOf([first], labels)} ${labelOf(inner, recordLabels)}` : toLabel(first);
};

const typeOf = (schema: Schema): OutputField['type'] => {
  if (isTime(schema)) return 'datetime';
  const item = itemOf(schema);
  if (item instanceof zod.ZodMiniObject) return undefined;
  if (item instanceof zod.ZodMiniNumber) return 'number';
  return item instanceof zod.ZodMiniBoolean ? 'boolean' : 'string';
};

const fieldsOfRecord = (record: zod.ZodMiniObject, place: RecordPlace): OutputField[] =>
  Object.entries(record.def.shape).flatMap(([name, schema]) => toOutputFields(name, schema, place));

const toOutputFields = (name: string, schema: Schema, place: RecordPlace): OutputField[] => {
  const key = place.key + name;
  const path = [...place.path, name];
  const label = place.label + labelOf(path, place.labels);
  const item = itemOf(schema);
  if (!(item instanceof zod.ZodMiniObject) || Object.keys(item.def.shape).length === 0) {
    const type = typeOf(schema);
    return [{ key, label, ...(type && { type }), ...(isList(schema) && { list: true }) }];
  }
  if (!isList(schema)) return fieldsOfRecord(item, { ...place, key: `${key}__`, path });
  const lineItem = { key: `${key}[]`, label: `${label.replace(/s$/, '')} `, path: [], labels: recordLabels };
  const fields = fieldsOfRecord(item, lineItem);
  const file = { key: `${lineItem.key}file`, label: `${lineItem.label}File`, type: 'file' as const };
  return name === 'attachments' ? [...fields, file] : fields;
};

/**
 * Returns an output field for every key in a record's schema, including nested keys and line items. `labels` gives
 * labels, by path, for keys that don't make a good one.
 */
export const outputFieldsOf = (schema: zod.ZodMiniObject, labels: Labels = {}): OutputField[] =>
  fieldsOfRecord(schema, { key: '', label: '', path: [], labels: { ...recordLabels, ...labels } });

const has = (sample: unknown, [key, ...rest]: string[]): boolean => {
  if (!key || sample === null) return true;
  if (Array.isArray(sample)) return sample.length === 0 || has(sample[0], [key, ...rest]);
  return typeof sample === 'object' && key in sample && has(Reflect.get(sample, key), rest);
};

/** Returns the fields that a sample has. A service may respond with less than the record, such as only its id. */
export const fieldsIn = (sample: object, fields: OutputField[]): OutputField[] => {
  const present = fields.filter(({ key }) => has(sample, key.split(/__|\[\]/)));
  // Core copies an array that steps share only once.
  return present.length < fields.length ? present : fields;
};

interface RecordType {
  noun: string;
  schema: zod.ZodMiniObject;
}

interface ResultSpec<R, S extends zod.ZodMiniObject> {
  /** The record that the result is. The result may have further fields. */
  record?: RecordType;
  /** The records that the items of a list are, by the key of the list. */
  lists?: Readonly<Record<string, RecordType>>;
  /** Parts of records, by their keys. */
  parts?: Readonly<Record<string, RecordType>>;
  /** The name of the record that the result is, or is about. */
  noun?: string | undefined;
  schema: S;
  sample: R;
  /** Labels for keys that don't make a good one, by path. */
  labels?: LabelsOf<S>;
  /** The keys by which Zapier tells polled records apart. It goes by `id` when left out. */
  primary?: readonly (keyof R)[];
}

const records = new WeakMap<object, ReadonlyMap<string, string>>();

/**
 * Returns the nouns of the records in the result that output fields are about, by what the keys of their fields begin
 * with: nothing for the result itself, or such as `messages[]`. None for fields that `output` didn't return.
 */
export const recordsIn = (fields: object): ReadonlyMap<string, string> => records.get(fields) ?? new Map();

/** Returns an example without the fields of its records that the service lacks. Only fields that may be absent can lack. */
export const withKnownFields = <R extends object>(
  sample: R,
  record: RecordType | undefined,
  inside: Readonly<Record<string, RecordType>> = {},
): R => {
  const known = record ? withoutMissing(record.noun.toLowerCase(), sample) : sample;
  const entries = Object.entries(inside).map(([key, each]) => {
    const part: unknown = Reflect.get(known, key);
    return [
      key,
      Array.isArray(part) ? part.map((item) => withKnownFields(item, each)) : withKnownFields(Object(part), each),
    ];
  });
  return { ...known, ...Object.fromEntries(entries) } as R;
};

/**
 * Returns the sample and output fields that a step declares. A field has no `sample`: it would win over the
 * step's sample, which already has every field. Zapier means it for fields that a function lists.
 */
export const output = <R extends object, S extends zod.ZodMiniObject>({
  record,
  lists = {},
  parts = {},
  noun = record?.noun,
  schema,
  sample: whole,
  labels,
  primary = [],
}: ResultSpec<R, S>): { sample: R; outputFields: OutputField[] } => {
  const sample = withKnownFields(whole, record, { ...lists, ...parts });
  const ofNoun: Labels = noun ? { id: `${noun} ID`, url: `${noun} Link`, name: `${noun} Name` } : {};
  const declared = fieldsIn(sample, outputFieldsOf(schema, labels ?? ofNoun));
  const isPrimary = ({ key }: OutputField): boolean => primary.some((each) => each === key);
  const outputFields =
    primary.length > 0
      ? declared.map((each) => (isPrimary(each) ? { ...each, primary: true as const } : each))
      : declared;
  const inLists = Object.entries(lists).map(([key, { noun: name }]): [string, string] => [`${key}[]`, name]);
  records.set(outputFields, new Map([...(record ? [['', record.noun] as const] : []), ...inLists]));
  return { sample, outputFields };
};

/** What steps with the same record declare. They share its array of fields, which Zapier's core then copies only once. */
export const outputs = {
  Message: output({ record: message, ...reachableRecords.message }),
  Campaign: output({ record: campaign, ...campaign }),
  Contact: output({ record: contact, ...reachableRecords.contact }),
};

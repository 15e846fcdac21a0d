import * as z from 'zod/mini';
import { isTime } from '../../src/api/fields';
import { innerOf } from '../../src/api/schema';
import { readShape } from '../../src/api/translate';
import { nameOnWire, type Sent, wordsOnWire } from '../../src/api/wire';
import { isListed } from './resource';
import { sourceOf, sourceOfWord } from './source';

type Schema = z.core.$ZodType;

/** How a value that the service sent compares with a schema. */
export interface Comparison {
  /** Sentences, each with the line of `src/api` to edit. */
  differences: Set<string>;
  /** Optional fields that the service doesn't send, by the service's names. */
  absent: Set<string>;
  /** Fields that the schema doesn't know. */
  unknown: Set<string>;
}

/** A place in the value: its path by the service's names, and by ours within the declaration of `owner`. */
interface Place {
  sent: Sent | undefined;
  owner: string;
  theirs: string;
  ours: string[];
  /** Lists what the records of the same list have at this place. */
  listed?: (() => readonly unknown[]) | undefined;
}

const maxSuggestions = 3;

const unwrap = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
};

/** Reads the form of the value itself, without the optional and nullable around its schema. */
const readForm = (schema: Schema, value: unknown, sent: Sent | undefined): unknown => {
  const read = readShape(schema, value, sent);
  const inner = innerOf(schema);
  return inner ? readForm(inner, read, sent) : read;
};

const isOptional = (schema: Schema): boolean => schema instanceof z.ZodMiniOptional;

const isNullable = (schema: Schema): boolean =>
  schema instanceof z.ZodMiniNullable || (schema instanceof z.ZodMiniOptional && isNullable(schema.def.innerType));

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'number' ? 'a number' : 'text';
};

const typeWanted = (schema: Schema): string => {
  if (schema instanceof z.ZodMiniObject) return 'an object';
  if (schema instanceof z.ZodMiniArray) return 'a list';
  if (schema instanceof z.ZodMiniNumber) return 'a number';
  return schema instanceof z.ZodMiniBoolean ? 'true or false' : 'text';
};

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'an object';

/** Whether a text is a time in the form of the contract. */
export const isIsoTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);

/** Returns the first four letters of each word: `['phon', 'numb']` for `phoneNumber` and `phone_number`. */
const stemsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.slice(0, 4));

const isSimilar = (one: string, other: string): boolean => stemsOf(one).some((stem) => stemsOf(other).includes(stem));

interface Field {
  key: string;
  name: string;
  field: Schema;
}

const isId = (name: string): boolean => /(^|_)id$|I[dD]$/.test(name);

/** Whether an unknown field has the type of a known one: a number, a time, an id, another text. */
const fits = ({ name, field }: Field, other: string, value: unknown): boolean =>
  typeOf(value) === typeWanted(unwrap(field)) && isTime(field) === isIsoTime(value) && isId(name) === isId(other);

/** Returns the unknown names that may be the missing field: similar ones, or those of its type. */
const suggest = (missing: Field, allMissing: Field[], unknown: [string, unknown][], at: Place): string[] => {
  const { listed, owner } = at;
  if (listed?.().some((each) => isObject(each) && Object.hasOwn(each, missing.name))) return [];
  const similar = unknown.filter(([other]) => isSimilar(missing.name, other));
  if (similar.length > 0) return similar.map(([other]) => other);
  const free = unknown.filter(([other]) => !allMissing.some(({ name }) => isSimilar(name, other)));
  if (!isOptional(missing.field)) return free.map(([other]) => other);
  // A service may leave out an optional field that is never null, such as the details of an error.
  if (!isNullable(missing.field)) return [];
  // It may also leave out what is null. A list shows whether any record has the field.
  if (!listed && isListed(owner)) return [];
  return free.filter(([other, value]) => fits(missing, other, value)).map(([other]) => other);
};

const within = ({ theirs, ours, listed, ...place }: Place, { key, name }: Pick<Field, 'key' | 'name'>): Place => ({
  ...place,
  theirs: theirs ? `${theirs}.${name}` : name,
  ours: [...ours, key],
  listed: listed && (() => listed().map((each) => (isObject(each) ? each[name] : undefined))),
});

const compareText = (schema: Schema, value: string, { owner, theirs, ours }: Place, { differences }: Comparison) => {
  const words = wordsOnWire(schema);
  if (words && !words.includes(value)) {
    const source = sourceOfWord(words[0] ?? '') || sourceOf(owner, ours);
    differences.add(`\`${theirs}\` has the unknown word "${value.slice(0, 40)}"${source}`);
  }
  if (isTime(schema) && !isIsoTime(value)) {
    differences.add(`\`${theirs}\` isn't an ISO 8601 time with Z${sourceOf(owner, ours)}`);
  }
};

/**
 * Compares missing fields. An optional one counts as absent when another record of the list has it, or when no unknown
 * field may be its new name.
 */
const compareMissing = (missing: Field[], unknown: [string, unknown][], at: Place, comparison: Comparison): void => {
  for (const each of missing) {
    const place = within(at, each);
    const suggestions = suggest(each, missing, unknown, at).slice(0, maxSuggestions);
    const there = suggestions.length > 0 ? `; there is ${suggestions.map((name) => `\`${name}\``).join(', ')}` : '';
    if (there || !isOptional(each.field)) {
      comparison.differences.add(`\`${place.theirs}\` is missing${there}${sourceOf(place.owner, place.ours)}`);
    } else if (isNullable(each.field)) {
      comparison.absent.add(`\`${place.theirs}\``);
    }
  }
};

const compareFields = (schema: z.ZodMiniObject, value: Record<string, unknown>, at: Place, comparison: Comparison) => {
  const fields: Field[] = Object.entries(schema.def.shape).map(([key, field]) => {
    return { key, name: nameOnWire(key, field), field };
  });
  // An object without declared fields holds values of one type under any name.
  if (fields.length === 0) {
    const item = schema.def.catchall ?? z.unknown();
    for (const each of Object.values(value)) compareValue(item, each, within(at, { key: '*', name: '*' }), comparison);
    return;
  }
  const unknown = Object.entries(value).filter(([name]) => !fields.some((field) => field.name === name));
  const missing = fields.filter(({ name }) => !Object.hasOwn(value, name));
  for (const each of fields) {
    if (Object.hasOwn(value, each.name)) compareValue(each.field, value[each.name], within(at, each), comparison);
  }
  compareMissing(missing, unknown, at, comparison);
  for (const [name] of unknown) comparison.unknown.add(`\`${within(at, { key: '', name }).theirs}\``);
};

const compareValue = (outer: Schema, theirs: unknown, at: Place, comparison: Comparison): void => {
  const schema = unwrap(outer);
  const value = readForm(outer, theirs, at.sent);
  if (schema instanceof z.ZodMiniUnknown || (value === null && isNullable(outer))) return;
  if (Array.isArray(value) && !Array.isArray(theirs) && !(schema instanceof z.ZodMiniArray)) {
    for (const each of value) compareValue(schema, each, at, comparison);
    return;
  }
  if (typeOf(value) !== typeWanted(schema)) {
    const name = at.theirs ? `\`${at.theirs}\`` : 'the body';
    comparison.differences.add(`${name} is ${typeOf(value)}, not ${typeWanted(schema)}${sourceOf(at.owner, at.ours)}`);
    return;
  }
  if (typeof value === 'string') compareText(schema, value, at, comparison);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    const each = { ...at, theirs: `${at.theirs}[]`, listed: () => value };
    for (const item of value) compareValue(schema.def.element, item, each, comparison);
  }
  if (schema instanceof z.ZodMiniObject && isObject(value)) compareFields(schema, value, at, comparison);
};

/**
 * Compares a value, as the service sent it, with a schema that `src/api` declares under the name `owner`. `sent` is the
 * request that a response belongs to.
 */
export const compare = (schema: Schema, value: unknown, owner: string, sent?: Sent): Comparison => {
  const comparison: Comparison = { differences: new Set(), absent: new Set(), unknown: new Set() };
  compareValue(schema, value, { sent, owner, theirs: '', ours: [] }, comparison);
  return comparison;
};

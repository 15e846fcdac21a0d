import * as z from 'zod/mini';
import { tolerant } from '../../../src/api/decode';
import { e164, readE164 } from '../../../src/api/e164';
import { isTime } from '../../../src/api/fields';
import { withoutMissing } from '../../../src/api/missing';
import { fieldsOf } from '../../../src/api/object';
import { innerOf, isList } from '../../../src/api/schema';
import { kindOf, wordsOf } from '../../../src/api/wire';
import { plain } from './names';
import { type Declaration, declarationOf, placeOf, vocabularyOf } from './place';
import { isListed } from './resource';

type Schema = z.core.$ZodType;

/** How a value that the service sent compares with a schema. */
export interface Comparison {
  /** Sentences, each with the place in `src/api` to edit. */
  differences: Set<string>;
  /** Differences that the app copes with. */
  tolerated: Set<string>;
  /** Optional fields that the service doesn't send, by the service's names. */
  absent: Set<string>;
  /** Fields that the schema doesn't know. */
  unknown: Set<string>;
  /** The lists of `vocabulary` of which a known word was seen. */
  spoken: Set<string>;
}

/** A place in the value: its path by the service's names, and by ours within the declaration of `owner`. */
interface Place {
  /** How each sentence begins. */
  start: string;
  owner: string;
  theirs: string;
  ours: string[];
  /** The records of the list that this place is in, and the path from each of them to it. */
  listed?: { records: readonly unknown[]; path: readonly string[] } | undefined;
}

const unwrap = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
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

const isSameName = (one: string, other: string): boolean => plain(one) === plain(other);

interface Field {
  key: string;
  name: string;
  field: Schema;
  at: Place;
}

const known = new WeakMap<readonly unknown[], Map<string, boolean>>();

/** Whether any record of a list has a value at a place. */
const isInAny = ({ records, path }: NonNullable<Place['listed']>): boolean => {
  const answers = known.get(records) ?? new Map<string, boolean>();
  known.set(records, answers);
  const key = JSON.stringify(path);
  const valueIn = (record: unknown) => path.reduce((value, name) => fieldsOf(value)[name], record);
  const answer = answers.get(key) ?? records.some((record) => valueIn(record) !== undefined);
  answers.set(key, answer);
  return answer;
};

const isId = (name: string): boolean => /(^|_)id$|I[dD]$/.test(name);

/** Whether a value is one of the words of a text, if it has any. */
const isKnownWord = (field: Schema, value: unknown): boolean =>
  isList(field) || (wordsOf(field)?.some((word) => word === value) ?? true);

/** Whether an unknown field has the type of a known one: a number, a time, an id, a word, another text. */
const fits = ({ name, field }: Field, other: string, value: unknown): boolean => {
  // An empty value says little.
  if (isOptional(field) && Array.isArray(value) && value.length === 0) return false;
  const isSameKind = isTime(field) === isIsoTime(value) && isId(name) === isId(other);
  return typeOf(value) === typeWanted(unwrap(field)) && isSameKind && isKnownWord(field, value);
};

/**
 * Returns the unknown field that is the missing one: the same name in another spelling, or the only one that is left over
 * for it. Undefined when none is certain.
 */
const suggest = (missing: Field, allMissing: Field[], unknown: [string, unknown][]): string | undefined => {
  const { listed, owner } = missing.at;
  if (listed && isInAny(listed)) return undefined;
  const [respelled] = unknown.find(([other]) => isSameName(other, missing.name)) ?? [];
  if (respelled !== undefined) return respelled;
  // A service may leave out an optional field that is never null, such as the details of an error.
  if (isOptional(missing.field) && !isNullable(missing.field)) return undefined;
  // It may also leave out what is null. A list shows whether any record has the field.
  if (isOptional(missing.field) && !listed && isListed(owner)) return undefined;
  const free = unknown.filter(([other]) => !allMissing.some(({ name }) => isSameName(name, other)));
  const fitting = free.filter(([other, value]) => fits(missing, other, value));
  const [left] = fitting;
  const rivals = allMissing.filter(
    (each) => isOptional(each.field) === isOptional(missing.field) || !isOptional(each.field),
  );
  const isCertain = fitting.length === 1 && left && rivals.every((each) => each === missing || !fits(each, ...left));
  return isCertain ? left[0] : undefined;
};

const within = ({ theirs, ours, listed, ...place }: Place, key: string, name: string): Place => ({
  ...place,
  theirs: theirs ? `${theirs}.${name}` : name,
  ours: [...ours, key],
  listed: listed && { ...listed, path: [...listed.path, name] },
});

/** Whether a text is a time with its distance from UTC, which names one moment as well. */
const hasOffset = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?[+-]\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Adds a sentence that ends with the place to edit. */
const tell = (texts: Set<string>, { start, owner, ours }: Place, text: string, place = placeOf(owner, ours)): void =>
  void texts.add(`${start}${text}${place}`);

const compareText = (schema: Schema, value: string, at: Place, found: Comparison): void => {
  const { differences, tolerated } = found;
  const name = `\`${at.theirs}\``;
  const [words, vocabulary] = [wordsOf(schema), vocabularyOf(schema)];
  if (vocabulary && words?.includes(value)) found.spoken.add(vocabulary);
  if (words && !words.includes(value)) {
    const place = vocabulary ? placeOf('vocabulary', [vocabulary]) : placeOf('errorCodes');
    tell(differences, at, `${name} has the unknown word "${value.slice(0, 40)}"`, place);
  }
  if (isTime(schema) && !isIsoTime(value)) {
    tell(hasOffset(value) ? tolerated : differences, at, `${name} isn't an ISO 8601 time with Z`);
  }
  if (kindOf(schema) === 'phone' && !e164.test(value)) {
    tell(readE164(value) ? tolerated : differences, at, `${name} isn't a phone number with a plus`);
  }
};

/**
 * Compares a missing field. An optional one counts as absent when another record of the list has it, or when no unknown
 * field may be its new name.
 */
const compareMissing = (each: Field, missing: Field[], unknown: [string, unknown][], found: Comparison): void => {
  const { field, at } = each;
  const suggestion = suggest(each, missing, unknown);
  const there = suggestion === undefined ? '' : `; there is \`${suggestion}\``;
  if (there || !isOptional(field)) tell(found.differences, at, `\`${at.theirs}\` is missing${there}`);
  else if (isNullable(field)) found.absent.add(`\`${at.theirs}\``);
};

/** Whether the service has a field of a record. */
const isKept = ({ name, path }: Declaration): boolean =>
  path.join('.') in withoutMissing(name === 'personFields' ? 'contact' : name, { [path.join('.')]: true });

const compareFields = (schema: z.ZodMiniObject, value: Record<string, unknown>, at: Place, found: Comparison): void => {
  const all = Object.entries(schema.def.shape).map(([key, field]): Field => {
    return { key, name: key, field, at: within(at, key, key) };
  });
  const fields = all.filter(({ at: place }) => isKept(declarationOf(place.owner, place.ours)));
  // An object without declared fields holds values of one type under any name.
  if (fields.length === 0) {
    const item = schema.def.catchall ?? z.unknown();
    for (const each of Object.values(value)) compareValue(item, each, within(at, '*', '*'), found);
    return;
  }
  const isThere = ({ name }: Field): boolean => Object.hasOwn(value, name);
  for (const each of all.filter(isThere)) {
    if (!fields.includes(each)) {
      tell(found.differences, each.at, `the service has \`${each.at.theirs}\``);
      continue;
    }
    compareValue(each.field, value[each.name], each.at, found);
  }
  const unknown = Object.entries(value).filter(([name]) => !all.some((field) => field.name === name));
  const missing = fields.filter((each) => !isThere(each));
  for (const each of missing) compareMissing(each, missing, unknown, found);
  for (const [name] of unknown) found.unknown.add(`\`${within(at, '', name).theirs}\``);
};

/** Whether the app reads a value of another type as one of this schema. `isItem`: it's in a list, or under any name. */
const readsAs = (schema: Schema, value: unknown, isItem: boolean): boolean => {
  if (isItem && unwrap(schema) instanceof z.ZodMiniString) return ['number', 'boolean'].includes(typeof value);
  const read = z.safeParse(tolerant(z.object({ value: schema })), { value }).data;
  return (Object(read).value ?? null) !== null;
};

const compareValue = (outer: Schema, value: unknown, at: Place, found: Comparison): void => {
  const schema = unwrap(outer);
  const name = at.theirs ? `\`${at.theirs}\`` : 'the body';
  if (value === undefined || (value === '' && !at.theirs)) {
    if (!isOptional(outer)) tell(found.differences, at, `${name} is missing`);
    return;
  }
  if (schema instanceof z.ZodMiniUnknown || (value === null && isNullable(outer))) return;
  if (typeOf(value) !== typeWanted(schema)) {
    const isTolerated = readsAs(outer, value, /(\[\]|\*)$/.test(at.theirs));
    const texts = isTolerated ? found.tolerated : found.differences;
    tell(texts, at, `${name} is ${typeOf(value)}, not ${typeWanted(schema)}`);
    return;
  }
  if (typeof value === 'string') compareText(schema, value, at, found);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    const each = { ...at, theirs: `${at.theirs}[]`, listed: { records: value, path: [] } };
    for (const item of value) compareValue(schema.def.element, item, each, found);
  }
  if (schema instanceof z.ZodMiniObject && isObject(value)) compareFields(schema, value, at, found);
};

/** Returns a comparison that has found nothing yet. */
export const nothingFound = (): Comparison => ({
  differences: new Set(),
  tolerated: new Set(),
  absent: new Set(),
  unknown: new Set(),
  spoken: new Set(),
});

/**
 * Compares a value with a schema that `src/api` declares under the name `owner`. What differs is added to `found`, in
 * sentences that begin with `start`.
 */
export const compare = (
  schema: Schema,
  value: unknown,
  owner: string,
  { start = '', found = nothingFound() }: { start?: string; found?: Comparison } = {},
): Comparison => {
  compareValue(schema, value, { start, owner, theirs: '', ours: [] }, found);
  return found;
};

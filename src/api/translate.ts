import * as z from 'zod/mini';
import { fieldsOf } from './object';
import { elementOf, innerOf } from './schema';
import {
  hasDifferences,
  isByPosition,
  isMissing,
  nameOnWire,
  opposite,
  type Sent,
  translateWords,
  type Way,
  wordsOf,
} from './wire';

type Schema = z.core.$ZodType;

const nothingSent: Sent = { query: {}, body: {} };

const translateFields = (way: Way, { def: { shape } }: z.ZodMiniObject, value: object, sent: Sent): object => {
  const fields = Object.entries(shape).map(([key, type]) => ({ type, fromWire: key, toWire: nameOnWire(key, type) }));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const known = fields.find((each) => each[opposite[way]] === key);
      const translated = known && !isMissing(known.type) ? translate(way, known.type, item, sent) : undefined;
      if (known) return translated === undefined ? [] : [[known[way], translated]];
      // A field of the service may have our name for another field.
      return fields.some((each) => each[way] === key) ? [] : [[key, item]];
    }),
  );
};

const translateInside = (way: Way, schema: Schema, value: unknown, sent: Sent): unknown => {
  const inner = innerOf(schema);
  if (inner) return translate(way, inner, value, sent);
  const element = elementOf(schema);
  if (element) return translateItems(way, element, value, sent);
  const each = (item: unknown): unknown => {
    if (typeof item === 'string') return translateWords(way, schema, item)[0];
    if (typeof item !== 'object' || item === null || !(schema instanceof z.ZodMiniObject)) return item;
    return translateFields(way, schema, item, sent);
  };
  return Array.isArray(value) ? value.map(each) : each(value);
};

/** Translates a list, or one value in place of it, such as that of a filter. A word may become several, and stays once. */
const translateItems = (way: Way, element: Schema, value: unknown, sent: Sent): unknown => {
  const hasWords = wordsOf(element) !== undefined;
  const all = [value].flat().flatMap((item) => {
    return hasWords && typeof item === 'string'
      ? translateWords(way, element, item)
      : [translate(way, element, item, sent)];
  });
  const translated = hasWords ? [...new Set(all)] : all;
  return Array.isArray(value) || translated.length > 1 ? translated : translated[0];
};

/** Translates the values of variables between a list in the order of the template and our names. */
const translatePositions = (way: Way, value: unknown, names: readonly string[] | undefined): unknown => {
  const ours = fieldsOf(value);
  if (way === 'toWire') return (names ?? Object.keys(ours)).map((name) => ours[name] ?? '');
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(value.map((each, index) => [names?.[index] ?? String(index + 1), each]));
};

const translate = (way: Way, schema: Schema, value: unknown, sent: Sent): unknown => {
  if (value === undefined || value === null) return value;
  const isListed = schema instanceof z.ZodMiniObject && isByPosition(schema);
  return isListed ? translatePositions(way, value, sent.template) : translateInside(way, schema, value, sent);
};

/** Returns what the service sent in our names, words and forms. Unknown fields stay as they are. */
export const fromWire = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  hasDifferences() ? translate('fromWire', schema, value, sent) : value;

/** Returns a value in the names, words and forms of the service. */
export const toWire = (schema: Schema, value: unknown, sent = nothingSent): unknown =>
  hasDifferences() ? translate('toWire', schema, value, sent) : value;

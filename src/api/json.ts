/** JSON values: how a text is parsed, and how values of any form are read, changed and emptied. */

/** The maximum nesting and number of values. Core makes one call per level, and a page of 100 records has a few thousand values. */
const jsonLimits = { depth: 100, values: 200_000 } as const;

/** Whether parsing a JSON text or walking its values could take seconds or exhaust the stack. */
const isTooComplex = (text: string): boolean => {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString) at += character === '\\' ? 1 : 0;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
    }
    if (depth > jsonLimits.depth || values > jsonLimits.values) return true;
  }
  return false;
};

/** Keeps a whole number as text when JavaScript would round it, since it may be an id. */
const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;

/** A number that may be too long. Looking at every value would take several times as long as parsing them. */
const maybeLong = /(?:^|[\s:,[])-?(?:\d{16}|[\d.]+e)/i;

/**
 * Parses JSON, with or without a byte order mark. A whole number that is too long for JavaScript becomes text. Returns
 * undefined for invalid or too complex JSON.
 */
export const parseJson = (text: string): unknown => {
  try {
    if (isTooComplex(text)) return undefined;
    return JSON.parse(text.replace(/^\ufeff/, ''), maybeLong.test(text) ? keepDigits : undefined);
  } catch {
    return undefined;
  }
};

/** Applies `change` to every string in a parsed JSON value, names included. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]));
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object itself, to read its fields; one without fields for any other value, such as a list. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** Returns a record with the fields of a mask only, as zod's `pick` does with its schema. */
export const pick = <R extends object, const M extends { [K in keyof R]?: true }>(
  record: R,
  mask: M,
): Pick<R, keyof M & keyof R> =>
  // The compiler doesn't follow keys through entries.
  Object.fromEntries(Object.keys(mask).map((key) => [key, Reflect.get(record, key)])) as Pick<R, keyof M & keyof R>;

/** Whether a value is missing, blank, an object without entries, or a list of such values. */
export const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmpty);
  return typeof value === 'object' && Object.keys(value).length === 0;
};

/**
 * Removes empty values, including lists and objects that become empty, except in the fields named by `kept`. An empty
 * item keeps its place in its list. `null` isn't empty here: it empties a field of a record.
 */
export const removeEmpty = (value: unknown, kept: readonly string[] = []): unknown => {
  if (Array.isArray(value)) return value.map((item) => removeEmpty(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, removeEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([key, item]) => item === null || kept.includes(key) || !isEmpty(item)));
};

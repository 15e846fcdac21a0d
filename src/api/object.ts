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

/** Whether a value is missing, blank, an object without entries, or a list of such values. */
export const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmpty);
  return typeof value === 'object' && Object.keys(value).length === 0;
};

/**
 * Removes empty values, including lists and objects that become empty, except in the fields named by `kept`. An empty
 * item keeps its place in its list.
 */
const removeEmpty = (value: unknown, kept: readonly string[] = []): unknown => {
  if (Array.isArray(value)) return value.map((item) => removeEmpty(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, removeEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([key, item]) => kept.includes(key) || !isEmpty(item)));
};

/**
 * Returns a body as JSON without empty values, except in the fields named by `kept`. A string is already JSON and keeps
 * its values. Escapes `{{`, because `z.request` removes or rejects double braces.
 */
export const serializeBody = (body: unknown, kept: readonly string[] = []): string => {
  const json = typeof body === 'string' ? body : JSON.stringify(removeEmpty(body, kept));
  return json.replaceAll('{{', '\\u007b\\u007b');
};

/** Returns a query string that starts with `?`, without empty values. Lists become comma-separated (docs/api.md). */
export const serializeQuery = (query: unknown): string => {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (!isEmpty(value)) encoded.append(name, String(value));
  return encoded.size > 0 ? `?${encoded}` : '';
};

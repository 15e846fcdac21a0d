import { recordLabel, toLabel } from '../api/labels';
import { halt, quote } from '../platform/errors';

/** Whether there is nothing in a value: none, blank, or a list or an object without anything. */
export const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
};

/** Leaves out what is blank, and lists and objects in which nothing is left. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => !isEmpty(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
};

/**
 * Writes a body as JSON, without anything empty; a body that is JSON text already keeps what is in it. No `{{` stands in
 * it, since z.request takes double braces out of texts or throws at them; a JSON reader sees the same text.
 */
export const encodeBody = (body: unknown): string => {
  const json = typeof body === 'string' ? body : JSON.stringify(withoutEmpty(body));
  return json.replaceAll('{{', '\\u007b\\u007b');
};

/** Puts values into the `{…}` of a path, each as one segment. Throws a sentence for one that cannot name a record. */
export const encodePath = (path: string, values: Record<string, unknown>): string =>
  path.replace(/\{(\w{1,40})\}/g, (_, parameter: string) => {
    const value = String(values[parameter] ?? '')
      .toWellFormed()
      .trim();
    // A dot segment would climb to another path even when it is encoded.
    if (/^\.{0,2}$/.test(value))
      throw halt(`${recordLabel(path) ?? toLabel(parameter)}: ${quote(value)} isn't an ID or name. Choose or map one.`);
    return encodeURIComponent(value);
  });

/** Writes a query with its question mark, several values as one with commas (contract §1), without what is empty. */
export const encodeQuery = (query: unknown): string => {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (!isEmpty(value)) encoded.set(name, String(value));
  return encoded.size > 0 ? `?${encoded}` : '';
};

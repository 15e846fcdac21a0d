/** Writes the parts of a request: its path, query and body. */
import { isEmpty } from '../api/empty';
import { recordLabel, toLabel } from '../api/labels';
import { halt, quote } from '../platform/errors';

/** Fills in the parameters of a path. Throws when a value can't identify a record. */
export const serializePath = (path: string, values: Record<string, unknown>): string =>
  path.replace(/\{(\w{1,40})\}/g, (_, parameter: string) => {
    const value = String(values[parameter] ?? '')
      .toWellFormed()
      .trim();
    // A dot segment leads to another path, even when it's encoded.
    if (/^\.{0,2}$/.test(value)) {
      throw halt(`${recordLabel(path) ?? toLabel(parameter)}: ${quote(value)} isn't an ID or name. Choose or map one.`);
    }
    return encodeURIComponent(value);
  });

/**
 * Returns a body as JSON. A string stays as it is. Escapes `{{`, because `z.request` removes or rejects double braces.
 */
export const serializeBody = (body: unknown): string => {
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  return json.replaceAll('{{', '\\u007b\\u007b');
};

/**
 * Returns a query string that starts with `?`, without empty values. Lists become comma-separated (docs/api.md). A name
 * may come several times in `pairs`.
 */
export const serializeQuery = (query: unknown, pairs: readonly (readonly [string, string])[] = []): string => {
  const encoded = new URLSearchParams();
  const all = [...Object.entries(query ?? {}), ...pairs];
  for (const [name, value] of all) if (!isEmpty(value)) encoded.append(name, String(value));
  return encoded.size > 0 ? `?${encoded}` : '';
};

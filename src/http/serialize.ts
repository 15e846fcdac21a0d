import { isEmpty } from '../api/empty';

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

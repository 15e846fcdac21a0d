import * as z from 'zod/mini';

const abbreviations = new Map([
  ['id', 'ID'],
  ['url', 'Link'],
]);

/** Returns the text with a capital first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the words for a key of the API, as a title: `campaign_id` is "Campaign ID". */
export const toLabel = (key: string): string =>
  key
    .split('_')
    .map((word) => abbreviations.get(word) ?? capitalize(word))
    .join(' ');

/** What a form calls fields of the API. Undefined for a field that the form doesn't have. */
export type FieldLabels = Readonly<Record<string, string | undefined>>;

const keysOf = (schema: unknown): string[] => (schema instanceof z.ZodMiniObject ? Object.keys(schema.def.shape) : []);

/** Returns what a form calls the fields of a request. The step itself chooses those that the form has no label for. */
export const requestLabels = (request: { query?: unknown; body?: unknown }, labels: FieldLabels = {}): FieldLabels => ({
  ...Object.fromEntries([...keysOf(request.query), ...keysOf(request.body)].map((key) => [key, undefined])),
  ...labels,
});

/** Returns what a form calls the record that a path names: "Contact" for `/v1/contacts/{id}`. */
export const recordLabel = (path: string): string | undefined => {
  const [, plural] = /\/([a-z_]+)s\/\{id\}/.exec(path) ?? [];
  return plural && toLabel(plural);
};

/**
 * Returns what a form calls a field of the API, such as "Phone Number" for `to`. `labels` are those of the form, and
 * `record` is what it calls the record itself. Undefined for a field that the form doesn't have. A field that nobody
 * knows keeps the words of its key.
 */
export const fieldLabel = (field: string, record?: string, labels: FieldLabels = {}): string | undefined => {
  const [name = '', inner] = field.split(/\.(.*)/s);
  if (name === 'filters' && inner) return fieldLabel(inner, record, labels);
  const known = [field, name, name.replace(/_id$/, '')].filter((each) => Object.hasOwn(labels, each));
  const own = known.find((each) => labels[each]);
  if (own) return own === 'variables' && inner ? `${labels[own]}: ${inner}` : labels[own];
  if (known.length > 0) return undefined;
  return (/^(id|name)$/.test(name) && record) || toLabel(name.replace(/_id$/, ''));
};

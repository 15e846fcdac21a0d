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

/** What a form calls fields of the API. */
export type FieldLabels = Readonly<Record<string, string | undefined>>;

/** Fields whose label in a form differs from their key. */
const formLabels = new Map([
  ['to', 'Phone Number'],
  ['from', 'Phone Number'],
  ['phone', 'Phone Number'],
  ['source', 'Sent By'],
  ['query', 'Search'],
  ['variables', 'Template Variables'],
  ['attributes', 'Custom Details'],
  ['add_tags', 'Tags to Add'],
  ['remove_tags', 'Tags to Remove'],
]);

const queryFields = ['after', 'limit', 'direction', 'status', 'contact_id', 'conversation_id'];
const webhookFields = ['url', 'events', 'filters'];

/** Fields that most forms don't have. */
const withoutLabel = new Set([...queryFields, ...webhookFields]);

/** Returns what a form calls the record that a path names: "Contact" for `/v1/contacts/{id}`. */
export const recordLabel = (path: string): string | undefined => {
  const [, plural] = /\/([a-z_]+)s\/\{(?:id|name)\}/.exec(path) ?? [];
  return plural && toLabel(plural);
};

/**
 * Returns what a form calls a field of the API: `to` is "Phone Number", `campaign_id` is "Campaign". `labels` are those of
 * the form in use, and `record` is what it calls the record itself. Undefined for a field that the form doesn't have.
 */
export const fieldLabel = (field: string, record?: string, labels: FieldLabels = {}): string | undefined => {
  const [name = '', inner] = field.split(/\.(.*)/s);
  if (name === 'filters' && inner) return fieldLabel(inner, record, labels);
  const own = [field, name].find((each) => Object.hasOwn(labels, each));
  if (own) return labels[own];
  if (name === 'variables' && inner) return `${formLabels.get(name)} (${inner})`;
  if (name === 'id' || name === 'name') return record ?? toLabel(name);
  return withoutLabel.has(name) ? undefined : (formLabels.get(name) ?? toLabel(name.replace(/_id$/, '')));
};

const abbreviations: Record<string, string> = { id: 'ID', url: 'Link' };

/** Returns a word with a capital letter. */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the words for a key of the API, as a title: `campaign_id` is "Campaign ID". */
export const toLabel = (key: string): string =>
  key
    .split('_')
    .map((word) => abbreviations[word] ?? capitalize(word))
    .join(' ');

/** Fields that a form calls something else than their key says. */
const formLabels: Record<string, string | undefined> = {
  to: 'Phone Number',
  phone: 'Phone Number',
  attributes: 'Custom Details',
  add_tags: 'Tags to Add',
  remove_tags: 'Tags to Remove',
  limit: 'Number of Messages',
};

/** Fields that no form has. */
const hiddenFields = new Set(['url', 'events', 'filters', 'after', 'query']);

/** Returns what a form calls the record that a path names: "Contact" for `/v1/contacts/{id}`. */
export const recordLabel = (path: string): string | undefined => {
  const [, plural] = /\/([a-z_]+)s\/\{(?:id|name)\}/.exec(path) ?? [];
  return plural && toLabel(plural);
};

/**
 * Returns what a form calls a field of the API: `to` is "Phone Number", `campaign_id` is "Campaign". `record` is what
 * the form calls the record itself. Undefined for a field that no form has.
 */
export const fieldLabel = (field: string, record?: string): string | undefined => {
  if (field.startsWith('variables.')) return `Variable "${field.slice('variables.'.length)}"`;
  const [name = ''] = field.split('.');
  if (name === 'id' || name === 'name') return record ?? toLabel(name);
  return hiddenFields.has(name) ? undefined : (formLabels[name] ?? toLabel(name.replace(/_id$/, '')));
};

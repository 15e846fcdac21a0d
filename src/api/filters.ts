import { readE164 } from './e164';
import { type Message, vocabulary } from './resources';

/** Which values pass, by the name of a query parameter or webhook filter. Undefined or an empty list lets every value pass. */
export type Filters = { readonly [name: string]: unknown };

/** Where a record keeps what a parameter names, if it isn't in the field of the same name. */
const paths: Record<string, readonly string[]> = {
  tag: ['tags'],
  contact_id: ['contact', 'id'],
};

/** Parameters that don't name a field: they search or page. */
const notFields = new Set(['query', 'limit', 'after']);

const readPath = (record: object, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : value),
    record,
  );

/** A campaign's own `id` is what `campaign_id` asks for. */
const readValue = (record: object, name: string): unknown =>
  name === 'campaign_id' && !('campaign_id' in record)
    ? readPath(record, ['id'])
    : readPath(record, name in record ? [name] : (paths[name] ?? [name]));

/** Returns how to compare values: phone numbers without separators, ids as they are, everything else in any case. */
const normalizer =
  (name: string) =>
  (value: unknown): string => {
    const text = String(value).trim();
    // The Kelvin sign isn't k, though that is its lower case.
    return readE164(text) ?? (/(^|_)id$/.test(name) ? text : text.replace(/[^\u212a]+/g, (part) => part.toLowerCase()));
  };

/** What decides whom a Zap writes to: a contact that doesn't say it doesn't pass. */
const mustSay = new Set(['consent', 'tag']);

const passesFilter = (record: object, name: string, wanted: readonly unknown[]): boolean => {
  if (wanted.length === 0) return true;
  const value = readValue(record, name);
  if (value === undefined) return !mustSay.has(name);
  const normalize = normalizer(name);
  const values = new Set([value ?? []].flat().map(normalize));
  return wanted.some((each) => values.has(normalize(each)));
};

/**
 * Whether nothing in a record contradicts the filters: a field that is there and differs, or is null, doesn't pass. A
 * field that is absent does, except consent and tags.
 */
export const passesFilters = (record: object, filters: Filters): boolean =>
  Object.entries(filters)
    .filter(([name]) => !notFields.has(name))
    .every(([name, wanted]) => passesFilter(record, name, [wanted ?? []].flat()));

/**
 * Whether a record isn't a message, such as an internal note or an activity: it has another direction. A service may have
 * such records among its messages.
 */
export const isNote = ({ direction }: { direction?: unknown }): boolean =>
  direction !== undefined && direction !== null && !vocabulary.direction.some((each) => each === direction);

/**
 * Whether an inbound record says nothing, such as a reaction that was taken back: it has no text that anybody sees, no
 * attachment and no button. It's neither a reply nor what starts a Zap.
 */
export const saysNothing = ({ direction, text, attachments, button }: Message): boolean =>
  direction === 'inbound' && !/[^\s\p{Cc}\p{Cf}]/u.test(text ?? '') && !attachments?.length && !button;

/** Reads values whose types nobody knows. */
export type Fields = Record<string, unknown>;

/** Returns a value as a list: none for nothing. */
export const listOf = (value: unknown): unknown[] => [value ?? []].flat();

/** Returns a text; an empty one for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value with fields; none for anything else. */
export const asFields = (value: unknown): Fields => (isFields(value) ? value : {});

/** Returns the fields of a text in JSON; none for any other text. */
export const parseFields = (text: string): Fields => {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return {};
  }
};

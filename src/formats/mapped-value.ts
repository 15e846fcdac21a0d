/**
 * Returns a mapped value as trimmed text, joining a list with commas. Returns undefined for a blank value, which has no
 * visible character.
 */
export const readText = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return readList(value).join(', ') || undefined;
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  const text = String(value).toWellFormed().trim();
  return /[^\s\p{Cc}\p{Cf}]/u.test(text) ? text : undefined;
};

/** Returns a mapped value as a list of texts, without blank items. */
export const readList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(readText).filter((item) => item !== undefined);

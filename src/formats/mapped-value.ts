/** How many lists in lists are read. A deeper value is nobody's text. */
const maxDepth = 10;

/**
 * Returns a mapped value as trimmed text, joining a list with commas. Returns undefined for a blank value, which has no
 * visible character.
 */
export const readText = (value: unknown, depth = 0): string | undefined => {
  if (Array.isArray(value)) return depth < maxDepth ? readList(value, depth + 1).join(', ') || undefined : undefined;
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  const text = String(value).toWellFormed().trim();
  return /[^\s\p{Cc}\p{Cf}]/u.test(text) ? text : undefined;
};

/** Returns a mapped value as a list of texts, without blank items. */
export const readList = (value: unknown, depth = 0): string[] =>
  (Array.isArray(value) ? value : [value]).map((item) => readText(item, depth)).filter((item) => item !== undefined);

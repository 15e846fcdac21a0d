/** The maximum nesting and number of values. Core makes one call per level, and a page of 100 records has a few thousand values. */
const jsonLimits = { depth: 100, values: 200_000 } as const;

/** Whether parsing a JSON text or walking its values could take seconds or exhaust the stack. */
const isTooComplex = (text: string): boolean => {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString) at += character === '\\' ? 1 : 0;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
    }
    if (depth > jsonLimits.depth || values > jsonLimits.values) return true;
  }
  return false;
};

/** Keeps a whole number as text when JavaScript would round it, since it may be an id. */
const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;

/** A number that may be too long. Looking at every value would take several times as long as parsing them. */
const maybeLong = /(?:^|[\s:,[])-?(?:\d{16}|[\d.]+e)/i;

/**
 * Parses JSON, with or without a byte order mark. A whole number that is too long for JavaScript becomes text. Returns
 * undefined for invalid or too complex JSON.
 */
export const parseJson = (text: string): unknown => {
  try {
    if (isTooComplex(text)) return undefined;
    return JSON.parse(text.replace(/^\ufeff/, ''), maybeLong.test(text) ? keepDigits : undefined);
  } catch {
    return undefined;
  }
};

/** Applies `change` to every string in a parsed JSON value, names included. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]));
};

/** The deepest nesting that is read. Core walks what a step returns with one call for each level. */
const maxDepth = 100;

/** The most values that are read. A page of 100 records has a few thousand. */
const maxValues = 200_000;

/** Whether parsing the text, or using what it holds, could take seconds or exhaust the stack. */
const isTooComplex = (text: string): boolean => {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isString = !isString;
    else if (isString) at += sign === '\\' ? 1 : 0;
    else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === ',') values += 1;
    else if (sign === '[' || sign === '{') {
      depth += 1;
      values += 1;
    }
    if (depth > maxDepth || values > maxValues) return true;
  }
  return false;
};

/** Parses JSON from outside, with or without a byte order mark. Returns undefined for anything else, or too much of it. */
export const parseJson = (text: string): unknown => {
  try {
    return isTooComplex(text) ? undefined : JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
};

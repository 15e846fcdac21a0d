import { isTooComplex } from '../src/http/json';

/** Parses JSON. Returns the text itself when it isn't JSON, or is too complex to compare and record. */
export const readJson = (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
  if (isTooComplex(text)) return text;
  try {
    return JSON.parse(text, revive);
  } catch {
    return text;
  }
};

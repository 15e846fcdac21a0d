import { parseJson } from '../../src/api/json';

/** Parses JSON as the app does. Returns the text itself when it isn't JSON, or is too complex to compare and record. */
export const readJson = (text: string): unknown => {
  const value = parseJson(text);
  return value === undefined ? text : value;
};

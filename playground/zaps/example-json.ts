import { isTooComplex, jsonLimits } from '../../src/http/json';

const tooComplex = `This JSON is nested more than ${jsonLimits.depth} levels deep, or has more than ${jsonLimits.values.toLocaleString('en')} values. Shorten it and try again.`;
const invalid =
  'This isn\'t valid JSON. Put each name and text between straight double quotes, such as {"name": "Noor"}.';
const notAnObject = 'This is JSON, but not an object. Start it with { and end it with }.';

/** Reads the JSON of another app's step: the record that it gives, or a sentence about what is wrong. */
export const readExample = (json: string): { record?: object; problem?: string } => {
  if (isTooComplex(json)) return { problem: tooComplex };
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { record: value } : { problem: notAnObject };
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message.slice(0, 120)})` : '';
    return { problem: invalid + reason };
  }
};

const maxDepth = 100;
const maxValues = 200_000;

const tooComplex = `This JSON is nested more than ${maxDepth} levels deep, or has more than ${maxValues.toLocaleString('en')} values. Shorten it and try again.`;
const invalid =
  'This isn\'t valid JSON. Put each name and text between straight double quotes, such as {"name": "Noor"}.';
const notAnObject = 'This is JSON, but not an object. Start it with { and end it with }.';

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether walking the values of a record could take seconds or exhaust the stack. Walks them level by level. */
const isTooComplex = (record: object): boolean => {
  let level: unknown[] = [record];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    if (values > maxValues || (depth >= maxDepth && level.some(isContainer))) return true;
    level = level.filter(isContainer).flatMap((each) => Object.values(each));
  }
  return false;
};

/** Keeps a number as text when JavaScript would round it, since it may be an id. */
const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown => {
  const isTooLong = Number.isInteger(value) ? !Number.isSafeInteger(value) : value === Infinity || value === -Infinity;
  return isTooLong ? (context?.source ?? value) : value;
};

/** Reads the JSON of another app's step: the record that it gives, or a sentence about what is wrong. */
export const readRecord = (json: string): { record?: object; problem?: string } => {
  try {
    const value: unknown = JSON.parse(json, keepDigits);
    if (!isContainer(value)) return { problem: notAnObject };
    if (isTooComplex(value)) return { problem: tooComplex };
    return Array.isArray(value) ? { problem: notAnObject } : { record: value };
  } catch (error) {
    // A reviver visits nested values by recursion.
    if (error instanceof RangeError) return { problem: tooComplex };
    const reason = error instanceof Error ? ` (${error.message.slice(0, 120)})` : '';
    return { problem: invalid + reason };
  }
};

import { randomInt } from 'node:crypto';
import { newMark } from '../own-records';

/** An id, name, word and token that no service knows. */
export const unknownId = newMark();

const numberCount = 1000;
let next = randomInt(numberCount);

/** Returns another phone number each time. They belong to nobody: Ofcom reserves this range for fiction. */
export const fictionalPhone = (): string => {
  next = (next + 1) % numberCount;
  return `+447700900${String(next).padStart(3, '0')}`;
};

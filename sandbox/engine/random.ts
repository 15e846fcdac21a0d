import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A source of random values. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
  /** An opaque identifier such as `msg_4kD9qmZ0aB3x`. */
  id(prefix: string): string;
}

const randomFrom = (fraction: () => number): Random => {
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    id: (prefix) => `${prefix}_${Array.from({ length: 12 }, () => alphabet[integer(0, 61)]).join('')}`,
  };
};

/** Unpredictable random values. */
export const systemRandom = randomFrom(() => randomInt(2 ** 32) / 2 ** 32);

/** Random values that are the same for the same seed: a linear congruential generator with Knuth's MMIX constants. */
export const seededRandom = (seed: number): Random => {
  let state = BigInt(seed);
  return randomFrom(() => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  });
};

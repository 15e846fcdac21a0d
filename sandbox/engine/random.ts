import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A source of chance: of ids, of pauses and, when seeded, of the whole seed data. */
export interface Random {
  /** A whole number from `least` to `most`, both possible. */
  integer(least: number, most: number): number;
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly [T, ...T[]]): T;
  /** An opaque identifier such as `msg_4kD9qmZ0aB3x`. */
  id(prefix: string): string;
}

const from = (fraction: () => number): Random => {
  const integer = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    id: (prefix) => `${prefix}_${Array.from({ length: 12 }, () => alphabet[integer(0, 61)]).join('')}`,
  };
};

/** Chance that nobody can foresee. */
export const trueRandom = from(() => randomInt(2 ** 32) / 2 ** 32);

/** Chance that comes out the same for the same seed (a linear congruential generator by Knuth's MMIX constants). */
export const seededRandom = (seed: number): Random => {
  let state = BigInt(seed);
  return from(() => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  });
};

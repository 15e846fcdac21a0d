import { randomInt } from 'node:crypto';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A source of random values. */
export interface Random {
  /** Returns a whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** Returns one of the items. */
  pick<T>(items: readonly T[]): T;
  /** Returns an id such as `msg_407319285563`. */
  id(prefix: string): string;
  /** Returns the id of a request, such as `req_407319285563`. */
  requestId(): string;
  /** Returns a secret such as `token_4kD9qmZ0aB3x`. */
  token(): string;
}

const randomFrom = (fraction: () => number): Random => {
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  const text = (length: number, characters: string) =>
    Array.from({ length }, () => characters[integer(0, characters.length - 1)]).join('');
  return {
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    id: (prefix) => `${prefix}_${text(12, digits)}`,
    requestId: () => `req_${text(12, digits)}`,
    token: () => `token_${text(12, digits + letters)}`,
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

/** Seeded chance: the same seed gives the same numbers in the same order. */
export class Random {
  #state: number;

  constructor(seed: string) {
    // FNV-1a, so that similar seeds start far apart.
    this.#state = [...seed].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261);
  }

  /** Returns a number from 0 to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    for (const value of values.slice(this.int(0, values.length - 1))) return value;
    throw new Error('Nothing to pick from.');
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.int(0, 9)).join('');
  }
}

/** Returns the chance of one kind of draw, the same at each call. */
export type Draws = (kind: string) => Random;

/** Gives each kind of draw a chance of its own, so that more draws of one kind, or a new kind, don't shift the others. */
export const drawsFrom = (seed: string): Draws => {
  const known = new Map<string, Random>();
  return (kind) => {
    const random = known.get(kind) ?? new Random(`${seed} ${kind}`);
    known.set(kind, random);
    return random;
  };
};

import * as z from 'zod/mini';
import type { Run } from '../../zapier/runs/run';
import type { Store } from '../../zapier/zap/store';

const entry = z.object({ id: z.string(), number: z.number() });

const maxEntries = 5000;

/** Numbers what happened in the order in which it was first seen, with no effect before its cause. Kept in the store. */
export class Ledger {
  readonly #store: Store;
  readonly #runs: () => readonly Run[];
  /** Oldest first. */
  readonly #numbers: Map<string, number>;
  #last: number;

  /** `runs` lists the runs, newest first. */
  constructor(store: Store, runs: () => readonly Run[]) {
    this.#store = store;
    this.#runs = runs;
    this.#numbers = new Map(store.list('number', entry).map(({ id, number }) => [id, number]));
    this.#last = Math.max(0, ...this.#numbers.values());
  }

  /** The number of what has this id. Whatever a run sent, the run comes first. */
  numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    for (const run of this.#runs().toReversed()) this.#add(run.id);
    return this.#add(id);
  }

  #add(id: string): number {
    const number = this.#numbers.get(id) ?? this.#last + 1;
    if (number <= this.#last) return number;
    this.#last = number;
    this.#numbers.set(id, number);
    this.#store.put('number', id, { id, number });
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size > maxEntries && oldest !== undefined) this.#forget(oldest);
    return number;
  }

  #forget(id: string): void {
    this.#numbers.delete(id);
    this.#store.remove('number', id);
  }
}

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import type { Store } from '../zap/store';
import { type Run, run } from './run';

const maxRuns = 500;

/** The runs of Zaps, kept in the store. */
export class Runs {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Newest first. */
  #runs: Run[];

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#runs = store.list('run', run).reverse();
  }

  /** Adds a run that begins now. Only the newest 500 are kept. */
  add(added: Omit<Run, 'id' | 'startedAt'>): Run {
    const started: Run = { ...added, id: randomUUID(), startedAt: new Date(this.#clock.now()).toISOString() };
    this.#runs.unshift(started);
    this.save(started);
    for (const { id } of this.#runs.splice(maxRuns)) this.#store.remove('run', id);
    return started;
  }

  /** Keeps the progress of a run. */
  save(changed: Run): void {
    changed.changedAt = new Date(this.#clock.now()).toISOString();
    this.#store.put('run', changed.id, changed);
  }

  /** Every run, newest first. */
  list(): readonly Run[] {
    return this.#runs;
  }

  find(id: string): Run | undefined {
    return this.#runs.find((each) => each.id === id);
  }
}

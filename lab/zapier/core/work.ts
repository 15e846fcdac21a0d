import { setImmediate } from 'node:timers/promises';

/** What goes on now: steps, the runs that they belong to, and everything that nobody waits for. */
export class Work {
  readonly #current = new Set<Promise<unknown>>();
  /** How much work has begun so far. */
  #begun = 0;

  /** Counts the work until it ends. Returns it. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#begun += 1;
    this.#current.add(work);
    const end = () => this.#current.delete(work);
    work.then(end, end);
    return work;
  }

  /** Lets the work go on by itself. Prints the error when it fails. */
  inBackground(work: Promise<unknown>): void {
    this.add(work).catch(({ message }: Error) => console.error(`Work in the background failed: ${message}`));
  }

  /** Resolves when nothing goes on. */
  async ended(): Promise<void> {
    while (this.#current.size > 0) await Promise.allSettled(this.#current);
  }

  /** Resolves when nothing goes on, and nothing is due either. `runDue` does what is due by now. */
  async settled(runDue: () => Promise<unknown>): Promise<void> {
    for (let before = -1; before !== this.#begun; ) {
      await this.ended();
      before = this.#begun;
      await runDue();
      // Some work begins only in the next turn.
      await setImmediate();
    }
  }
}

/** Says on stderr how far a simulation is, and what it cost. On stdout, the same seed prints the same. */

const everyMs = 10_000;

export class Progress {
  readonly #startedAt: number;
  #toldAt: number;
  #count = 0;
  #last = '';

  /** `now` is the real clock, and `unit` what is counted, such as "worlds". */
  constructor(
    readonly now: () => number,
    readonly total: number,
    readonly unit: string,
  ) {
    this.#startedAt = now();
    this.#toldAt = this.#startedAt;
    process.once('SIGINT', () => {
      console.error(`\nStopped after ${this.#tell()}`);
      process.exit(130);
    });
  }

  #tell(): string {
    const seconds = Math.round((this.now() - this.#startedAt) / 1_000);
    return `${this.#count} of ${this.total} ${this.unit}${this.#last && `: ${this.#last}`}, ${seconds} s.`;
  }

  /** Counts one more, with what is known so far. */
  step(known: string): void {
    this.#count += 1;
    this.#last = known;
    if (this.now() - this.#toldAt < everyMs) return;
    this.#toldAt = this.now();
    console.error(this.#tell());
  }

  /** Says what all of it cost, and how many operations that was. */
  end(operations = 0): void {
    const seconds = (this.now() - this.#startedAt) / 1_000;
    const { user, system } = process.cpuUsage();
    const speed = operations > 0 ? `, ${Math.round(operations / seconds)} operations per second` : '';
    console.error(`It took ${Math.round(seconds)} s, ${Math.round((user + system) / 1_000_000)} s of CPU${speed}.`);
  }
}

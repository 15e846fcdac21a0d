/** Waits that end with the sandbox. */
export class Pauses {
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Resolves after so many real milliseconds; never, when the sandbox stops first. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, milliseconds);
      this.#timers.add(timer);
    });
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

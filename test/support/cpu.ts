/** Work of the kind that the app does. */
const reference = (): void => {
  for (let count = 0; count < 50_000; count += 1) {
    const words = `${count} reference ${count * 7}`.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    new Map(words.map((word) => [word, word.length]));
  }
};

/** What the reference takes on two quiet cores of 2026, in seconds of CPU time. */
const quietSeconds = 0.05;

const measure = async (work: () => unknown): Promise<number> => {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000_000;
};

/**
 * Returns the CPU time that some work takes, in seconds of a quiet machine. A core that other programs share, and a slow
 * one, take up to three times as much for the same work, so the time counts in relation to what the reference takes
 * before or after, whichever is quicker: after work that leaves much memory, it also pays for that.
 */
export const cpuSeconds = async (work: () => unknown): Promise<number> => {
  const before = await measure(reference);
  const taken = await measure(work);
  const after = await measure(reference);
  return taken / Math.max(1, Math.min(before, after) / quietSeconds);
};

/** Returns the CPU time of the quicker of two runs, the first of which also compiles. */
export const leastCpuSeconds = async (work: (run: number) => unknown): Promise<number> =>
  Math.min(await cpuSeconds(() => work(0)), await cpuSeconds(() => work(1)));

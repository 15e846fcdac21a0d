/** Returns the CPU time that some work takes, in seconds. Other processes don't count. */
export const cpuSeconds = async (work: () => unknown): Promise<number> => {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000_000;
};

/**
 * Returns the CPU time of the quicker of two runs, in seconds. A processor that other programs use as well takes up to
 * twice as much for the same work.
 */
export const leastCpuSeconds = async (work: (run: number) => unknown): Promise<number> =>
  Math.min(await cpuSeconds(() => work(0)), await cpuSeconds(() => work(1)));

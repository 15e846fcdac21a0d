/** Returns the CPU time that some work takes, in seconds. Other processes don't count. */
export const cpuSeconds = async (work: () => unknown): Promise<number> => {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000_000;
};

/** Says on stderr how far a simulation is, and what it cost. On stdout, the same seed prints the same. */

const everyMs = 10_000;

/** Counts `unit`s, such as worlds, by the real clock. Returns what counts one more, with what is known so far. */
export const countTo = (now: () => number, total: number, unit: string) => {
  const startedAt = now();
  let toldAt = startedAt;
  let count = 0;
  return (known: string, operations = 0): void => {
    count += 1;
    const seconds = Math.round((now() - startedAt) / 1_000);
    if (count < total && now() - toldAt < everyMs) return;
    toldAt = now();
    const { user, system } = process.cpuUsage();
    const speed = operations > 0 ? `, ${Math.round(operations / Math.max(1, seconds))} operations per second` : '';
    const cpu = `${Math.round((user + system) / 1_000_000)} s of CPU`;
    console.error(`${count} of ${total} ${unit}: ${known}, ${seconds} s, ${cpu}${speed}.`);
  };
};

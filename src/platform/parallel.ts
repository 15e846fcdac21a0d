/** Runs `work` for every item, for up to `limit` of them at a time. Rejects when `work` does. */
export const forEachParallel = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const queue = items.values();
  const takeTurns = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, takeTurns));
};

/** Does the work at the first call and gives every later call the same outcome. */
export const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let outcome: Promise<T> | undefined;
  return () => {
    outcome ??= work();
    return outcome;
  };
};

/** Returns a function that starts the work on its first call and gives every call the same result. */
export const memoize = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
};

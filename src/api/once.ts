/** Makes a value when it is first asked for. Schemas cost time and memory at every start, and a run needs few of them. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** An object of which each value is made when it is first asked for. */
export const lazily = <T extends Record<string, () => unknown>>(makers: T) => {
  const getters = Object.entries(makers).map(([name, make]) => [name, { enumerable: true, get: once(make) }] as const);
  // The compiler cannot see that the getters give what the makers make.
  return Object.defineProperties({}, Object.fromEntries(getters)) as { readonly [K in keyof T]: ReturnType<T[K]> };
};

const clone = structuredClone;

/** The same data with objects of this realm. */
const adopt = (value: unknown): unknown => {
  if (Array.isArray(value)) return Array.from(value, adopt);
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return Object.fromEntries(Object.entries(Object(value)).map(([key, each]) => [key, adopt(each)]));
};

// Jest's structuredClone makes objects of another realm, which isDeepStrictEqual tells from equal ones.
globalThis.structuredClone = <T>(value: T): T => adopt(clone(value)) as T;

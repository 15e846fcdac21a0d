/** A field of the connection. `example` is a value of it. The sandbox and the tests, which speak the contract, ask for none. */
interface ConnectionField {
  label: string;
  helpText: string;
  example: string;
}

/**
 * What people enter when they connect an account, besides the address and the token, by key. `request` has the values in
 * `connection`, and a path may have them as `{…}`.
 */
export const connectionFields = {} satisfies Record<string, ConnectionField>;

export type ConnectionValues = Readonly<Record<keyof typeof connectionFields, string>>;

export const connectionEntries = Object.entries<ConnectionField>(connectionFields);

let entriesInUse = connectionEntries;

/** Makes this process connect without these fields, since the contract has none. */
export const connectByContract = (): void => {
  entriesInUse = [];
};

/** Returns a value for each field of the connection. */
export const connectionValues = (read: (key: string, field: ConnectionField) => string): ConnectionValues =>
  // These are the keys of `connectionFields`, which the compiler can't see.
  Object.fromEntries(entriesInUse.map(([key, field]) => [key, read(key, field)])) as ConnectionValues;

export const exampleConnection = connectionValues((_, { example }) => example);

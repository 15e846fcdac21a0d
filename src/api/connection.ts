/** What an account has besides the address and the token. */
import { fieldsInUse } from './adapter';
import { connectionFields } from './service';

/** A field of the connection. `example` is its placeholder in tests. */
export interface ConnectionField {
  label: string;
  helpText: string;
  example: string;
}

export type ConnectionValues = Readonly<Record<keyof typeof connectionFields, string>>;

/** What the form of an account asks for. */
export const connectionEntries = Object.entries<ConnectionField>(connectionFields);

/** Returns a value for each field of the connection. The sandbox has none. */
export const connectionValues = (read: (key: string, field: ConnectionField) => string): ConnectionValues =>
  // These are the keys of `connectionFields`, which the compiler can't see.
  Object.fromEntries(fieldsInUse().map(([key, field]) => [key, read(key, field)])) as ConnectionValues;

export const exampleConnection = connectionValues((_, { example }) => example);

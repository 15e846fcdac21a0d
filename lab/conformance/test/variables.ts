import { connectionEntries } from '../../../src/api/connection';

/** Variables of the environment for what people enter besides the address and the token. */
export const connectionVariables = Object.fromEntries(
  connectionEntries.map(([key, { example }]) => [key.toUpperCase(), example]),
);

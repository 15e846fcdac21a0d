import { type Endpoint, endpoints } from '../../src/api/endpoints';

/** Returns the name of an endpoint in the contract. */
export const nameOf = (endpoint: Endpoint): string | undefined =>
  Object.entries<Endpoint>(endpoints).find(([, each]) => each === endpoint)?.[0];

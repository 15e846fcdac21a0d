import { ServiceClient } from '../../conformance/service-client';
import { exampleConnection } from '../../src/api/connection';

/** Returns the client of a service, with the examples in the fields of the connection. */
export const clientOf = (baseUrl: string, token = 'tok_12345'): ServiceClient =>
  new ServiceClient({ baseUrl, token, values: exampleConnection });

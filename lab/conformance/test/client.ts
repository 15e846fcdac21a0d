import { exampleConnection } from '../../../src/api/connection';
import type { Endpoint } from '../../../src/api/endpoints';
import { ServiceClient, type ServiceResponse } from '../service-client';

/** Returns the client of a service, with the examples in the fields of the connection. */
export const clientOf = (baseUrl: string, token = 'tok_12345', send?: typeof fetch): ServiceClient =>
  new ServiceClient({ baseUrl, token, values: exampleConnection }, { send });

/** Returns a response to a call: a success with this body, except for what is changed. */
export const responseOf = (
  endpoint: Endpoint,
  body: unknown,
  changed: Partial<ServiceResponse> = {},
): ServiceResponse => ({
  endpoint,
  sent: { query: {}, body: {} },
  status: endpoint.status,
  headers: new Headers(),
  body,
  text: JSON.stringify(body),
  failure: () => undefined,
  retryAfter: undefined,
  hasScope: true,
  ...changed,
});

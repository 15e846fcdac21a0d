import { type Endpoint, endpoints, missingCalls } from '../../src/api/endpoints';
import type { EndpointName } from '../../src/api/transport';
import { placeOf } from '../compare/place';
import { requirePermission } from '../compare/response';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, Differs, Skipped } from './check';
import { isInPath, type Records } from './records';

/** Whether the service accepts the call with JSON, or refuses its empty body. */
const isThere = ({ status, body }: ServiceResponse): boolean =>
  status < 300 ? typeof body !== 'string' : status === 400 || status === 422;

const probe = async (service: ServiceClient, records: Records, name: EndpointName, write: boolean): Promise<string> => {
  const endpoint: Endpoint = endpoints[name];
  const isRead = endpoint.method === 'GET';
  if (!isRead && isInPath(endpoint)) throw new Skipped('try it by hand: it changes a record');
  if (!isRead && !write) throw new Skipped('add --write');
  const [input = {}] = isRead ? await records.inputs(endpoint) : [];
  const response = await service.probe(name, endpoint.body ? { ...input, body: {} } : input);
  requirePermission(response);
  if (isThere(response)) throw new Differs(`the service has it (${response.status})${placeOf('missing')}`);
  return `${response.status}`;
};

/** Checks that the service doesn't have the calls that the contract declares missing. */
export const missingChecks = (
  service: ServiceClient,
  records: Records,
  write: boolean,
  names: readonly EndpointName[] = missingCalls(),
): Check[] =>
  names.map((name) => ({ name: `${name}, declared missing`, run: () => probe(service, records, name, write) }));

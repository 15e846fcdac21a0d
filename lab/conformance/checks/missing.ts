import { type Endpoint, endpoints } from '../../../src/api/endpoints';
import { missing } from '../../../src/api/service';
import type { EndpointName } from '../../../src/api/transport';
import { placeOf } from '../compare/place';
import { requirePermission } from '../compare/response';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, Differs, Skipped } from './check';
import type { Records } from './records';

/** Whether the service answers the call with JSON, or refuses its input. */
const isThere = ({ status, body }: ServiceResponse): boolean =>
  status < 300 ? typeof body !== 'string' : status === 400 || status === 422;

const probe = async (service: ServiceClient, records: Records, name: EndpointName): Promise<string> => {
  const endpoint: Endpoint = endpoints[name];
  if (endpoint.method !== 'GET') throw new Skipped('try it by hand: it changes something');
  const [input = {}] = await records.inputs(endpoint);
  const response = await service.probe(name, input);
  requirePermission(response);
  if (isThere(response)) throw new Differs(`the service has it (${response.status})${placeOf('missing')}`);
  return `${response.status}`;
};

/** Checks that the service doesn't have the calls that only read and that the contract declares missing. */
export const missingChecks = (
  service: ServiceClient,
  records: Records,
  names: readonly EndpointName[] = missing.calls,
): Check[] => names.map((name) => ({ name: `${name}, declared missing`, run: () => probe(service, records, name) }));

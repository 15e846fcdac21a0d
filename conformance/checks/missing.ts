import { type Endpoint, endpoints, missing } from '../../src/api/endpoints';
import { requirePermission } from '../contract/response';
import { sourceOf } from '../contract/source';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, Differs, NotAsked } from './check';
import { isInPath, type Records } from './records';

/** Whether the service accepts the call with JSON, or refuses its empty body. */
const isThere = ({ status, body }: ServiceResponse): boolean =>
  status < 300 ? typeof body !== 'string' : status === 400 || status === 422;

const probe = async (service: ServiceClient, records: Records, endpoint: Endpoint, write: boolean): Promise<string> => {
  const isRead = endpoint.method === 'GET';
  if (!isRead && isInPath(endpoint)) throw new NotAsked('try it by hand: it changes a record');
  if (!isRead && !write) throw new NotAsked('add --write');
  const [input = {}] = isRead ? await records.inputs(endpoint) : [];
  // A copy, because the service refuses to request a call that is declared missing.
  const copy: Endpoint = { ...endpoint };
  const response = await service.request(copy, endpoint.body ? { ...input, body: {} } : input);
  requirePermission(response);
  if (isThere(response)) throw new Differs(`the service has it (${response.status})${sourceOf('missing')}`);
  return `${response.status}`;
};

/** Checks that the service doesn't have the calls that the contract declares missing. */
export const missingChecks = (service: ServiceClient, records: Records, write: boolean, names = missing): Check[] =>
  names.map((name) => ({
    name: `${name}, declared missing`,
    basis: 'assumed',
    run: () => probe(service, records, endpoints[name], write),
  }));

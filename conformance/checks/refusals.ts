import { connectionTests, type Endpoint, endpoints, type Input, pathPrefix } from '../../src/api/endpoints';
import type { ErrorCode } from '../../src/api/errors';
import { isMissing } from '../../src/api/wire';
import { requireAnyRefusal, requireRefusal } from '../compare/response';
import type { ServiceClient } from '../service-client';
import type { Check } from './check';
import { unknownId } from './fictional';
import { isInPath, reads } from './records';

const { getWorkspace, listMessages } = endpoints;
const [read = getWorkspace] = connectionTests;

const unknownPath: Endpoint = { ...getWorkspace, path: `${pathPrefix}/${unknownId}` };

/** Checks how the service refuses unknown records, wrong tokens and invalid input. */
export const refusalChecks = (service: ServiceClient): Check[] => {
  const refusal = <E extends Endpoint>(
    name: string,
    code: ErrorCode,
    endpoint: E,
    input: Input<E>,
    token?: string,
  ) => ({
    name,
    run: async () => requireRefusal(await service.request(endpoint, input, token), code),
  });
  const lenient = <E extends Endpoint>(name: string, code: ErrorCode, endpoint: E, input: Input<E>) => ({
    name,
    run: async () => requireAnyRefusal(await service.request(endpoint, input), code),
  });
  return [
    ...reads
      .filter(([, endpoint]) => isInPath(endpoint))
      .map(([name, endpoint]) => refusal(`${name}, of an unknown record`, 'not_found', endpoint, { id: unknownId })),
    lenient("a path that doesn't exist", 'not_found', unknownPath, {}),
    refusal('a wrong token', 'invalid_token', read, {}, unknownId),
    refusal('no token', 'invalid_token', read, {}, ''),
    ...(isMissing(listMessages.query.shape.limit)
      ? []
      : [lenient('an invalid limit', 'validation_failed', listMessages, { query: { limit: -1 } })]),
    lenient('an invalid cursor', 'validation_failed', listMessages, { query: { after: unknownId } }),
  ];
};

import { connectionTests } from '../../../src/api/adapter';
import { type AnyInput, type Endpoint, endpoints, pathPrefix } from '../../../src/api/endpoints';
import type { ErrorCode } from '../../../src/api/errors';
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
  const refused = (
    name: string,
    code: ErrorCode,
    endpoint: Endpoint,
    { token, ...input }: AnyInput & { token?: string } = {},
    judge = requireRefusal,
  ): Check => ({ name, run: async () => judge(await service.request(endpoint, input, token), code) });
  const invalid = (name: string, query: object) =>
    refused(name, 'validation_failed', listMessages, { query }, requireAnyRefusal);
  return [
    ...reads
      .filter(([, endpoint]) => isInPath(endpoint))
      .map(([name, endpoint]) => refused(`${name}, of an unknown record`, 'not_found', endpoint, { id: unknownId })),
    refused("a path that doesn't exist", 'not_found', unknownPath, {}, requireAnyRefusal),
    refused('a wrong token', 'invalid_token', read, { token: unknownId }),
    refused('no token', 'invalid_token', read, { token: '' }),
    invalid('an invalid limit', { limit: -1 }),
    invalid('an invalid cursor', { after: unknownId }),
  ];
};

import { connectionTests } from '../../../src/api/adapter';
import { endpoints, headers } from '../../../src/api/endpoints';
import { placeOf } from '../compare/place';
import { requireRefusal } from '../compare/response';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, Copes, Differs, NotChecked, Skipped } from './check';

/** Requests after which the service counts as one without a rate limit. */
const defaultMaxRequests = 1000;

/** The longest pause that a rate limit plausibly asks for, in minutes. */
const maxPause = 15;

const checkRequestIds = async ({ responses }: ServiceClient): Promise<string> => {
  const without = responses.find((response) => !response.headers.get(headers.requestId));
  if (without) {
    const { method, path } = without.endpoint;
    throw new Copes(`is missing from the response to ${method} ${path}${placeOf('headers')}`);
  }
  return `on all ${responses.length} responses`;
};

const isLimited = ({ status }: ServiceResponse): boolean => status === 429;

const findLimit = async (service: ServiceClient, maxRequests: number): Promise<ServiceResponse> => {
  const [read = endpoints.getWorkspace] = connectionTests;
  for (let count = 0; count < maxRequests; count += 1) {
    const response = await service.requestOnce(read, {});
    if (isLimited(response)) return response;
  }
  throw new NotChecked(`${maxRequests} requests didn't hit a rate limit`);
};

const checkLimit = async (service: ServiceClient, rateLimit: boolean, maxRequests: number): Promise<string> => {
  const limited = service.responses.find(isLimited) ?? (rateLimit ? await findLimit(service, maxRequests) : undefined);
  if (!limited) throw new Skipped('add --rate-limit');
  const seen = requireRefusal(limited, 'rate_limited');
  const { retryAfter } = limited;
  if (retryAfter === undefined) throw new Copes(`\`${headers.retryAfter}\` is missing, or neither seconds nor a date`);
  if (retryAfter <= maxPause * 60) return `${seen}, ${headers.retryAfter}: ${retryAfter} s`;
  throw new Differs(
    `\`${headers.retryAfter}\` asks for a pause of over ${maxPause} minutes; it may be a time, or in milliseconds${placeOf('response')}`,
  );
};

/** Checks that every response has a request id, and with `rateLimit` that too many requests are refused. */
export const trafficChecks = (
  service: ServiceClient,
  rateLimit: boolean,
  maxRequests = defaultMaxRequests,
): Check[] => [
  { name: `the header ${headers.requestId}`, run: () => checkRequestIds(service) },
  { name: 'the rate limit', run: () => checkLimit(service, rateLimit, maxRequests) },
];

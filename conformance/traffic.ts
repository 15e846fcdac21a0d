import { readRetryAfter } from '../src/answer';
import { endpoints, headers } from '../src/api/endpoints';
import { requireRefusal } from './answers';
import { type Check, Differs, NotAsked, NotChecked } from './check';
import type { Answer, Service } from './service';

const mostRequests = 1000;

const requireRequestIds = ({ answers }: Service): string => {
  const without = answers.find((answer) => !answer.headers.get(headers.requestId));
  if (without) throw new Differs(`an answer to ${without.endpoint.method} ${without.endpoint.path} is without`);
  return `on all of ${answers.length} answers`;
};

const isLimited = ({ status }: Answer): boolean => status === 429;

/** The headers about limits that services in general send. */
const limitHeaders = ({ answers }: Service): string => {
  const names = answers.flatMap((answer) => [...answer.headers.keys()].filter((name) => /rate-?limit/.test(name)));
  return names.length > 0 ? [...new Set(names)].join(', ') : 'none';
};

const findLimit = async (service: Service): Promise<Answer> => {
  for (let count = 0; count < mostRequests; count += 1) {
    const answer = await service.askOnce(endpoints.getWorkspace, {});
    if (isLimited(answer)) return answer;
  }
  throw new NotChecked(`no limit came within ${mostRequests} requests`);
};

const requireLimit = (answer: Answer): string => {
  const told = requireRefusal(answer, 'rate_limited');
  const pause = readRetryAfter(answer.headers.get(headers.retryAfter));
  if (pause === undefined) throw new Differs(`\`${headers.retryAfter}\` is missing, or no seconds and no date`);
  return `${told}, ${headers.retryAfter} of ${pause} seconds`;
};

/** What holds for all requests together: each answer can be traced, and too many are refused with a pause to make. */
export const trafficChecks = (service: Service, askUntilLimited: boolean): Check[] => [
  { name: `the header ${headers.requestId}`, basis: 'assumed', run: async () => requireRequestIds(service) },
  {
    name: 'the rate limit',
    basis: 'assumed',
    run: async () => {
      const seen = service.answers.find(isLimited) ?? (askUntilLimited ? await findLimit(service) : undefined);
      if (seen) return requireLimit(seen);
      throw new NotAsked(`add --rate-limit to ask until it comes; headers about limits: ${limitHeaders(service)}`);
    },
  },
];

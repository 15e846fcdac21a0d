import { randomUUID } from 'node:crypto';
import { endpoints, takesKey } from '../../src/api/endpoints';
import { createdId, requireReplay, requireShape } from '../compare/response';
import type { Options } from '../options';
import type { ServiceClient } from '../service-client';
import { type Check, skip } from './check';
import { memoize } from './memoize';

const { triggerCampaign } = endpoints;

/** Checks that a test campaign starts for its audience, and only once under one key. */
export const campaignChecks = (service: ServiceClient, { campaign }: Pick<Options, 'campaign'>): Check[] => {
  const idempotencyKey = randomUUID();
  const start = async () => service.request(triggerCampaign, { id: campaign ?? '', body: {}, idempotencyKey });
  const started = memoize(start);
  const repeat = async () => {
    const id = createdId(await started());
    return requireReplay(await start(), id);
  };
  const checks: Check[] = [
    { name: 'triggerCampaign', basis: triggerCampaign.basis, run: async () => requireShape(await started()) },
    ...(takesKey(triggerCampaign)
      ? [{ name: 'triggerCampaign, repeated with its key', basis: 'assumed', run: repeat } satisfies Check]
      : []),
  ];
  return campaign === undefined ? skip(checks, 'add --campaign: it messages a whole audience') : checks;
};

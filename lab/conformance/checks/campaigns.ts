import { randomUUID } from 'node:crypto';
import { endpoints } from '../../../src/api/endpoints';
import { requireShape } from '../compare/response';
import type { Options } from '../options';
import type { ServiceClient } from '../service-client';
import { type Check, skip } from './check';
import { replayChecks } from './creation';
import { memoize } from './memoize';

const { triggerCampaign } = endpoints;

/** Checks that a test campaign starts for its audience, and only once under one key. */
export const campaignChecks = (service: ServiceClient, { campaign }: Pick<Options, 'campaign'>): Check[] => {
  const idempotencyKey = randomUUID();
  const start = async () => service.request(triggerCampaign, { id: campaign ?? '', body: {}, idempotencyKey });
  const started = memoize(start);
  const checks: Check[] = [
    { name: 'triggerCampaign', run: async () => requireShape(await started()) },
    ...replayChecks(triggerCampaign, { response: started, repeat: start }),
  ];
  return campaign === undefined ? skip(checks, 'add --campaign: it messages a whole audience') : checks;
};

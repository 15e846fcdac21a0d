import { type Bundle, type CreatePerform, defineCreate, defineInputFields, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Campaign, type CampaignRun, campaignRun } from '../src/api/resources';
import { audienceFields, oneRecipientFields, savedAudienceFields } from '../src/forms/campaign-form';
import { deduplicationField, toIdempotencyKey } from '../src/forms/deduplication';
import { readInput } from '../src/forms/input';
import { messageGroups } from '../src/forms/message-form';
import { output } from '../src/forms/output';
import { readRecipient } from '../src/forms/recipient';
import { campaignField } from '../src/forms/reference-fields';
import { readTemplate } from '../src/forms/template-fields';
import { readVariables } from '../src/forms/template-variables';
import { call } from '../src/http/client';
import { halt } from '../src/platform/errors';

const inputFields = defineInputFields([
  { ...campaignField, group: 'message' },
  {
    key: 'audience',
    label: 'Audience',
    required: true,
    choices: { saved: 'The saved audience', one: 'One recipient' },
    altersDynamicFields: true,
    group: 'message',
  },
  (z: ZObject, bundle: Bundle) => audienceFields(z, bundle),
  {
    ...deduplicationField,
    helpText:
      'Enter a value such as a date. For 24 hours, the campaign starts once per value and recipient, even on replay. If variables change, nothing is sent.',
  },
]);

/** Throws an error when the saved audience is larger than allowed, or when its size is unknown. */
const checkAudience = ({ audience_size: size }: Campaign, max: number): void => {
  if (typeof size !== 'number') {
    throw halt(
      "Maximum Recipients: the size of the audience isn't known, so nothing was sent. To send without a limit, leave the field empty.",
    );
  }
  if (size > max) {
    throw halt(
      `Maximum Recipients: the audience has ${size} people, but only ${max} are allowed, so nothing was sent. Enter a higher number, or choose another campaign.`,
    );
  }
};

/** Returns the result of a test in the editor: an example run that sends nothing. Throws when no run could start. */
const testRun = ({ id, name, status, audience_size }: Campaign): CampaignRun => {
  if (status === 'canceled') throw halt("Campaign: this campaign was canceled, so it can't start. Choose another one.");
  return {
    id: 'run_test',
    campaign_id: id,
    campaign_name: name,
    status: 'test',
    recipients: audience_size,
    created_at: new Date().toISOString(),
  };
};

const startForSavedAudience = async (
  z: ZObject,
  { inputData, meta }: Bundle,
  id: string,
  idempotencyKey: string | undefined,
): Promise<CampaignRun> => {
  const { max_recipients: max } = readInput(savedAudienceFields, inputData);
  if (max !== undefined && max < 0) throw halt('Maximum Recipients: enter 0 or more, or leave the field empty.');
  const isTest = meta?.isLoadingSample;
  if (isTest || max !== undefined) {
    const campaign = await call(z, endpoints.getCampaign, { id });
    if (max !== undefined) checkAudience(campaign, max);
    if (isTest) return testRun(campaign);
  }
  return call(z, endpoints.triggerCampaign, { id, body: {}, idempotencyKey });
};

const perform = (async (z, bundle) => {
  const { campaign: id, audience, deduplication_key: key } = readInput(inputFields, bundle.inputData);
  if (audience === 'saved') return startForSavedAudience(z, bundle, id, toIdempotencyKey(key, 'campaign', id));
  const input = readInput(oneRecipientFields, bundle.inputData);
  const { to, isTester, label } = await readRecipient(bundle, input, bundle.authData.default_country);
  const idempotencyKey = toIdempotencyKey(key, 'campaign', id, to);
  const { variables, labels } = await readVariables(bundle, async () => {
    const { template } = await call(z, endpoints.getCampaign, { id });
    return template ? readTemplate(z, template) : undefined;
  });
  return call(z, endpoints.triggerCampaign, {
    id,
    body: { to, variables },
    idempotencyKey: isTester ? undefined : idempotencyKey,
    labels: { ...labels, to: label },
  });
}) satisfies CreatePerform<typeof inputFields, CampaignRun>;

export default defineCreate({
  key: 'trigger_campaign',
  noun: 'Campaign',
  display: {
    label: 'Start Campaign',
    description: 'Starts a campaign for its saved audience or for one recipient.',
  },
  operation: {
    inputFieldGroups: [{ key: 'message', label: 'Campaign' }, ...messageGroups.slice(1)],
    inputFields,
    perform,
    ...output(campaignRun),
  },
});

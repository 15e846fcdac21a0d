import { type Bundle, type CreatePerform, defineCreate, defineInputFields, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, type Input } from '../src/api/endpoints';
import { type Campaign, campaignRun } from '../src/api/resources';
import { call } from '../src/call/call';
import {
  audienceChoices,
  audienceFields,
  refuseOtherAudience,
  savedAudienceFields,
  templateOf,
} from '../src/message/campaign';
import { messageGroups } from '../src/message/form';
import { readRecipient, recipientField, refuseHiddenNumber } from '../src/message/recipient';
import { isOfAnotherTemplate, readTemplate, type TemplateKey } from '../src/message/template';
import { readVariables } from '../src/message/variable-values';
import { readChosen } from '../src/step/chosen';
import { campaignField } from '../src/step/dropdowns';
import { halt } from '../src/step/errors';
import { readInput } from '../src/step/input';
import { lockOn, sendingLimit } from '../src/step/limits';
import { refuseLostValue } from '../src/step/lost-value';
import { deduplicationFields, readIdempotencyKey, readRepeatKey } from '../src/step/once';
import { output } from '../src/step/output';

const inputFields = defineInputFields([
  { ...campaignField, group: 'message' },
  {
    key: 'audience',
    label: 'Audience',
    required: true,
    choices: audienceChoices,
    altersDynamicFields: true,
    group: 'message',
    helpText: '"The saved audience" needs Maximum Recipients. "One recipient" needs Phone Number.',
  },
  audienceFields,
  ...deduplicationFields(
    endpoints.triggerCampaign,
    "Map today's date, or something else that differs for each start. For 24 hours, the same value won't send this campaign to the same recipients again.",
  ),
]);

const checkAudience = ({ audience_size: size }: Campaign, max: number): void => {
  if (typeof size !== 'number' || !(Number.isInteger(size) && size >= 0)) {
    throw halt(
      "Maximum Recipients: the messaging service doesn't say how large the audience is, so nothing was sent this time. If the campaign hasn't started yet, start it in the messaging service instead.",
    );
  }
  if (size > max) {
    throw halt(
      `Maximum Recipients: the audience has ${size} people, but only ${max} are allowed, so nothing was sent. Enter a higher number, or choose a different campaign.`,
    );
  }
};

const started = zod.looseObject({ ...campaignRun.schema.shape, already_sent: zod.boolean() });
type Started = zod.output<typeof started>;

/** Returns the result of a test in the editor: an example run that sends nothing. Throws when no run could start. */
const testRun = ({ id, name, status, audience_size }: Campaign): Started => {
  if (status === 'canceled') throw halt("Campaign: this campaign was canceled, so it can't start. Choose another one.");
  return {
    id: 'run_test',
    campaign_id: id,
    campaign_name: name,
    status: 'test',
    recipients: audience_size,
    created_at: new Date().toISOString(),
    already_sent: false,
  };
};

/** Starts a campaign. Throws an error when the response is about another one, since nobody knows then what was started. */
const start = async (z: ZObject, input: Input<typeof endpoints.triggerCampaign>): Promise<Started> => {
  const run = await call(z, endpoints.triggerCampaign, input, { tellsRepeat: true });
  if (!run.campaign_id || run.campaign_id === input.id) return run;
  throw halt(
    "Campaign: the messaging service responded with the run of another campaign, so it's unclear what was sent. Check both campaigns before you run this step again.",
  );
};

/** Returns the campaign with this id, or else of this name. */
const readCampaign = async (z: ZObject, text: string): Promise<Campaign> => {
  const found = await call(z, endpoints.getCampaign, { id: text }, { unless: 'gone' });
  if (found) return { ...found, id: text };
  const { campaign: id = text } = await readChosen(z, { campaign: text });
  return call(z, endpoints.getCampaign, { id });
};

const startForSavedAudience = async (z: ZObject, bundle: Bundle, text: string): Promise<Started> => {
  const { max_recipients: max } = readInput(savedAudienceFields, bundle.inputData);
  for (const field of savedAudienceFields) refuseLostValue(field, bundle);
  if (max < 1) throw halt(`Maximum Recipients: ${max} isn't a number of people. Enter 1 or more.`);
  const keyFor = readIdempotencyKey(endpoints.triggerCampaign, bundle);
  const campaign = await readCampaign(z, text);
  const { id } = campaign;
  checkAudience(campaign, max);
  if (bundle.meta?.isLoadingSample) return testRun(campaign);
  const repeatKey = await readRepeatKey(z, endpoints.triggerCampaign, bundle, id);
  return start(z, { id, body: {}, idempotencyKey: keyFor('campaign', id), repeatKey });
};

/** Returns the campaign's template. Throws when the form asked for the variables of another one. */
const readCampaignTemplate = ({ meta }: Bundle, campaign: Campaign): TemplateKey | undefined => {
  const key = templateOf(campaign);
  if (!isOfAnotherTemplate(meta?.inputFields, key)) return key;
  throw halt(
    "Campaign: its template or channel has changed since this step was set up, so nothing was sent. Open the step, check the template's variables and publish the Zap again.",
  );
};

const startForOne = async (z: ZObject, bundle: Bundle, text: string): Promise<Started> => {
  refuseHiddenNumber(bundle);
  const input = readInput([recipientField], bundle.inputData);
  const { to, person, isTester, label } = await readRecipient(bundle, input.to);
  const keyFor = readIdempotencyKey(endpoints.triggerCampaign, bundle);
  const campaign = await readCampaign(z, text);
  const { id } = campaign;
  const key = readCampaignTemplate(bundle, campaign);
  const versions = key && (await readTemplate(z, bundle, key, campaignField.label));
  const { variables, labels } = readVariables(bundle, versions, key);
  return start(z, {
    id,
    body: { to, variables },
    // Testers change the step and test it again.
    ...(!isTester && {
      idempotencyKey: keyFor('campaign', id, person),
      repeatKey: await readRepeatKey(z, endpoints.triggerCampaign, bundle, id, person, variables),
    }),
    labels: { ...labels, to: label },
  });
};

const perform = (async (z, bundle) => {
  const { campaign, audience } = readInput(inputFields, bundle.inputData);
  refuseOtherAudience(bundle, audience);
  return audience === 'saved' ? startForSavedAudience(z, bundle, campaign) : startForOne(z, bundle, campaign);
}) satisfies CreatePerform<typeof inputFields, Started>;

export default defineCreate({
  key: 'start_campaign',
  noun: 'Campaign',
  display: {
    label: 'Start Campaign',
    description:
      "Broadcasts a campaign to everyone in its saved audience, or sends it to one recipient. A live run can't be undone.",
  },
  operation: {
    throttle: sendingLimit,
    lock: lockOn('campaign', campaignField.key, recipientField.key),
    inputFieldGroups: [{ key: 'message', label: 'Campaign', emphasize: true }, ...messageGroups.slice(1)],
    inputFields,
    perform,
    ...output({ record: campaignRun, schema: started, sample: { ...campaignRun.sample, already_sent: false } }),
  },
});

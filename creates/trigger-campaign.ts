import { endpoints } from '../src/api/endpoints';
import { type CampaignRun, campaignRun } from '../src/api/resources';
import { campaignField } from '../src/choice-fields';
import { call, find } from '../src/client';
import { halt } from '../src/errors';
import { readInput, readText } from '../src/input';
import { recipientField } from '../src/message-form';
import { output } from '../src/output';
import { parsePhoneNumber } from '../src/phone-number';
import {
  type Bundle,
  type CreatePerform,
  defineCreate,
  defineInputFields,
  type PlainInputField,
  type ZObject,
} from '../src/platform';
import { anyVariables, fieldsOfTemplate, learnVariables, readVariables } from '../src/template-fields';

const inputFields = defineInputFields([
  campaignField,
  {
    key: 'audience',
    label: 'Audience',
    required: true,
    choices: { saved: 'The saved audience', one: 'One recipient' },
    altersDynamicFields: true,
  },
  (z: ZObject, bundle: Bundle) => audienceFields(z, bundle),
]);

const savedFields = defineInputFields([
  {
    key: 'max_recipients',
    label: 'Maximum Recipients',
    type: 'integer',
    helpText: 'Nothing is sent when the audience is larger than this. Leave empty for no limit.',
  },
]);

const oneFields = defineInputFields([recipientField]);

const templateOf = async (z: ZObject, id: string): Promise<string | null | undefined> =>
  (await find(z, endpoints.getCampaign, { id }))?.template;

const variableFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const id = readText(inputData.campaign);
  if (!id || readText(inputDataRaw?.campaign)?.includes('{{')) return [anyVariables];
  const template = await templateOf(z, id);
  return template ? fieldsOfTemplate(z, template) : [anyVariables];
};

const audienceFields = async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
  const audience = readText(bundle.inputData.audience);
  if (audience === 'saved') return savedFields;
  return audience === 'one' ? [...oneFields, ...(await variableFields(z, bundle))] : [];
};

/** Throws when the saved audience is larger than allowed, or nobody can say how large it is. */
const guard = async (z: ZObject, id: string, most: number): Promise<void> => {
  const { audience_size: size } = await call(z, endpoints.getCampaign, { id });
  if (typeof size !== 'number') {
    throw halt(
      'Maximum Recipients: the size of the audience is not known, so nothing was sent. Leave the field empty to send.',
    );
  }
  if (size > most) {
    throw halt(`Maximum Recipients: the audience has ${size} people and ${most} are allowed, so nothing was sent.`);
  }
};

const perform = (async (z, bundle) => {
  const { campaign: id, audience } = readInput(inputFields, bundle.inputData);
  if (audience === 'saved') {
    const { max_recipients: most } = readInput(savedFields, bundle.inputData);
    if (most !== undefined && most < 0) throw halt('Maximum Recipients: write a number from 0 on, or leave it empty.');
    if (most !== undefined) await guard(z, id, most);
    return call(z, endpoints.triggerCampaign, { id, body: {} });
  }
  const { to } = readInput(oneFields, bundle.inputData);
  const number = await parsePhoneNumber(recipientField.label, to, bundle.authData.default_country);
  const learnt = await learnVariables(z, bundle, () => templateOf(z, id));
  const variables = readVariables(bundle, learnt);
  return call(z, endpoints.triggerCampaign, { id, body: { to: number, variables } });
}) satisfies CreatePerform<typeof inputFields, CampaignRun>;

export default defineCreate({
  key: 'trigger_campaign',
  noun: 'Campaign',
  display: {
    label: 'Trigger Campaign',
    description: 'Starts a campaign for its saved audience or for one recipient.',
  },
  operation: { inputFields, perform, ...output(campaignRun) },
});

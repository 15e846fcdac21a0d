import { type Bundle, defineInputFields, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import type { Campaign } from '../api/resources';
import { call } from '../call/call';
import { campaignField } from '../step/dropdowns';
import { halt } from '../step/errors';
import { isBlank, ordered } from '../step/input';
import { isMapped } from '../step/lost-value';
import { readText } from '../text/fold';
import { recipientField, testRecipientField, testRecipientFields } from './recipient';
import type { TemplateKey } from './template';
import { freeFormVariablesField, readFieldsOfTemplate } from './template-fields';
import { labelOfVariable, variablePrefix } from './variables';

export const savedAudienceFields = defineInputFields([
  {
    key: 'saved_audience_note',
    label: 'Saved Audience',
    type: 'copy',
    group: 'recipient',
    helpText:
      "A test in the editor sends nothing and only shows the audience's size. Each run of the live Zap messages the whole audience.",
  },
  {
    key: 'max_recipients',
    label: 'Maximum Recipients',
    type: 'integer',
    required: true,
    placeholder: '500',
    group: 'recipient',
    helpText: 'Enter how many people may get it at most. If the audience is larger when the Zap runs, nothing is sent.',
  },
]);

/** The fields for one recipient that a caller can fill in, besides those of the variables. */
const oneRecipientFields = defineInputFields([recipientField, testRecipientField]);

type Audience = 'saved' | 'one';

const audienceLabels: Record<Audience, string> = { saved: 'The saved audience', one: 'One recipient' };

export const audienceChoices = ordered(['saved', audienceLabels.saved], ['one', audienceLabels.one]);

const isForSaved = (key: string): boolean => savedAudienceFields.some((field) => field.key === key);

const isForOne = (key: string): boolean =>
  [...oneRecipientFields, freeFormVariablesField].some((field) => field.key === key) || key.startsWith(variablePrefix);

/** Returns what the form calls a field that a function adds to it, by its key. */
export const labelOfAdded = (key: string): string =>
  [...savedAudienceFields, ...oneRecipientFields, freeFormVariablesField].find((field) => field.key === key)?.label ??
  labelOfVariable({ name: key.replace(variablePrefix, '') });

/**
 * Throws an error when a call without a form fills in a field that the chosen audience doesn't use. Whoever gave a test
 * number or one recipient doesn't mean everybody. A form keeps the values of the other choice, and doesn't show them.
 */
export const refuseOtherAudience = ({ inputData, inputDataRaw }: Bundle, audience: Audience): void => {
  if (inputDataRaw) return;
  const other: Audience = audience === 'saved' ? 'one' : 'saved';
  const isForOther = audience === 'saved' ? isForOne : isForSaved;
  const unused = Object.keys(inputData).find((key) => isForOther(key) && !isBlank(inputData[key]));
  if (unused === undefined) return;
  throw halt(
    `${labelOfAdded(unused)}: Audience is "${audienceLabels[audience]}", which doesn't use this field, so nothing was sent. Clear the field, or choose "${audienceLabels[other]}".`,
  );
};

/** Returns the template of a campaign; undefined when the service doesn't give both its name and its channel. */
export const templateOf = ({ template, channel }: Campaign): TemplateKey | undefined =>
  template && channel ? { name: template, channel } : undefined;

const variableFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const id = readText(inputData.campaign);
  const campaign =
    id && !isMapped(inputDataRaw?.campaign) && (await call(z, endpoints.getCampaign, { id }, { unless: 'gone' }));
  const key = campaign ? templateOf(campaign) : undefined;
  return key ? readFieldsOfTemplate(z, key, campaignField.label) : [freeFormVariablesField];
};

/** Returns the fields for the chosen audience, with the campaign's whole message. Makes up to two requests. */
export const audienceFields = async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
  const audience = readText(bundle.inputData.audience);
  if (audience === 'saved') {
    // Maximum Recipients is there even if the message can't be read.
    const fields = await variableFields(z, bundle).catch(() => []);
    return [...fields.filter(({ type }) => type === 'copy'), ...savedAudienceFields];
  }
  if (audience !== 'one') return [];
  const fields = await variableFields(z, bundle);
  return [recipientField, ...testRecipientFields(z, bundle), ...fields];
};

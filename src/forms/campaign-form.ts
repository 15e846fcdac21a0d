import { type Bundle, defineInputFields, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import type { Template } from '../api/resources';
import { readText } from '../formats/mapped-value';
import { lookUp } from '../http/client';
import { phoneNumberHelp, recipientField, testRecipientField } from './recipient';
import { fieldsOfTemplate, findTemplate, freeFormVariablesField } from './template-fields';

/** The fields for the saved audience. */
export const savedAudienceFields = defineInputFields([
  {
    key: 'saved_audience_note',
    label: 'Saved Audience',
    type: 'copy',
    group: 'recipient',
    helpText:
      "A test in the editor sends nothing and only shows the audience's size. Once the Zap is on, each run messages the whole audience, which can't be undone.",
  },
  {
    key: 'max_recipients',
    label: 'Maximum Recipients',
    type: 'integer',
    required: true,
    placeholder: '500',
    group: 'recipient',
    helpText: 'Enter a number such as `500`. If the audience is larger when the Zap runs, nothing is sent.',
  },
]);

/** The fields for one recipient, besides those of the variables. */
export const oneRecipientFields = defineInputFields([
  { ...recipientField, helpText: phoneNumberHelp },
  testRecipientField,
]);

const templateOf = async (z: ZObject, id: string): Promise<Template | undefined> => {
  const name = (await lookUp(z, endpoints.getCampaign, { id }))?.template;
  return name ? findTemplate(z, name) : undefined;
};

const variableFields = async (z: ZObject, { inputData, inputDataRaw }: Bundle): Promise<PlainInputField[]> => {
  const id = readText(inputData.campaign);
  const isMapped = readText(inputDataRaw?.campaign)?.includes('{{');
  return !id || isMapped ? [freeFormVariablesField] : fieldsOfTemplate(await templateOf(z, id));
};

/** Returns the fields for the chosen audience. Makes up to two requests for one recipient, none for the saved audience. */
export const audienceFields = async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
  const audience = readText(bundle.inputData.audience);
  if (audience === 'saved') return savedAudienceFields;
  return audience === 'one' ? [...oneRecipientFields, ...(await variableFields(z, bundle))] : [];
};

import findCampaign from '../searches/find-campaign';
import findContact from '../searches/find-contact';
import findTemplate from '../searches/find-template';
import listCampaigns from '../triggers/list-campaigns';
import listContacts from '../triggers/list-contacts';
import listTemplates from '../triggers/list-templates';
import { defineInputField } from './platform';

/** The contact that an action is about. */
export const contactField = defineInputField({
  key: 'contact',
  label: 'Contact',
  required: true,
  dynamic: `${listContacts.key}.id.name`,
  search: `${findContact.key}.id`,
});

/** The campaign that an action is about. */
export const campaignField = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  required: true,
  dynamic: `${listCampaigns.key}.id.name`,
  search: `${findCampaign.key}.id`,
  altersDynamicFields: true,
});

/** Which campaign a trigger listens to. */
export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  dynamic: `${listCampaigns.key}.id.name`,
  helpText: 'Leave empty for every campaign.',
});

/** The template of the chosen channel that an action sends. */
export const templateField = defineInputField({
  key: 'template',
  label: 'Template',
  required: true,
  dynamic: `${listTemplates.key}.id.name`,
  search: `${findTemplate.key}.name`,
  altersDynamicFields: true,
});

import { defineInputField, type PlainInputField } from 'zapier-platform-core';
import { exists } from '../api/missing';
import { campaign, channel, contact, conversation, message, template } from '../api/resources';
import type { EndpointName } from '../api/transport';
import { dropdowns } from './choices';

/**
 * Returns what makes a field a dropdown: the function that lists its choices, the kind of record that a value identifies,
 * such as `contact`, and the search that finds one in an earlier step, such as `find_contact.id`. Without the call that
 * lists the choices, people enter a value, such as `example`.
 */
const dropdown = (
  list: EndpointName,
  example: string,
  resource: string,
  perform: (typeof dropdowns)[keyof typeof dropdowns],
  search?: string,
): Pick<PlainInputField, 'choices' | 'resource' | 'search' | 'placeholder'> =>
  exists(list) ? { choices: { perform }, resource, ...(search && { search }) } : { placeholder: example };

const channels = dropdown('listChannels', channel.sample.key, 'channel', dropdowns.channels);

export const channelField = defineInputField({
  key: 'channel',
  label: 'Channel',
  required: true,
  ...channels,
  altersDynamicFields: true,
});

export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  ...channels,
});

export const templateField = defineInputField({
  key: 'template',
  label: 'Template',
  required: true,
  ...dropdown('listTemplates', template.sample.name, 'template', dropdowns.templates, 'find_template.name'),
  dependsOn: ['channel'],
  altersDynamicFields: true,
  helpText: exists('listTemplates')
    ? 'Only approved templates are listed. The messaging service chooses the language for each contact.'
    : 'Enter the name of an approved template as the messaging service shows it, including capital letters.',
});

export const contactField = defineInputField({
  key: 'contact',
  label: 'Contact',
  required: true,
  ...dropdown('listContacts', contact.sample.id, 'contact', dropdowns.contacts, 'find_contact.id'),
  helpText: 'Choose a contact, or map its ID from an earlier step, such as Find Contact.',
});

/** Limits a search to one contact. A person who hides their phone number can't be found by anything else. */
export const contactFilter = defineInputField({
  key: 'contact',
  label: 'Contact',
  ...dropdown('listContacts', contact.sample.id, 'contact', dropdowns.contacts),
});

export const campaignField = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  required: true,
  ...dropdown('listCampaigns', campaign.sample.id, 'campaign', dropdowns.campaigns, 'find_campaign.id'),
  altersDynamicFields: true,
  helpText: 'Choose a campaign, or map its ID from an earlier step, such as Find Campaign.',
});

export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  ...dropdown('listCampaigns', campaign.sample.id, 'campaign', dropdowns.campaigns),
});

export const conversationField = defineInputField({
  key: 'conversation',
  label: 'Conversation',
  ...dropdown('listConversations', conversation.sample.id, 'conversation', dropdowns.conversations),
});

export const messageField = defineInputField({
  key: 'message',
  label: 'Message',
  required: true,
  ...dropdown('listMessages', message.sample.id, 'message', dropdowns.messages),
});

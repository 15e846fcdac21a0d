import { defineInputField, type PlainInputField } from 'zapier-platform-core';
import { type EndpointName, exists } from '../api/endpoints';
import { campaign, channel, contact, conversation, message, template } from '../api/resources';

/**
 * Returns what makes a field a dropdown: the trigger and the search, by key, that find its values. Without the call
 * that lists the values, people enter one themselves, such as `example`. A test checks that the steps exist.
 */
const dropdown = (
  list: EndpointName,
  example: string,
  steps: { dynamic: string; search?: string },
): Pick<PlainInputField, 'dynamic' | 'search' | 'placeholder'> => (exists(list) ? steps : { placeholder: example });

const channels = dropdown('listChannels', channel.sample.key, { dynamic: 'list_channels.id.name' });

/** The channel that an action sends on. */
export const channelField = defineInputField({
  key: 'channel',
  label: 'Channel',
  required: true,
  ...channels,
  altersDynamicFields: true,
});

/** Limits a trigger or search to one channel. */
export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  ...channels,
  helpText: 'Leave empty for all channels.',
});

/** The template that an action sends, from the chosen channel. */
export const templateField = defineInputField({
  key: 'template',
  label: 'Template',
  required: true,
  ...dropdown('listTemplates', template.sample.name, {
    dynamic: 'list_templates.id.name',
    search: 'find_template.name',
  }),
  dependsOn: ['channel'],
  altersDynamicFields: true,
  helpText: exists('listTemplates')
    ? 'Choose a channel first. The list then shows its approved templates. The messaging service chooses the language for each contact.'
    : 'Enter the name of an approved template as the messaging service shows it, including capital letters.',
});

/** The contact that an action changes. */
export const contactField = defineInputField({
  key: 'contact',
  label: 'Contact',
  required: true,
  ...dropdown('listContacts', contact.sample.id, { dynamic: 'list_contacts.id.name', search: 'find_contact.id' }),
  helpText: 'Choose a contact, or map its ID from an earlier step, such as Find Contact.',
});

/** The campaign that an action starts. */
export const campaignField = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  required: true,
  ...dropdown('listCampaigns', campaign.sample.id, {
    dynamic: 'list_campaigns.id.name',
    search: 'find_campaign.id',
  }),
  altersDynamicFields: true,
  helpText: 'Choose a campaign, or map its ID from an earlier step, such as Find Campaign.',
});

/** Limits a message trigger to one campaign. */
export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  ...dropdown('listCampaigns', campaign.sample.id, { dynamic: 'list_campaigns.id.name' }),
  helpText: 'Leave empty for all campaigns.',
});

/** Limits a campaign trigger to one campaign. */
export const watchedCampaignField = defineInputField({
  ...campaignFilter,
  helpText: 'If this Zap starts a campaign, choose another one to prevent loops. Leave empty for all campaigns.',
});

/** The conversation that a search returns. */
export const conversationField = defineInputField({
  key: 'conversation',
  label: 'Conversation',
  ...dropdown('listConversations', conversation.sample.id, { dynamic: 'list_conversations.id.name' }),
});

/** The message that a search looks up. */
export const messageField = defineInputField({
  key: 'message',
  label: 'Message',
  required: true,
  ...dropdown('listMessages', message.sample.id, { dynamic: 'list_messages.id.name' }),
});

import { defineInputField } from 'zapier-platform-core';

/*
 * These fields refer to dropdowns and searches by key, so that no form imports a step. A test checks that the steps
 * exist.
 */

/** The channel that an action sends on. */
export const channelField = defineInputField({
  key: 'channel',
  label: 'Channel',
  required: true,
  dynamic: 'list_channels.id.name',
  altersDynamicFields: true,
});

/** Limits a trigger or search to one channel. */
export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  dynamic: 'list_channels.id.name',
  helpText: 'Leave empty for all channels.',
});

/** The template that an action sends, from the chosen channel. */
export const templateField = defineInputField({
  key: 'template',
  label: 'Template',
  required: true,
  dynamic: 'list_templates.id.name',
  search: 'find_template.name',
  dependsOn: ['channel'],
  altersDynamicFields: true,
  helpText: 'Choose a channel first. The list shows the approved templates for that channel.',
});

/** The contact that an action changes. */
export const contactField = defineInputField({
  key: 'contact',
  label: 'Contact',
  required: true,
  dynamic: 'list_contacts.id.name',
  search: 'find_contact.id',
  helpText: 'Choose a contact, or map its ID from an earlier step, such as Find Contact.',
});

/** The campaign that an action starts. */
export const campaignField = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  required: true,
  dynamic: 'list_campaigns.id.name',
  search: 'find_campaign.id',
  altersDynamicFields: true,
});

/** Limits a message trigger to one campaign. */
export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  dynamic: 'list_campaigns.id.name',
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
  dynamic: 'list_conversations.id.name',
});

/** The message that a search looks up. */
export const messageField = defineInputField({
  key: 'message',
  label: 'Message',
  required: true,
  dynamic: 'list_messages.id.name',
});

import { defineInputField } from 'zapier-platform-core';

/*
 * Dropdowns and searches by the keys of their steps, as text, so that no form depends on a step. A test holds that the
 * steps exist.
 */

/** The channel that an action sends on. */
export const channelField = defineInputField({
  key: 'channel',
  label: 'Channel',
  required: true,
  dynamic: 'list_channels.id.name',
  altersDynamicFields: true,
});

/** The channel that a trigger or a search keeps to. */
export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  dynamic: 'list_channels.id.name',
  helpText: 'Leave empty for all channels.',
});

/** The template of the chosen channel that an action sends. */
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

/** The contact that an action is about. */
export const contactField = defineInputField({
  key: 'contact',
  label: 'Contact',
  required: true,
  dynamic: 'list_contacts.id.name',
  search: 'find_contact.id',
  helpText: 'Choose a contact, or map its ID from an earlier step, such as Find Contact.',
});

/** The campaign that an action is about. */
export const campaignField = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  required: true,
  dynamic: 'list_campaigns.id.name',
  search: 'find_campaign.id',
  altersDynamicFields: true,
});

/** The campaign that a trigger listens to. */
export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  dynamic: 'list_campaigns.id.name',
  helpText: 'Leave empty for all campaigns.',
});

/** The campaign that starts the Zap. */
export const watchedCampaignField = defineInputField({
  ...campaignFilter,
  helpText: "To prevent loops, don't choose a campaign that this Zap starts. Leave empty for all campaigns.",
});

/** The conversation that a search is about. */
export const conversationField = defineInputField({
  key: 'conversation',
  label: 'Conversation',
  dynamic: 'list_conversations.id.name',
});

/** The message that a search is about. */
export const messageField = defineInputField({
  key: 'message',
  label: 'Message',
  required: true,
  dynamic: 'list_messages.id.name',
});

import campaignCompleted from './campaign-completed';
import campaignFailed from './campaign-failed';
import campaignStarted from './campaign-started';
import conversationClosed from './conversation-closed';
import conversationOpened from './conversation-opened';
import conversationReopened from './conversation-reopened';
import listCampaigns from './list-campaigns';
import listChannels from './list-channels';
import listContacts from './list-contacts';
import listConversations from './list-conversations';
import listMessages from './list-messages';
import listTemplates from './list-templates';
import messageFailed from './message-failed';
import messageReceived from './message-received';
import messageSent from './message-sent';
import messageStatusUpdated from './message-status-updated';
import newContact from './new-contact';

export const triggers = {
  [messageReceived.key]: messageReceived,
  [messageSent.key]: messageSent,
  [messageStatusUpdated.key]: messageStatusUpdated,
  [messageFailed.key]: messageFailed,
  [conversationOpened.key]: conversationOpened,
  [conversationClosed.key]: conversationClosed,
  [conversationReopened.key]: conversationReopened,
  [campaignStarted.key]: campaignStarted,
  [campaignCompleted.key]: campaignCompleted,
  [campaignFailed.key]: campaignFailed,
  [newContact.key]: newContact,
  [listChannels.key]: listChannels,
  [listTemplates.key]: listTemplates,
  [listCampaigns.key]: listCampaigns,
  [listContacts.key]: listContacts,
  [listConversations.key]: listConversations,
  [listMessages.key]: listMessages,
};

import { register } from '../src/platform/register';
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

/** The triggers by key. After each trigger are the calls of the API that it can't do without. */
export const triggers = register([
  [messageReceived, 'createWebhook'],
  [messageSent, 'createWebhook'],
  [messageStatusUpdated, 'createWebhook'],
  [messageFailed, 'createWebhook'],
  [conversationOpened, 'createWebhook', 'listConversations'],
  [conversationClosed, 'createWebhook', 'listConversations'],
  [conversationReopened, 'createWebhook', 'listConversations'],
  [campaignStarted, 'createWebhook', 'listCampaigns'],
  [campaignCompleted, 'createWebhook', 'listCampaigns'],
  [campaignFailed, 'createWebhook', 'listCampaigns'],
  [newContact, 'listContacts'],
  [listChannels, 'listChannels'],
  [listTemplates, 'listTemplates'],
  [listCampaigns, 'listCampaigns'],
  [listContacts, 'listContacts'],
  [listConversations, 'listConversations'],
  [listMessages, 'listMessages'],
]);

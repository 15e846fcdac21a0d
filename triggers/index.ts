import { exists } from '../src/api/endpoints';
import { contact, message } from '../src/api/resources';
import { register } from '../src/step/register';
import campaignCompleted from './campaign-completed';
import campaignFailed from './campaign-failed';
import campaignStarted from './campaign-started';
import contactOptedOut from './contact-opted-out';
import conversationClosed from './conversation-closed';
import conversationOpened from './conversation-opened';
import conversationReopened from './conversation-reopened';
import messageFailed from './message-failed';
import messageReceived from './message-received';
import messageSent from './message-sent';
import messageStatusUpdated from './message-status-updated';
import newContact from './new-contact';

const statuses = ['message.delivered', 'message.read', 'message.failed'] as const;
/** Missing only if the service has none of these events. */
const anyStatus = statuses.find(exists) ?? statuses[0];

/** The triggers by key. After each trigger is what it can't do without: calls of the API, events and fields. */
export const triggers = register([
  // Without webhooks, it polls the list of messages.
  [
    messageReceived,
    ...(exists('createWebhook') ? (['message.received', 'deleteWebhook'] as const) : (['listMessages'] as const)),
  ],
  // Without a sender, a Zap could start itself.
  [messageSent, 'message.sent', message.schema.shape.source, 'createWebhook', 'deleteWebhook'],
  [messageStatusUpdated, anyStatus, 'createWebhook', 'deleteWebhook'],
  [messageFailed, 'message.failed', 'createWebhook', 'deleteWebhook'],
  [conversationOpened, 'conversation.opened', 'createWebhook', 'deleteWebhook', 'listConversations'],
  [conversationClosed, 'conversation.closed', 'createWebhook', 'deleteWebhook', 'listConversations'],
  [conversationReopened, 'conversation.reopened', 'createWebhook', 'deleteWebhook', 'listConversations'],
  [campaignStarted, 'campaign.started', 'createWebhook', 'deleteWebhook', 'listCampaigns'],
  [campaignCompleted, 'campaign.completed', 'createWebhook', 'deleteWebhook', 'listCampaigns'],
  [campaignFailed, 'campaign.failed', 'createWebhook', 'deleteWebhook', 'listCampaigns'],
  [newContact, 'listContacts'],
  [contactOptedOut, 'listContacts', contact.schema.shape.consent],
]);

import { exists } from '../src/api/missing';
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

const webhooks = ['createWebhook', 'deleteWebhook'] as const;

const ofMessage = { sources: 'message.source', campaign: 'message.campaign_id' } as const;

/** The triggers by key, each with what it can't do without, and what fields of its form can't do without. */
export const triggers = register([
  [messageReceived, ['message.received', ...webhooks]],
  // Without a sender, a Zap could start itself.
  [messageSent, ['message.sent', 'message.source', ...webhooks]],
  [messageStatusUpdated, [anyStatus, ...webhooks], ofMessage],
  [messageFailed, ['message.failed', ...webhooks], ofMessage],
  [conversationOpened, ['conversation.opened', ...webhooks]],
  [conversationClosed, ['conversation.closed', ...webhooks]],
  [conversationReopened, ['conversation.reopened', ...webhooks]],
  [campaignStarted, ['campaign.started', ...webhooks]],
  [campaignCompleted, ['campaign.completed', ...webhooks]],
  [campaignFailed, ['campaign.failed', ...webhooks]],
  [newContact, ['listContacts', 'contact.created_at'], { tag: 'contact.tags' }],
  [contactOptedOut, ['listContacts', 'contact.consent']],
]);

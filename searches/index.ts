import { register } from '../src/step/register';
import findCampaign from './find-campaign';
import findContact from './find-contact';
import findContacts from './find-contacts';
import findConversationHistory from './find-conversation-history';
import findConversations from './find-conversations';
import findMessageStatus from './find-message-status';
import findMessages from './find-messages';
import findReply from './find-reply';
import findTemplate from './find-template';

/** The searches by key, each with what it can't do without, and what fields of its form can't do without. */
export const searches = register([
  [findContact, ['listContacts'], { phone: 'contact.phone', email: 'contact.email' }],
  [
    findContacts,
    ['listContacts'],
    { tag: 'contact.tags', consent: 'contact.consent', created_after: 'contact.created_at' },
  ],
  [
    findConversationHistory,
    ['listContacts', 'listConversations', 'getConversation', 'listConversationMessages', 'conversation.contact'],
  ],
  [findConversations, ['listConversations']],
  [findReply, ['getMessage', 'listMessages']],
  [findMessageStatus, ['getMessage', 'message.status']],
  [findMessages, ['listMessages'], { campaign: 'message.campaign_id', status: 'message.status' }],
  [findCampaign, ['listCampaigns']],
  [findTemplate, ['listTemplates']],
]);

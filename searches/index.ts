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

/** The searches by key. After each search are the calls of the API that it can't do without. */
export const searches = register([
  [findContact, 'listContacts'],
  [findContacts, 'listContacts'],
  [findConversationHistory, 'listContacts', 'listConversations', 'listConversationMessages'],
  [findConversations, 'listConversations'],
  [findReply, 'getMessage', 'listMessages'],
  [findMessageStatus, 'getMessage'],
  [findMessages, 'listMessages'],
  [findCampaign, 'listCampaigns'],
  [findTemplate, 'listTemplates'],
]);

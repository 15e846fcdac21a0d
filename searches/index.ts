import { register } from '../src/platform/register';
import findCampaign from './find-campaign';
import findContact from './find-contact';
import findConversation from './find-conversation';
import findConversations from './find-conversations';
import findMessage from './find-message';
import findMessages from './find-messages';
import findReply from './find-reply';
import findTemplate from './find-template';

/** The searches by key. After each search are the calls of the API that it can't do without. */
export const searches = register([
  [findContact, 'listContacts'],
  [findConversation, 'listContacts', 'listConversations', 'listConversationMessages'],
  [findConversations, 'listConversations'],
  [findReply, 'getMessage', 'listMessages'],
  [findMessage, 'getMessage'],
  [findMessages, 'listMessages'],
  [findCampaign, 'listCampaigns'],
  [findTemplate, 'listTemplates'],
]);

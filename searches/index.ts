import findCampaign from './find-campaign';
import findContact from './find-contact';
import findConversation from './find-conversation';
import findMessage from './find-message';
import findMessages from './find-messages';
import findReply from './find-reply';
import findTemplate from './find-template';

export const searches = {
  [findContact.key]: findContact,
  [findConversation.key]: findConversation,
  [findReply.key]: findReply,
  [findMessage.key]: findMessage,
  [findMessages.key]: findMessages,
  [findCampaign.key]: findCampaign,
  [findTemplate.key]: findTemplate,
};

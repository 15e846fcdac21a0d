import findCampaign from './find-campaign';
import findContact from './find-contact';
import findConversation from './find-conversation';
import findMessage from './find-message';
import findTemplate from './find-template';

export const searches = {
  [findContact.key]: findContact,
  [findConversation.key]: findConversation,
  [findMessage.key]: findMessage,
  [findCampaign.key]: findCampaign,
  [findTemplate.key]: findTemplate,
};

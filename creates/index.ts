import { endpoints, webhookFilter } from '../src/api/endpoints';
import { acceptedBy, acceptedByBoth } from '../src/contact/form';
import { register } from '../src/step/register';
import createContact from './create-contact';
import createOrUpdateContact from './create-or-update-contact';
import deleteContact from './delete-contact';
import sendMessage from './send-message';
import sendMessageAndWait from './send-message-and-wait';
import startCampaign from './start-campaign';
import updateContact from './update-contact';

/** The actions by key. After each action is what it can't do without: calls of the API, events and filters. */
export const creates = register([
  [sendMessage, 'sendMessage'],
  [
    sendMessageAndWait,
    ...(['sendMessage', 'createWebhook', 'deleteWebhook', 'getMessage', 'listMessages', 'message.received'] as const),
    // Without the filter, anyone's message would end the wait.
    webhookFilter('from'),
  ],
  [startCampaign, 'triggerCampaign', 'getCampaign'],
  [acceptedBy(endpoints.createContact.body, createContact), 'createContact'],
  [acceptedByBoth(createOrUpdateContact), 'createContact', 'updateContact'],
  [acceptedBy(endpoints.updateContact.body, updateContact), 'updateContact'],
  [deleteContact, 'deleteContact'],
]);

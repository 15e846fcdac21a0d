import { endpoints } from '../src/api/endpoints';
import { webhookFilters } from '../src/api/resources';
import { acceptedBy } from '../src/forms/contact-form';
import { register } from '../src/platform/register';
import apiRequest from './api-request';
import createContact from './create-contact';
import deleteContact from './delete-contact';
import sendMessage from './send-message';
import sendMessageAndWait from './send-message-and-wait';
import triggerCampaign from './trigger-campaign';
import updateContact from './update-contact';
import upsertContact from './upsert-contact';

/** The actions by key. After each action is what it can't do without: calls of the API, events and filters. */
export const creates = register([
  [sendMessage, 'sendMessage'],
  [
    sendMessageAndWait,
    ...(['sendMessage', 'createWebhook', 'deleteWebhook', 'getMessage', 'listMessages', 'message.received'] as const),
    // Without the filter, anyone's message would end the wait.
    webhookFilters.shape.from,
  ],
  [triggerCampaign, 'triggerCampaign', 'getCampaign'],
  [acceptedBy(endpoints.createContact.body, createContact), 'createContact'],
  [acceptedBy(endpoints.createContact.body, upsertContact), 'createContact', 'updateContact'],
  [acceptedBy(endpoints.updateContact.body, updateContact), 'updateContact'],
  [deleteContact, 'deleteContact'],
  [apiRequest],
]);

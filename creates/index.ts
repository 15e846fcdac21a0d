import { register } from '../src/platform/register';
import apiRequest from './api-request';
import createContact from './create-contact';
import deleteContact from './delete-contact';
import sendMessage from './send-message';
import sendMessageAndWait from './send-message-and-wait';
import triggerCampaign from './trigger-campaign';
import updateContact from './update-contact';
import upsertContact from './upsert-contact';

/** The actions by key. After each action are the calls of the API that it can't do without. */
export const creates = register([
  [sendMessage],
  [sendMessageAndWait, 'createWebhook', 'deleteWebhook', 'getMessage'],
  [triggerCampaign, 'triggerCampaign', 'getCampaign'],
  [createContact, 'createContact'],
  [upsertContact, 'createContact', 'updateContact'],
  [updateContact, 'updateContact'],
  [deleteContact, 'deleteContact'],
  [apiRequest],
]);

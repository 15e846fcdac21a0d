import apiRequest from './api-request';
import createContact from './create-contact';
import deleteContact from './delete-contact';
import sendMessage from './send-message';
import sendMessageAndWait from './send-message-and-wait';
import triggerCampaign from './trigger-campaign';
import updateContact from './update-contact';
import upsertContact from './upsert-contact';

export const creates = {
  [sendMessage.key]: sendMessage,
  [sendMessageAndWait.key]: sendMessageAndWait,
  [triggerCampaign.key]: triggerCampaign,
  [createContact.key]: createContact,
  [upsertContact.key]: upsertContact,
  [updateContact.key]: updateContact,
  [deleteContact.key]: deleteContact,
  [apiRequest.key]: apiRequest,
};

import { register } from '../src/step/register';
import createContact from './create-contact';
import createOrUpdateContact from './create-or-update-contact';
import deleteContact from './delete-contact';
import sendMessage from './send-message';
import sendMessageAndWait from './send-message-and-wait';
import startCampaign from './start-campaign';
import updateContact from './update-contact';

/** What the fields about a contact need. Without it, a form would take a value, such as an opt-out, that nobody keeps. */
const ofContact = {
  phone: 'contact.phone',
  email: 'contact.email',
  first_name: 'contact.first_name',
  last_name: 'contact.last_name',
  language: 'contact.language',
  consent: 'contact.consent',
  tags: 'contact.tags',
  add_tags: 'contact.tags',
  remove_tags: 'contact.tags',
  attributes: 'contact.attributes',
} as const;

/** The actions by key, each with what it can't do without, and what fields of its form can't do without. */
export const creates = register([
  [sendMessage, ['sendMessage']],
  [
    sendMessageAndWait,
    [
      ...(['sendMessage', 'createWebhook', 'deleteWebhook', 'getMessage', 'listMessages', 'message.received'] as const),
      // Without these filters, anyone's message could end the wait, or the reply could come before it.
      ...(['webhook.from', 'webhook.contact_id', 'webhook.after'] as const),
    ],
  ],
  [startCampaign, ['triggerCampaign', 'getCampaign']],
  [createContact, ['createContact'], ofContact],
  [createOrUpdateContact, ['createContact', 'updateContact', 'listContacts'], ofContact],
  [updateContact, ['updateContact'], ofContact],
  [deleteContact, ['deleteContact']],
]);

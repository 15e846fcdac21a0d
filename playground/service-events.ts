import { endpoints } from '../src/api/endpoints';
import { type Account, callApi, control } from './call-api';
import type { ServiceEvent } from './recipes/recipe';

const defaultChannel = 'whatsapp';

const requireOne = <T>(records: T[], name: string): T => {
  const [first] = records;
  if (first === undefined) throw new Error(`The service has no ${name}.`);
  return first;
};

const conversationId = async (service: Account, phone: string, channel = defaultChannel): Promise<string> => {
  const { id: contact_id } = requireOne(await listContacts(service, phone), `contact ${phone}`);
  const { data } = await callApi(service, endpoints.listConversations, { query: { contact_id, channel } });
  return requireOne(data, `conversation of ${phone} on ${channel}`).id;
};

const endCampaign = async (service: Account, name: string, action: 'fail' | 'finish'): Promise<void> => {
  const { data } = await callApi(service, endpoints.listCampaigns, { query: { query: name } });
  const { id } = requireOne(data, `campaign ${name}`);
  await control(service.url, 'POST', `campaigns/${id}/start`);
  await control(service.url, 'POST', `campaigns/${id}/${action}`);
};

/** Lists the contacts with a phone number. */
export const listContacts = async (service: Account, phone: string) =>
  (await callApi(service, endpoints.listContacts, { query: { phone } })).data;

/** Lists the newest messages that were sent through the API, newest first. */
export const listSentByApi = async (service: Account) => {
  const { data } = await callApi(service, endpoints.listMessages, { query: { direction: 'outbound', limit: 100 } });
  return data.filter(({ source }) => source === 'api');
};

/** Moves the clock of the service forward, and waits until all work and deliveries due by then are done. */
export const passTime = (service: Account, seconds: number): Promise<unknown> =>
  control(service.url, 'POST', 'clock', { advance_seconds: seconds });

/** Makes an event happen in the service. Returns the record that it creates or changes, if there is one. */
export const applyEvent = async (
  service: Account,
  event: ServiceEvent,
  pass = (seconds: number) => passTime(service, seconds),
): Promise<unknown> => {
  switch (event.type) {
    case 'customer writes': {
      const { phone: from, text, channel = defaultChannel } = event;
      return control(service.url, 'POST', 'messages', { from, text, channel });
    }
    case 'colleague replies': {
      const id = await conversationId(service, event.phone, event.channel);
      return control(service.url, 'POST', `conversations/${id}/messages`, { text: event.text });
    }
    case 'conversation closes':
      return control(
        service.url,
        'POST',
        `conversations/${await conversationId(service, event.phone, event.channel)}/close`,
      );
    case 'contact is added':
      return callApi(service, endpoints.createContact, { body: event.contact });
    case 'message is sent': {
      await callApi(service, endpoints.sendMessage, { body: event.message });
      return pass(60);
    }
    case 'campaign completes':
      return endCampaign(service, event.name, 'finish');
    case 'campaign fails':
      return endCampaign(service, event.name, 'fail');
  }
};

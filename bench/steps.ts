import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { events } from '../src/api/events';

const secret = `whsec_${randomBytes(24).toString('base64')}`;

const execute = (method: string, bundle: object) => ({
  command: 'execute',
  method: `${method}.operation.perform`,
  bundle,
});

const connect = (url: string) => ({ base_url: url, api_token: 'tok_bench' });

/** A hook perform as Zapier calls it, with a genuine delivery of a message whose text has so many characters. */
export const delivery = (characters = 40): object => {
  const data = { ...events['message.received'].sample, text: 'x'.repeat(characters) };
  const content = JSON.stringify({ id: 'evt_1', type: 'message.received', created_at: data.created_at, data });
  const at = new Date();
  const headers = {
    'Http-Webhook-Id': 'evt_1',
    'Http-Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Http-Webhook-Signature': new Webhook(secret).sign('evt_1', at, content),
  };
  return execute('triggers.message_received', {
    authData: {},
    inputData: {},
    meta: {},
    subscribeData: { id: 'wh_1', secret },
    rawRequest: { method: 'POST', querystring: '', headers, content },
    cleanedRequest: JSON.parse(content),
  });
};

/** A send of a template with so many variables, of which the form knows. */
export const send = (url: string, variables = 1): object => {
  const names = Array.from({ length: variables }, (_, index) => `variable_${index}`);
  return execute('creates.send_message', {
    authData: connect(url),
    inputData: {
      channel: 'whatsapp',
      template: 'hello',
      to: '+31612345678',
      ...Object.fromEntries(names.map((name) => [name, 'Noor'])),
    },
    meta: {
      inputFields: Object.fromEntries(names.map((name) => [name, { format: 'text', label: name, required: true }])),
    },
  });
};

/** A search for a conversation of so many messages. */
export const history = (url: string, messages: number): object =>
  execute('searches.find_conversation', {
    authData: connect(url),
    inputData: { phone: '+31612345678', message_limit: String(messages) },
    meta: {},
  });

/** The first page of the contacts to choose from. */
export const dropdown = (url: string): object =>
  execute('triggers.list_contacts', { authData: connect(url), inputData: {}, meta: { page: 0 } });

/**
 * Requests, errors and deliveries just as they are on the wire. Every other test names them by the contract.
 */

import nock from 'nock';
import { Webhook } from 'standardwebhooks';
import { events } from '../../src/api/events';
import {
  campaign,
  campaignRun,
  channel,
  contact,
  conversation,
  message,
  template,
  webhook,
  workspace,
} from '../../src/api/resources';
import { subscribeData } from '../support/deliveries';
import { authData, service, testedAccount } from '../support/service';
import { reachable, triggered } from '../support/triggered';
import { runStep } from '../support/zapier';

const url = 'https://hooks.example.com/1/';

/** The only page of a list. */
const list = (...data: object[]) => ({ data, next_cursor: null });

const sent = {
  channel: 'whatsapp',
  to: '+12025550123',
  template: 'parcel_out_for_delivery',
  variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
};
const contactInput = {
  ...{ phone: '+12025550123', first_name: 'Noor', consent: 'opted_in', tags: ['vip'], attributes: { floor: '3' } },
};
const path = `/v1/conversations/${conversation.sample.id}`;
const filters = { channel: 'sms', status: 'delivered,read,failed', direction: 'outbound' };

/** Whether a filter can match is asked where nothing was found, and before a webhook listens. */
const channels = ['GET /v1/channels', { limit: '100' }, list({ key: 'sms', name: 'SMS' })] as const;

/** A request: its method and path, its query or body, and the response. */
type Request = readonly [call: string, given: nock.DataMatcherMap, response: object];

const announce = ([call, given, response]: Request): void => {
  // In place of the template that each test has.
  if (call.endsWith('/templates')) nock.cleanAll();
  const [method = '', target = ''] = call.split(' ');
  if (method === 'GET') service().get(target).query(given).reply(200, response);
  else service().post(target, given).reply(201, response);
};

test.each<[what: string, step: string, inputData: object, result: unknown, requests: Request[]]>([
  [
    'a message with the four specified fields',
    ...(['creates.send_message.operation.perform', sent, message.sample] as const),
    [['POST /v1/messages', sent, message.sample]],
  ],
  [
    'messages by direction, status and channel',
    ...(['triggers.message_status_updated.operation.performList', { channel: 'sms' }, []] as const),
    [
      // Whether the plan allows webhooks.
      ['GET /v1/webhooks', { limit: '1' }, list()],
      ['GET /v1/messages', { ...filters, limit: '100' }, list(events['message.read'].sample)],
      channels,
    ],
  ],
  [
    'a contact with its fields by name',
    ...(['creates.create_contact.operation.perform', contactInput, reachable(contact.sample)] as const),
    [['POST /v1/contacts', contactInput, contact.sample]],
  ],
  [
    'contacts in pages',
    ...(['searches.find_contact.operation.perform', { phone: '+12025550123' }, [reachable(contact.sample)]] as const),
    [
      ['GET /v1/contacts', { phone: '+12025550123', limit: '100' }, { data: [contact.sample], next_cursor: 'more' }],
      ['GET /v1/contacts', { phone: '+12025550123', limit: '100', after: 'more' }, list()],
    ],
  ],
  [
    'a conversation, and its messages behind its own path',
    'searches.find_conversation_history.operation.perform',
    { conversation: conversation.sample.id },
    [{ ...conversation.sample, messages: [message.sample] }],
    [
      [`GET ${path}`, {}, conversation.sample],
      [`GET ${path}/messages`, { limit: '50' }, list(message.sample)],
    ],
  ],
  [
    'campaigns by name',
    ...(['searches.find_campaign.operation.perform', { name: 'Summer' }, [campaign.sample]] as const),
    [['GET /v1/campaigns', { query: 'Summer', limit: '100' }, list(campaign.sample)]],
  ],
  [
    'a campaign that starts, behind its own path',
    'creates.start_campaign.operation.perform',
    { campaign: 'cmp_5Jc1Fy', audience: 'one', to: '+12025550123' },
    campaignRun.sample,
    [
      ['GET /v1/campaigns/cmp_5Jc1Fy', {}, { ...campaign.sample, template: null }],
      ['POST /v1/campaigns/cmp_5Jc1Fy/trigger', { to: '+12025550123', variables: {} }, campaignRun.sample],
    ],
  ],
  [
    'a template by its name and channel, in every language',
    'creates.send_message.operation.inputFields',
    { channel: 'whatsapp', template: template.sample.name },
    expect.arrayContaining([expect.objectContaining({ key: 'variable_parcel_id' })]),
    [['GET /v1/templates', { name: template.sample.name, channel: 'whatsapp', limit: '100' }, list(template.sample)]],
  ],
  [
    'channels',
    ...(['creates.send_message.operation.inputFields.0.choices.perform', {}] as const),
    { results: [{ id: channel.sample.key }] },
    [['GET /v1/channels', { limit: '100' }, list(channel.sample)]],
  ],
  ['the workspace', 'authentication.test', {}, testedAccount, [['GET /v1/workspace', {}, workspace.sample]]],
  [
    'a webhook with its events and filters',
    ...(['triggers.message_received.operation.performSubscribe', { channel: 'sms' }] as const),
    { id: webhook.sample.id, secret: webhook.sample.secret },
    [
      channels,
      ['POST /v1/webhooks', { url, events: ['message.received'], filters: { channel: ['sms'] } }, webhook.sample],
    ],
  ],
])('asks the service for %s', async (_what, step, inputData, result, requests) => {
  for (const request of requests) announce(request);
  const got = await runStep(step, { authData, inputData: { ...inputData }, targetUrl: url });
  expect([got]).toMatchObject([result]);
});

test('an event is signed as Standard Webhooks says, checked by its reference library', async () => {
  const { sample } = events['message.received'];
  const event = {
    id: 'evt_1',
    type: 'message.received',
    created_at: '2026-06-11T09:40:12Z',
    data: sample,
  };
  const content = JSON.stringify(event);
  const at = new Date();
  const headers = {
    'Http-Webhook-Id': event.id,
    'Http-Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Http-Webhook-Signature': new Webhook(subscribeData.secret).sign(event.id, at, content),
  };
  const rawRequest = { method: 'POST' as const, querystring: '', content, headers };
  const bundle = { authData, subscribeData, rawRequest };
  await expect(runStep('triggers.message_received.operation.perform', bundle)).resolves.toEqual([triggered(sample)]);
});

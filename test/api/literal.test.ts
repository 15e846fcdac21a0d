/**
 * Requests, errors and deliveries just as they are on the wire. Every other test names them by the contract, and so do the
 * records of responses here.
 */

import nock from 'nock';
import { Webhook } from 'standardwebhooks';
import { createAppTester } from 'zapier-platform-core';
import app from '../../src';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { endpoints } from '../../src/api/endpoints';
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
import { toWire } from '../../src/api/translate';
import type { EndpointName } from '../../src/api/transport';
import { deliveryOf, signedHeaders, subscribeData, toPayload } from '../support/deliveries';
import { serveRpc } from '../support/rpc';
import { allowWebhooks, authData, service, testedAccount, toResponse } from '../support/service';
import { reachable, triggered } from '../support/triggered';
import { findPerform, runStep } from '../support/zapier';

const run = (path: string, inputData: object = {}) => runStep(path, { authData, inputData: { ...inputData } });

/** The only page of a list. */
const list = (name: EndpointName, ...data: object[]) => toResponse(name, 200, { data, next_cursor: null });

test('a message is sent with the four specified fields', async () => {
  const body = {
    channel: 'whatsapp',
    to: '+12025550123',
    template: 'parcel_out_for_delivery',
    variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
  };
  service()
    .post('/v1/messages', body)
    .reply(202, toResponse('sendMessage', 202, message.sample));
  await expect(run('creates.send_message.operation.perform', body)).resolves.toMatchObject(message.sample);
});

test('messages are listed by direction, status and channel', async () => {
  allowWebhooks();
  service()
    .get('/v1/messages')
    .query({ direction: 'outbound', status: 'delivered,read,failed', channel: 'sms', limit: '100' })
    .reply(200, list('listMessages', events['message.read'].sample));
  const inputData = { channel: 'sms' };
  await expect(run('triggers.message_status_updated.operation.performList', inputData)).resolves.toEqual([]);
});

test('a contact is created with its fields by name', async () => {
  const body = {
    phone: '+12025550123',
    first_name: 'Noor',
    consent: 'opted_in',
    tags: ['vip'],
    attributes: { floor: '3' },
  };
  service()
    .post('/v1/contacts', { ...Object(encode(endpoints.createContact, { body }, exampleConnection).body) })
    .reply(201, toResponse('createContact', 201, contact.sample));
  await expect(run('creates.create_contact.operation.perform', body)).resolves.toEqual(reachable(contact.sample));
});

test('contacts are listed in pages', async () => {
  service()
    .get('/v1/contacts')
    .query({ phone: '+12025550123', limit: '100' })
    .reply(200, toResponse('listContacts', 200, { data: [contact.sample], next_cursor: 'more' }))
    .get('/v1/contacts')
    .query({ phone: '+12025550123', limit: '100', after: 'more' })
    .reply(200, list('listContacts'));
  const inputData = { phone: '+12025550123' };
  await expect(run('searches.find_contact.operation.perform', inputData)).resolves.toEqual([reachable(contact.sample)]);
});

test('a conversation has its messages behind its own path', async () => {
  const path = `/v1/conversations/${conversation.sample.id}`;
  service()
    .get(path)
    .reply(200, toResponse('getConversation', 200, conversation.sample));
  service().get(`${path}/messages`).query({ limit: '50' }).reply(200, list('listConversationMessages', message.sample));
  const inputData = { conversation: conversation.sample.id };
  await expect(run('searches.find_conversation_history.operation.perform', inputData)).resolves.toMatchObject([
    { ...conversation.sample, messages: [message.sample] },
  ]);
});

test('campaigns are found by name', async () => {
  service()
    .get('/v1/campaigns')
    .query({ query: 'Summer', limit: '100' })
    .reply(200, list('listCampaigns', campaign.sample));
  const inputData = { name: 'Summer' };
  await expect(run('searches.find_campaign.operation.perform', inputData)).resolves.toEqual([campaign.sample]);
});

test('a campaign is started behind its own path', async () => {
  service()
    .get('/v1/campaigns/cmp_5Jc1Fy')
    .reply(200, toResponse('getCampaign', 200, { ...campaign.sample, template: null }))
    .post('/v1/campaigns/cmp_5Jc1Fy/trigger', { to: '+12025550123', variables: {} })
    .reply(202, toResponse('triggerCampaign', 202, campaignRun.sample));
  const inputData = { campaign: 'cmp_5Jc1Fy', audience: 'one', to: '+12025550123' };
  await expect(run('creates.start_campaign.operation.perform', inputData)).resolves.toMatchObject(campaignRun.sample);
});

test('a template is read by its name and channel, in every language', async () => {
  // Without the template that each test has.
  nock.cleanAll();
  service()
    .get('/v1/templates')
    .query({ name: template.sample.name, channel: 'whatsapp', limit: '100' })
    .reply(200, list('listTemplates', template.sample));
  const fields = await run('creates.send_message.operation.inputFields', {
    channel: 'whatsapp',
    template: template.sample.name,
  });
  expect(fields).toContainEqual(expect.objectContaining({ key: 'variable_parcel_id' }));
});

test('channels are listed', async () => {
  service().get('/v1/channels?limit=100').reply(200, list('listChannels', channel.sample));
  await expect(run('creates.send_message.operation.inputFields.0.choices.perform')).resolves.toMatchObject({
    results: [{ id: channel.sample.key }],
  });
});

test('the workspace tests the connection', async () => {
  service()
    .get('/v1/workspace')
    .reply(200, toResponse('getWorkspace', 200, workspace.sample));
  await expect(run('authentication.test')).resolves.toEqual(testedAccount);
});

test('a webhook is created with its events and filters', async () => {
  const url = 'https://hooks.example.com/1/';
  const body = { url, events: ['message.received'], filters: { channel: ['sms'] } };
  service()
    .post('/v1/webhooks', body)
    .reply(201, toResponse('createWebhook', 201, webhook.sample));
  const bundle = { authData, inputData: { channel: 'sms' }, targetUrl: url };
  await expect(runStep('triggers.message_received.operation.performSubscribe', bundle)).resolves.toEqual({
    id: webhook.sample.id,
    secret: webhook.sample.secret,
  });
});

test.each(['Thu, 01 Jan 2099 00:00:00 GMT', '2099-01-01 00:00:00Z', '2099-01-01T01:00+01:00'])(
  'a webhook that expires at %j is renewed at that moment',
  async (expires_at) => {
    service()
      .post('/v1/webhooks')
      .reply(201, toResponse('createWebhook', 201, { ...webhook.sample, expires_at }));
    const bundle = { authData, targetUrl: 'https://hooks.example.com/1/' };
    const path = 'triggers.message_received.operation.performSubscribe';
    await expect(runStep(path, bundle)).resolves.toHaveProperty('expiration_date', '2099-01-01T00:00:00.000Z');
  },
);

test('an error has a code and a message', async () => {
  const error = { code: 'contact_exists', message: 'Exists', existing_id: 'con_7' };
  service().post('/v1/contacts').reply(409, { error, request_id: 'req_1' });
  await expect(run('creates.create_contact.operation.perform', { email: 'a@example.com' })).rejects.toThrow('(con_7)');
});

test('an event is signed as Standard Webhooks says, checked by its reference library', async () => {
  const { sample } = events['message.received'];
  const event = {
    id: 'evt_1',
    type: 'message.received',
    created_at: '2026-06-11T09:40:12Z',
    data: toWire(message.schema, sample),
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

test('an event with an empty id alone makes no request, since that would list records', async () => {
  const content = JSON.stringify({ ...deliveryOf('message.received'), data: { id: ' ' } });
  const rawRequest = { method: 'POST' as const, querystring: '', content, headers: signedHeaders(content) };
  const bundle = { authData, subscribeData, rawRequest };
  await expect(runStep('triggers.message_received.operation.perform', bundle)).rejects.toThrow(
    "sent something that this Zap can't read",
  );
});

test('a list of events loses none when one of them is read only at the second try', async () => {
  const kept = new Map<unknown, unknown>();
  const { stop } = serveRpc(({ method, params: [key, value] }) =>
    method === 'zcache_set' ? !kept.has(key) && Boolean(kept.set(key, value)) : (kept.get(key) ?? null),
  );
  const { sample } = events['message.received'];
  const later = { ...sample, id: 'msg_2' };
  const thin = { ...deliveryOf('message.received'), data: { id: later.id } };
  const content = JSON.stringify([toPayload(deliveryOf('message.received')), thin]);
  const rawRequest = { method: 'POST' as const, querystring: '', content, headers: signedHeaders(content) };
  const receive = async () => {
    const tester = Object.assign(createAppTester(app), { zcacheTestObj: undefined });
    const bundle = { authData, subscribeData, rawRequest };
    return tester(findPerform('triggers.message_received.operation.perform'), bundle);
  };
  service().get('/v1/messages/msg_2').reply(429, {});
  await expect(receive()).resolves.toEqual([triggered(sample)]);
  service()
    .get('/v1/messages/msg_2')
    .reply(200, toResponse('getMessage', 200, later));
  await expect(receive()).resolves.toEqual([triggered(later)]);
  stop();
});

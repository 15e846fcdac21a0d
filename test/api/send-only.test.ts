/** A service that has only the call that the specification fixes: the send. */
import app from '../../src';
import type { Missing } from '../../src/api/endpoints';
import { authData, expectCall } from '../support/service';
import { runStep } from '../support/zapier';

jest.mock('../../src/api/service', () => {
  const { contract } = jest.requireActual<typeof import('../../src/api/presets')>('../../src/api/presets');
  const contacts = ['listContacts', 'createContact', 'getContact', 'updateContact', 'deleteContact'] as const;
  const messages = [
    'listMessages',
    'getMessage',
    'listConversations',
    'getConversation',
    'listConversationMessages',
  ] as const;
  const campaigns = ['listCampaigns', 'getCampaign', 'triggerCampaign'] as const;
  const webhooks = ['createWebhook', 'listWebhooks', 'deleteWebhook'] as const;
  const others = ['getWorkspace', 'listChannels', 'listTemplates'] as const;
  const missing: Missing = {
    calls: [...contacts, ...messages, ...campaigns, ...webhooks, ...others],
    ...{ events: [], filters: [], fields: [] },
  };
  return { ...contract, keepsIdempotencyKeys: true, missing };
});

const body = { channel: 'whatsapp', template: 'order_shipped', to: '+12025550123', variables: { order: '1042' } };

test('the app has one action, and nothing that reads', () => {
  const { triggers, creates, searches, searchOrCreates } = app;
  expect([triggers, creates, searches, searchOrCreates].map((each) => Object.keys(each ?? {}))).toEqual([
    [],
    ['send_message'],
    [],
    [],
  ]);
});

test('the account is labeled by its host, by no request', async () => {
  await expect(runStep('authentication.test', { authData })).resolves.toEqual({ name: 'api.example.com' });
});

test('the form takes a typed template, and its variables by name', async () => {
  const inputData = { channel: body.channel, template: body.template };
  const fields = app.creates.send_message?.operation.inputFields ?? [];
  const typed = fields.filter((field) => 'key' in field && ['channel', 'template'].includes(field.key));
  expect(typed).toEqual([
    expect.not.objectContaining({ choices: expect.anything() }),
    expect.not.objectContaining({ choices: expect.anything() }),
  ]);
  const form = await runStep('creates.send_message.operation.inputFields', { authData, inputData });
  expect(form).toContainEqual(expect.objectContaining({ key: 'variables', dict: true }));
});

test('a message is sent by one request', async () => {
  expectCall('sendMessage', { body }).reply(202, { id: 'msg_1', status: 'queued' });
  await expect(runStep('creates.send_message.operation.perform', { authData, inputData: body })).resolves.toMatchObject(
    { id: 'msg_1', already_sent: false },
  );
});

/** A service that has only the call that the specification fixes: the send. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import nock from 'nock';
import { project } from '../../lab/cli/environment';
import { runConformance } from '../../lab/conformance/test/adapting/copy';
import { withServer } from '../../lab/conformance/test/server';
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

const optedOut = '+12025550124';

/** The service: it keeps keys, and refuses to write to somebody who has opted out. */
const service = (): RequestListener => {
  const ids = new Map<unknown, string>();
  return async (request, response) => {
    const { to } = Object(await json(request));
    const key = request.headers['idempotency-key'];
    const isRepeat = ids.has(key);
    ids.set(key, ids.get(key) ?? `msg_${ids.size}`);
    const isRefused = to === optedOut;
    const answer = isRefused
      ? { error: { code: 'recipient_opted_out', message: 'No' } }
      : { id: ids.get(key), status: 'queued' };
    response.setHeader('idempotent-replayed', String(isRepeat));
    response.writeHead(isRefused ? 422 : 202, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
};

test('conformance proves the send, the keys and the opt-outs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'send-only-'));
  const message = ['--template', body.template, '--channel', body.channel, '--variables', '{"order":"1042"}'];
  const args = ['--write', '--to', body.to, '--opted-out', optedOut, ...message, '--record', folder];
  nock.enableNetConnect('127.0.0.1');
  const { out, err, code } = await withServer(service(), (url) =>
    runConformance(project, [...args, '--base-url', url], { API_TOKEN: authData.api_token }),
  );
  nock.disableNetConnect();
  rmSync(folder, { recursive: true });
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toContain("The app's steps (1): send_message.");
});

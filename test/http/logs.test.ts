import { text } from 'node:stream/consumers';
import nock from 'nock';
import { pathPrefix } from '../../src/api/endpoints';
import { message, webhook } from '../../src/api/resources';
import { type LocalServer, listen } from '../../zapier/listen';
import { pathOf } from '../support/calls';
import { authData, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

const token = authData.api_token;
const api = () => nock(authData.base_url);
/** What core sends to Zapier's log. */
const logged: string[] = [];
let logServer: LocalServer;

beforeAll(async () => {
  nock.enableNetConnect('127.0.0.1');
  logServer = await listen(async (request, response) => {
    logged.push(await text(request));
    response.end();
  });
  process.env.LOGGING_ENDPOINT = logServer.url;
  process.env.LOGGING_TOKEN = 'of the log';
});

beforeEach(() => logged.splice(0));

afterAll(async () => {
  delete process.env.LOGGING_ENDPOINT;
  delete process.env.LOGGING_TOKEN;
  await logServer.stop();
});

/** What a step returned or threw, and what core logged of it. */
const everythingOf = async (path: string, bundle: Parameters<typeof runStep>[1]): Promise<string> => {
  const result = await runStep(path, bundle).catch((error: Error) => `${error.name}: ${error.message}`);
  expect(logged.join('\n')).toContain(`https://api.example.com${pathPrefix}/`);
  return `${JSON.stringify(result)}\n${logged.join('\n')}`;
};

describe.each([
  ['as it is', token],
  ['with Bearer in front', `Bearer ${token}`],
  ['with a header name in front', `Authorization: Bearer ${token}`],
  ['with spaces around it', `  ${token} `],
  ['with a line break in it', `${token.slice(0, 8)}\n${token.slice(8)}`],
  ['with invisible characters', `\u200b${token.slice(0, 5)}\u00ad${token.slice(5)}\ufeff`],
])('a token pasted %s', (_how, api_token) => {
  const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123' };
  const escaped = token.replace(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

  test.each<[string, number, string]>([
    ['result', 202, toResponse('sendMessage', 202, { ...message.sample, text: token, [token]: 1 })],
    ['refusal', 422, toResponse('sendMessage', 422, { error: { code: 'validation_failed', message: `No ${token}` } })],
    ['refusal with escapes', 422, `{"error": {"code": "validation_failed", "message": "No ${escaped}"}}`],
    ['failure', 500, `${token} is <b>wrong</b>`],
  ])('is in no message, result or log when a %s echoes it', async (_what, status, body) => {
    api()
      .post(pathOf('sendMessage'))
      .reply(status, body, { 'x-request-id': token, 'x-echo': `token=${token}` });
    const everything = await everythingOf('creates.send_message.operation.perform', {
      authData: { ...authData, api_token },
      inputData,
    });
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(escaped);
  });
});

test.each([
  ['is cut off', toResponse('createWebhook', 201, webhook.sample).slice(0, -2)],
  ['is not JSON', `secret=${webhook.sample.secret}`],
  ['is whole', toResponse('createWebhook', 201, webhook.sample)],
])('the secret of a webhook is in no log when the response that carries it %s', async (_how, body) => {
  api().post(pathOf('createWebhook')).times(3).reply(201, body);
  await everythingOf('triggers.message_received.operation.performSubscribe', {
    authData,
    targetUrl: 'https://example.com/',
  });
  expect(logged.join('\n')).not.toContain(webhook.sample.secret);
  nock.cleanAll();
});

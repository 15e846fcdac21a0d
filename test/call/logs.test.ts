import { text } from 'node:stream/consumers';
import nock from 'nock';
import { type LocalServer, listen } from '../../lab/zapier/listen';
import { pathPrefix } from '../../src/api/endpoints';
import { webhook } from '../../src/api/resources';
import { tokenScrubber } from '../../src/call/connection';
import { pathOf } from '../support/calls';
import { authData, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

describe('logs', () => {
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

  test('a token that was pasted with other signs is in no message, result or log when the service echoes it', async () => {
    const echoed = toResponse({ error: { code: 'validation_failed', message: `No ${token}` } });
    api()
      .post(pathOf('sendMessage'))
      .reply(422, echoed, { 'x-request-id': token, 'x-echo': `token=${token}` });
    const everything = await everythingOf('creates.send_message.operation.perform', {
      authData: { ...authData, api_token: `\u200b${token.slice(0, 5)}\n${token.slice(5)}\ufeff` },
      inputData: { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+12025550123' },
    });
    expect(everything).not.toContain(token);
  });

  test.each([
    ['is cut off', toResponse(webhook.sample).slice(0, -2)],
    ['is whole', toResponse(webhook.sample)],
  ])('the secret of a webhook is in no log when the response that carries it %s', async (_how, body) => {
    api().post(pathOf('createWebhook')).times(3).reply(201, body);
    await everythingOf('triggers.message_received.operation.performSubscribe', {
      authData,
      targetUrl: 'https://example.com/',
    });
    expect(logged.join('\n')).not.toContain(webhook.sample.secret);
    nock.cleanAll();
  });
});

describe('the token', () => {
  test.each(['', '1234567'])('a token that no connection can have (%j) removes nothing', (token) => {
    expect(tokenScrubber(token)('order a 1 2 3 4 5 6 7')).toBe('order a 1 2 3 4 5 6 7');
  });

  test('a token of a connection is removed', () => {
    expect(tokenScrubber('12345678')('No 12345678')).toBe('No …');
    expect(tokenScrubber('12345678')('No 1234 5678')).toBe('…');
  });
});

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import nock from 'nock';
import { runStep } from '../playground/zapier';
import { message } from '../src/api/resources';
import { authData, recordSends, service } from './service';

const serve = async (listener: RequestListener) => {
  nock.enableNetConnect('127.0.0.1');
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
};

afterEach(() => nock.disableNetConnect());

const send = (inputData: Record<string, unknown> = {}, connection: Record<string, string> = authData) =>
  runStep('creates.send_message.operation.perform', {
    authData: connection,
    inputData: { channel: 'whatsapp', template: 'hello', to: '+31612345678', ...inputData },
  });

const testConnection = (connection = authData) => runStep('authentication.test', { authData: connection });

const listMessages = () => runStep('triggers.message_received.operation.performList', { authData });

describe('a request', () => {
  test('carries the token, the specified headers and nothing empty', async () => {
    const sent = recordSends(202, message.sample);
    await send({ variables: { a: '', b: '  ', c: null }, deduplication_key: ' ' });
    expect(sent[0]?.body).toEqual({ channel: 'whatsapp', to: '+31612345678', template: 'hello' });
    expect(sent[0]?.headers).toMatchObject({
      authorization: `Bearer ${authData.api_token}`,
      'content-type': 'application/json',
    });
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test.each(['Hello {{name}}', '{{bundle.inputData.to}}', '{{process.env.PATH}}', '{{{{', '}} {{ "quoted" \\ {{'])(
    'keeps double braces in what people write: %j',
    async (text) => {
      const sent = recordSends(202, message.sample);
      await send({ variables: { note: text } });
      expect(sent[0]?.body).toMatchObject({ variables: { note: text } });
    },
  );

  test('keeps double braces in a query too', async () => {
    const asked = service()
      .get('/v1/messages')
      .query({ direction: 'inbound', channel: '{{x}} & {{bundle.y}}', limit: '100' });
    asked.reply(200, { data: [], next_cursor: null });
    const inputData = { channel: '{{x}} & {{bundle.y}}' };
    await expect(runStep('triggers.message_received.operation.performList', { authData, inputData })).resolves.toEqual(
      [],
    );
  });

  test('goes to the path of the base address', async () => {
    nock('https://example.com').get('/messaging/v1/workspace').reply(200, { id: 'ws_1', name: 'A' });
    await expect(testConnection({ ...authData, base_url: 'example.com/messaging/v1/' })).resolves.toMatchObject({
      id: 'ws_1',
    });
  });
});

describe('an answer', () => {
  test('keeps fields that the contract does not know and turns numeric ids into texts', async () => {
    recordSends(200, { id: 12345, conversation_id: 67, status: 'teleported', shoe_size: 43 });
    await expect(send()).resolves.toEqual({ id: '12345', conversation_id: '67', status: 'teleported', shoe_size: 43 });
  });

  test('that is HTML says in words that it is not agreed', async () => {
    service().persist().get('/v1/workspace').reply(200, '<html><h1>Welcome</h1></html>', { 'x-request-id': 'req_9' });
    await expect(testConnection()).rejects.toThrow(
      'answered in a way that is not agreed (not the expected JSON). Try again later. If it stays, check the API Base URL of the account. (Request ID: req_9)',
    );
  });

  test('to a send that cannot be read says that it may have been sent', async () => {
    recordSends(202, '{"id": "msg_');
    await expect(send()).rejects.toThrow('It may have been carried out all the same: check before you try again.');
  });

  test('without what identifies a record names the place', async () => {
    service()
      .get('/v1/messages')
      .query(true)
      .reply(200, { data: [{ id: 'msg_1' }, { text: 'hello' }] });
    await expect(listMessages()).rejects.toThrow('(see \\"data.1.id\\")');
  });

  test.each([
    [429, { 'retry-after': '17' }, 17],
    [429, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }, expect.closeTo(90, -1)],
    [429, { 'retry-after': 'soon' }, 30],
    [429, {}, 30],
  ])('of %i with %j makes Zapier wait %s seconds', async (status, headers, delay) => {
    service()
      .get('/v1/workspace')
      .reply(status, { error: { code: 'rate_limited', message: 'Slow down' } }, headers);
    const error = await testConnection().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'ThrottledError' });
    expect(JSON.parse(String(error instanceof Error && error.message))).toEqual({
      message: 'The messaging service is receiving too many requests. The step is tried again after a pause.',
      delay,
    });
  });

  test.each([
    [401, 'ExpiredAuthError', 'Create a new API token'],
    [403, 'AppError', 'Check the fields of this step and the rights of the API token'],
    [404, 'AppError', 'API Base URL: the messaging service does not answer at this address.'],
    [422, 'HaltedError', 'did not accept the input'],
    [500, 'AppError', 'This is not the fault of your Zap'],
    [302, 'AppError', 'redirect to another address'],
  ])('of %i with HTML is an error of class %s', async (status, name, words) => {
    service()
      .persist()
      .get('/v1/workspace')
      .reply(status, '<html>no</html>', { location: 'https://evil.example.com/' });
    await expect(testConnection()).rejects.toMatchObject({ name, message: expect.stringContaining(words) });
  });

  test('that echoes the token does not show it', async () => {
    recordSends(422, { error: { code: 'validation_failed', message: `What is ${authData.api_token}?` } });
    const error = await send().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('What is …?') });
  });

  test('that echoes the token as its request id does not show it', async () => {
    service().persist().get('/v1/workspace').reply(500, {}, { 'x-request-id': authData.api_token });
    const error = await testConnection().catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.not.stringContaining(authData.api_token) });
  });

  test('of an error adds nothing of the request, the answer or the log to the sentence', async () => {
    recordSends(422, { error: { code: 'template_not_found', message: 'No such template' } });
    await expect(send()).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'There is no template with this name on this channel, so nothing was sent. Check Template and Channel; capital letters count.',
    });
  });
});

describe('the token', () => {
  test('is not sent on by a redirect, not even to the same host', async () => {
    const asked: (string | undefined)[] = [];
    const host = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow('redirect to another address');
    expect(asked).toEqual(['/v1/workspace']);
    host.stop();
  });

  test('is not needed to say that nobody answers', async () => {
    const host = await serve(() => undefined);
    host.stop();
    await expect(testConnection({ ...authData, base_url: host.url })).rejects.toThrow(
      'The messaging service could not be reached, or broke off its answer. Try again later.',
    );
  });
});

describe('an answer that breaks off', () => {
  /** Breaks off the first answer in the middle, and gives the others whole. */
  const breakFirst = async (head: Record<string, number>) => {
    const seen = { requests: 0 };
    const host = await serve((_request, response) => {
      seen.requests += 1;
      if (seen.requests > 1) return response.writeHead(200).end(JSON.stringify({ data: [message.sample] }));
      response.writeHead(200, head).write('{"data":[', () => setImmediate(() => response.destroy()));
    });
    return { ...host, seen };
  };

  test.each([
    ['of a known length', { 'content-length': 500 }],
    ['in pieces', {}],
  ])('%s is asked for again', async (_how, head) => {
    const { url, stop, seen } = await breakFirst(head);
    const connection = { ...authData, base_url: url };
    const step = runStep('searches.find_contact.operation.perform', {
      authData: connection,
      inputData: { email: 'noor@example.com' },
    });
    await expect(step).resolves.toHaveLength(1);
    expect(seen.requests).toBe(2);
    stop();
  });

  test('ends a send, which is not repeated without a key', async () => {
    const { url, stop, seen } = await breakFirst({ 'content-length': 500 });
    await expect(send({}, { ...authData, base_url: url })).rejects.toThrow('broke off its answer. It may have been');
    expect(seen.requests).toBe(1);
    stop();
  });
});

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import nock from 'nock';
import { runStep } from '../../playground/zapier';
import { endpoints } from '../../src/api/endpoints';
import { contact, conversation, message, webhook, workspace } from '../../src/api/resources';
import { authData, expectCall, pathOf, toResponse } from '../service';

const read = () => runStep('authentication.test', { authData });
const send = (inputData: Record<string, unknown> = {}) =>
  runStep('creates.send_message.operation.perform', {
    authData,
    inputData: { channel: 'whatsapp', template: 'hello', to: '+12025550123', ...inputData },
  });

const reading = () => expectCall('getWorkspace').interceptor;
const sending = () => expectCall('sendMessage').interceptor;
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

describe('a read', () => {
  // In parallel, because each waits between retries.
  test('is retried twice when the service fails, times out or breaks off', async () => {
    const answers: [status: number, body: string][] = [
      [500, '<html>'],
      [408, '{"error": {"code": "not_found"}}'],
      [425, ''],
      [500, '{"error": {"code": "validation_failed"}}'],
      [200, '{"id": "ws_'],
    ];
    const reads = answers.map(([status, body], index) => {
      const base_url = `https://api-${index}.example.com`;
      const interceptor = () => nock(base_url).intercept(pathOf('getWorkspace'), endpoints.getWorkspace.method);
      interceptor().twice().reply(status, body);
      interceptor().reply(200, toResponse('getWorkspace', 200, workspace.sample));
      return runStep('authentication.test', { authData: { ...authData, base_url } });
    });
    const repeated = { status: 'fulfilled', value: workspace.sample };
    expect(await Promise.allSettled(reads)).toEqual(answers.map(() => repeated));
  });

  test('is given up after three tries, with the request id of the last', async () => {
    reading().times(3).reply(503, '<html>', { 'x-request-id': 'req_3' });
    await expect(read()).rejects.toThrow('The messaging service failed (status 503).');
    reading().times(3).replyWithError(reset);
    await expect(read()).rejects.toThrow("couldn't be reached, or its response broke off. Try again later.");
  });

  test.each([400, 401, 403, 404, 429])('is not tried again when the service answers %i', async (status) => {
    reading().reply(status, {});
    await expect(read()).rejects.toBeInstanceOf(Error);
  });
});

describe('a send', () => {
  test.each([
    ['answers 500', () => sending().reply(500, '<html>')],
    ['answers half a JSON', () => sending().reply(202, '{"id": "msg_')],
    ['answers 503', () => sending().reply(503, '<html>')],
    ['breaks off', () => sending().replyWithError(reset)],
  ])('without a Deduplication Key is never repeated when the service %s', async (_what, fault) => {
    fault();
    await expect(send()).rejects.toThrow('The request may have succeeded. Check before you try again.');
  });

  test('with a Deduplication Key is repeated with that key', async () => {
    const keys: unknown[] = [];
    const remember = function (this: nock.ReplyFnContext): [number, string] {
      keys.push(this.req.headers['idempotency-key']);
      return [keys.length < 3 ? 503 : 202, toResponse('sendMessage', 202, message.sample)];
    };
    sending().times(3).reply(remember);
    await expect(send({ deduplication_key: 'order 1' })).resolves.toMatchObject({ id: message.sample.id });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], keys[0]]);
  });

  test.each([400, 409, 422, 429])('with a key is not repeated when the service answers %i', async (status) => {
    sending().reply(status, {});
    await expect(send({ deduplication_key: 'order 1' })).rejects.toBeInstanceOf(Error);
  });
});

test.each([
  ['delete', 'deleteContact', 'delete_contact', { contact: '101' }],
  ['change', 'updateContact', 'update_contact', { contact: '101', first_name: 'X' }],
] as const)('a %s is never repeated', async (_what, call, key, inputData) => {
  expectCall(call, { id: '101' }).reply(503, '<html>');
  await expect(runStep(`creates.${key}.operation.perform`, { authData, inputData })).rejects.toThrow(
    'failed (status 503)',
  );
});

describe('a slow service', () => {
  let address: string;
  let asked: string[];
  let waiting: { url: string; response: ServerResponse }[];
  let wake: () => void;
  const server = createServer((request, response) => {
    asked.push(`${request.url}`);
    waiting.push({ url: `${request.url}`, response });
    wake();
  });

  const nextRequest = async () => {
    if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const next = waiting.shift();
    if (!next) throw new Error('No request came.');
    return next;
  };

  beforeAll(async () => {
    nock.enableNetConnect('127.0.0.1');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const bound = server.address();
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  });

  beforeEach(() => {
    [asked, waiting, wake] = [[], [], () => undefined];
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });

  afterEach(() => jest.useRealTimers());

  afterAll(() => {
    server.closeAllConnections();
    server.close();
    nock.disableNetConnect();
  });

  const connection = () => ({ ...authData, base_url: address });

  test('ends a step with a sentence after 25 s, before Zapier would end it', async () => {
    const step = runStep('authentication.test', { authData: connection() });
    const told = expect(step).rejects.toThrow("The messaging service didn't respond in time. Try again later.");
    await nextRequest();
    jest.advanceTimersByTime(25_000);
    await told;
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['nothing', () => undefined],
    [
      'half of a response of a known length',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 500 }).write('{"id":', () => response.destroy());
      },
    ],
  ])('that sends %s is asked again after 10 s', async (_what, respond) => {
    const step = runStep('authentication.test', { authData: connection() });
    respond((await nextRequest()).response);
    jest.advanceTimersByTime(10_000);
    (await nextRequest()).response.end(toResponse('getWorkspace', 200, workspace.sample));
    await expect(step).resolves.toEqual(workspace.sample);
  });

  test('that does not answer a send is told as one that may have sent it', async () => {
    const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123', deduplication_key: 'order 1' };
    const step = runStep('creates.send_message.operation.perform', { authData: connection(), inputData });
    const told = expect(step).rejects.toThrow("didn't respond in time. The request may have succeeded");
    await nextRequest();
    jest.advanceTimersByTime(25_000);
    await told;
    expect(asked).toHaveLength(1);
  });

  test('gives a send without retries the whole time of the step', async () => {
    const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123' };
    const step = runStep('creates.send_message.operation.perform', { authData: connection(), inputData });
    const { response } = await nextRequest();
    jest.advanceTimersByTime(20_000);
    response.writeHead(202).end(toResponse('sendMessage', 202, message.sample));
    await expect(step).resolves.toMatchObject({ id: message.sample.id });
    expect(asked).toHaveLength(1);
  });

  test('begins no send without 5 s left', async () => {
    const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123', variable_time: '2:30 pm' };
    const step = runStep('creates.send_message.operation.perform', { authData: connection(), inputData });
    const told = expect(step).rejects.toThrow("The messaging service is too slow, so this step didn't start");
    const { response } = await nextRequest();
    jest.advanceTimersByTime(9_000);
    response.writeHead(503).end();
    const second = await nextRequest();
    jest.advanceTimersByTime(9_000);
    second.response.writeHead(503).end();
    const third = await nextRequest();
    jest.advanceTimersByTime(2_500);
    third.response.end(toResponse('getTemplate', 200, { name: 'hello' }));
    await told;
    expect(asked).toEqual(Array(3).fill(pathOf('getTemplate', { name: 'hello' })));
  });

  test('leaves time to stop watching for a reply to a send that hung', async () => {
    const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123' };
    const step = runStep('creates.send_message_and_wait.operation.perform', { authData: connection(), inputData });
    const told = expect(step).rejects.toThrow("didn't respond in time.");
    (await nextRequest()).response.end(
      toResponse('createWebhook', 201, { ...webhook.sample, id: '501', filters: { from: ['+12025550123'] } }),
    );
    await nextRequest();
    jest.advanceTimersByTime(25_000);
    const { response } = await nextRequest();
    jest.advanceTimersByTime(2_000);
    response.writeHead(204).end();
    await told;
    expect(asked).toEqual([pathOf('createWebhook'), pathOf('sendMessage'), pathOf('deleteWebhook', { id: '501' })]);
  });

  test('has 25 s for all requests of a step together', async () => {
    const inputData = { phone: '+12025550123' };
    const step = runStep('searches.find_conversation.operation.perform', { authData: connection(), inputData });
    const told = expect(step).rejects.toThrow("didn't respond in time.");
    const lists = [
      toResponse('listContacts', 200, { data: [contact.sample], next_cursor: null }),
      toResponse('listConversations', 200, { data: [conversation.sample], next_cursor: null }),
    ];
    for (const list of lists) {
      const { response } = await nextRequest();
      jest.advanceTimersByTime(10_000);
      response.end(list);
    }
    await nextRequest();
    jest.advanceTimersByTime(5_000);
    await told;
    expect(asked).toHaveLength(3);
  });
});

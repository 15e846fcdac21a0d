import nock from 'nock';
import { runStep } from '../../playground/zapier';
import { endpoints } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { message, webhook } from '../../src/api/resources';
import { exampleMinutes, exampleReplyTo, replySample } from '../../src/formats/example-reply';
import { deliveryOf, toPayload } from '../deliveries';
import { authData, expectCall, recordCalls, recordSends, toResponse } from '../service';

type Bundle = Parameters<typeof runStep>[1];

const run = (name: string, bundle: Bundle = {}) =>
  runStep(`creates.send_message_and_wait.operation.${name}`, { authData, ...bundle });

const inputData = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+1 202 555 0123' };
const send = (bundle: Bundle = {}) => run('perform', { inputData, ...bundle });

const watch = { ...webhook.sample, id: '501', filters: { from: ['+12025550123'] } };
const sent = { ...message.sample, created_at: '2026-06-11T09:00:00Z' };
const reply = { ...events['message.received'].sample, created_at: '2026-06-11T09:11:40Z' };
const stranger = { ...reply, from: '+12025550145', contact: { id: '102', phone: '+12025550145' } };
const outputData = { sent, recipient: '+12025550123', webhook_id: '501' };
const cleanedRequest = toPayload(deliveryOf('message.received', reply));
const resume = (bundle: Bundle = {}) => run('performResume', { inputData, outputData, cleanedRequest, ...bundle });

const answerReply = (status = 200, body: object = reply) =>
  expectCall('getMessage', { id: reply.id }).reply(status, body);
const expectTidied = (status = 204) => expectCall('deleteWebhook', { id: '501' }).reply(status);

describe('sending', () => {
  test.each([[['+12025550123']], [['12025550123']], ['+1 202 555 0123']])(
    'watches for this contact alone before it sends, however the service writes its filter: %j',
    async (from) => {
      const asked = recordCalls('createWebhook', {}, 201, { ...watch, filters: { from } });
      recordCalls('sendMessage', {}, 202, sent, asked);
      await expect(send()).resolves.toMatchObject({
        sent: { id: sent.id },
        recipient: '+12025550123',
        webhook_id: '501',
      });
      expect(asked.map(({ call }) => call)).toEqual(['createWebhook', 'sendMessage']);
      expect(asked[0]?.body).toEqual({
        url: expect.stringMatching(/^https:\/\//),
        events: ['message.received'],
        filters: { from: ['+12025550123'] },
      });
    },
  );

  test.each([
    [422, 'HaltedError'],
    [429, 'ThrottledError'],
    [500, 'AppError'],
  ])('that fails with %i stops watching and tells why the send failed', async (status, name) => {
    expectCall('createWebhook').reply(201, watch);
    recordSends(status, { error: { code: status === 422 ? 'recipient_opted_out' : 'other', message: 'No' } });
    expectTidied();
    await expect(send()).rejects.toMatchObject({ name });
  });

  test('that fails tells why also when the watch cannot be removed', async () => {
    expectCall('createWebhook').reply(201, watch);
    recordSends(422, { error: { code: 'recipient_opted_out', message: 'No' } });
    expectTidied(500);
    await expect(send()).rejects.toThrow('Phone Number: this person has opted out of messages, so nothing was sent.');
  });

  test('does not happen when nobody can watch, and says which plan is needed', async () => {
    const error = { code: 'plan_required', message: 'Upgrade', required_plan: 'advanced' };
    expectCall('createWebhook').reply(403, { error });
    await expect(send()).rejects.toThrow('need the Advanced plan');
  });

  test.each([
    { filters: null },
    { filters: {} },
    { filters: { from: [] } },
    { filters: { from: ['+12025550187', '+12025550123'] } },
  ])('does not happen when the service would end the wait for anybody: %j', async (created) => {
    expectCall('createWebhook').reply(201, { ...watch, ...created });
    expectTidied();
    await expect(send()).rejects.toThrow("can't wait for replies from one person, so nothing was sent");
  });

  test('does not happen when the service fails to create the watch, and says that nothing was sent', async () => {
    expectCall('createWebhook').reply(201, {});
    await expect(send()).rejects.toThrow('(see \\"id\\"). No message was sent. Try again later.');
  });

  test('does not begin with less than five seconds left', async () => {
    const start = Date.now();
    const now = jest.spyOn(Date, 'now').mockImplementation(() => start);
    expectCall('createWebhook').interceptor.reply(201, () => {
      now.mockImplementation(() => start + 20_500);
      return toResponse('createWebhook', 201, watch);
    });
    expectTidied();
    await expect(send()).rejects.toThrow('Nothing was sent. Try again later');
    now.mockRestore();
  });

  test('in a test of the editor sends to the tester, does not watch, and returns an example reply for the next steps', async () => {
    const sends = recordSends(202, sent);
    const test = { inputData: { ...inputData, test_recipient: '+12025550187' }, meta: { isLoadingSample: true } };
    await expect(send(test)).resolves.toMatchObject({
      reply_text: replySample.text,
      minutes_to_reply: exampleMinutes,
      reply: { id: replySample.id, direction: 'inbound', from: '+12025550187' },
      sent: { id: sent.id },
    });
    expect(sends[0]?.body).toMatchObject({ to: '+12025550187' });
  });
});

test('the example reply comes 12 minutes after the message, in its conversation', () => {
  expect(exampleReplyTo(sent)).toEqual({ ...replySample, created_at: '2026-06-11T09:12:00.000Z' });
  const { contact, from: to } = stranger;
  const other = { contact, conversation_id: '205', channel: 'sms', created_at: 'soon' };
  expect(exampleReplyTo({ ...sent, ...other, to })).toEqual({ ...replySample, ...other, from: to });
});

describe('the reply', () => {
  test('goes on with its text, the minutes it took, and the whole message, and stops watching', async () => {
    answerReply();
    expectTidied();
    await expect(resume()).resolves.toEqual({ reply_text: reply.text, minutes_to_reply: 12, reply, sent });
  });

  test('that comes twice gives the same twice', async () => {
    for (const status of [204, 404]) {
      answerReply();
      expectTidied(status);
      await expect(resume()).resolves.toMatchObject({ reply_text: reply.text, minutes_to_reply: 12 });
    }
  });

  describe('that comes before Zapier has stored the message', () => {
    const early = { ...reply, created_at: '2026-06-11T09:00:01Z' };
    const answerMessages = (...data: object[]) =>
      expectCall('listMessages', {
        query: { direction: 'outbound', conversation_id: String(reply.conversation_id), limit: 100 },
      }).reply(200, { data });
    const answerWebhooks = (...data: object[]) => expectCall('listWebhooks', { query: {} }).reply(200, { data });
    const createdAgo = (seconds: number) => ({
      ...watch,
      created_at: new Date(Date.now() - seconds * 1000).toISOString(),
    });
    const own = createdAgo(0);
    const other = { ...own, id: '502', filters: { from: ['+12025550187'] } };
    const ofEveryone = { ...own, id: '503', filters: null };

    test('goes on with the message that was just sent, and stops watching', async () => {
      answerReply(200, early);
      answerMessages({ ...sent, id: '302', template: 'other' }, sent);
      answerWebhooks(other, own, ofEveryone, { ...watch, id: '504' });
      expectTidied();
      await expect(resume({ outputData: {} })).resolves.toEqual({
        reply_text: reply.text,
        minutes_to_reply: 0,
        reply: early,
        sent,
      });
    });

    test.each([
      [{ to: '(202) 555-0123' }, 'US'],
      [{ to: '(202) 555-0123', default_country: 'US' }, 'NL'],
    ])(
      'reads %j in the same default country as the send did, however the service writes the number',
      async (local, country) => {
        answerReply(200, early);
        answerMessages({ ...sent, to: '12025550123' });
        answerWebhooks(own);
        expectTidied();
        const bundle = { inputData: { ...inputData, ...local }, authData: { ...authData, default_country: country } };
        await expect(resume({ ...bundle, outputData: {} })).resolves.toMatchObject({ sent: { id: sent.id } });
      },
    );

    test('continues when the service does not list its webhooks', async () => {
      answerReply(200, early);
      answerMessages(sent);
      expectCall('listWebhooks').reply(403, {});
      await expect(resume({ outputData: {} })).resolves.toMatchObject({ sent: { id: sent.id } });
    });

    test('finds the message after an empty page with a cursor', async () => {
      const query = { direction: 'outbound', conversation_id: String(reply.conversation_id), limit: 100 };
      answerReply(200, early);
      expectCall('listMessages', { query }).reply(200, { data: [], next_cursor: 'c1' });
      expectCall('listMessages', { query: { ...query, after: 'c1' } }).reply(200, { data: [sent] });
      answerWebhooks(own);
      expectTidied();
      await expect(resume({ outputData: {} })).resolves.toMatchObject({ sent: { id: sent.id } });
    });

    test('stops watching also when finding the message took all the time of the step', async () => {
      const start = Date.now();
      const now = jest.spyOn(Date, 'now').mockImplementation(() => start);
      answerReply(200, early);
      expectCall('listMessages').interceptor.reply(200, () => {
        now.mockImplementation(() => start + 25_001);
        return toResponse('listMessages', 200, { data: [sent] });
      });
      answerWebhooks(own);
      expectTidied();
      await expect(resume({ outputData: {} })).resolves.toMatchObject({ sent: { id: sent.id } });
      now.mockRestore();
    });

    afterEach(() => Reflect.deleteProperty(endpoints.listWebhooks, 'query'));

    test('finds the webhook to delete on any page with new ones, when the contract has pages', async () => {
      const { query } = endpoints.listConversationMessages;
      Object.assign(endpoints.listWebhooks, { query });
      answerReply(200, early);
      answerMessages(sent);
      expectCall('listWebhooks', { query: { limit: 100 } }).reply(200, { data: [other], next_cursor: 'more' });
      expectCall('listWebhooks', { query: { limit: 100, after: 'more' } }).reply(200, {
        data: [own, watch],
        next_cursor: 'older',
      });
      expectTidied();
      await expect(resume({ outputData: {} })).resolves.toMatchObject({ sent: { id: sent.id } });
    });

    test.each([
      ['has no message before it', []],
      ['is older than the message', [{ ...sent, created_at: '2026-06-11T09:00:02Z' }]],
      ['follows only a message of an earlier run', [{ ...sent, created_at: '2026-06-11T08:00:00Z' }]],
      ['follows only a message to somebody else', [{ ...sent, to: '+12025550187' }]],
    ])('stops the Zap and the watch when it %s', async (_what, messages) => {
      answerReply(200, early);
      answerMessages(...messages);
      answerWebhooks(own);
      expectTidied();
      await expect(resume({ outputData: {} })).rejects.toThrow("wasn't a reply from this contact");
    });

    test('stops the Zap when it is of somebody else', async () => {
      answerReply(200, stranger);
      answerWebhooks();
      await expect(resume({ outputData: {} })).rejects.toThrow("wasn't a reply from this contact");
    });

    test.each([
      ['has waited for the person for longer', [createdAgo(90)]],
      ['may have waited for the person for longer', [{ ...watch, created_at: null }]],
      ['may be one of several for the person', [own, { ...own, id: '504' }]],
    ])('leaves the webhook of a step alone that %s', async (_what, webhooks) => {
      answerReply(200, early);
      answerMessages(sent);
      answerWebhooks(...webhooks);
      const deletion = expectCall('deleteWebhook', { id: '501' }).reply(204);
      await expect(resume({ outputData: {} })).resolves.toMatchObject({ sent: { id: sent.id } });
      expect(deletion.isDone()).toBe(false);
      nock.cleanAll();
    });
  });

  test('with a number for an id is read like any other', async () => {
    expectCall('getMessage', { id: '77' }).reply(200, { ...reply, id: 77 });
    expectTidied();
    const delivered = { ...deliveryOf('message.received', { ...reply, id: 77 }), id: 5, workspace_id: 42 };
    await expect(resume({ cleanedRequest: toPayload(delivered) })).resolves.toMatchObject({ reply: { id: '77' } });
  });

  test('stops its watch at the second try when the first is lost', async () => {
    answerReply();
    expectCall('deleteWebhook', { id: '501' }).interceptor.replyWithError('socket hang up');
    expectTidied();
    await expect(resume()).resolves.toMatchObject({ reply_text: reply.text });
  });

  test('from another number of the same contact goes on', async () => {
    answerReply(200, { ...reply, from: null });
    expectTidied();
    await expect(resume()).resolves.toMatchObject({ reply_text: reply.text });
  });

  test('without a text, such as a picture, has none', async () => {
    answerReply(200, { ...reply, text: null });
    expectTidied();
    await expect(resume()).resolves.toMatchObject({ reply_text: null });
  });

  test('in the same second as the message goes on when only the message has fractions of a second', async () => {
    const quick = { ...reply, created_at: '2026-06-11T09:00:00Z' };
    answerReply(200, quick);
    expectTidied();
    const precise = { ...sent, created_at: '2026-06-11T09:00:00.500Z' };
    await expect(resume({ outputData: { ...outputData, sent: precise } })).resolves.toMatchObject({
      reply: quick,
      minutes_to_reply: 0,
    });
  });

  test('goes on also when its watch cannot be removed', async () => {
    answerReply();
    expectTidied(500);
    expectTidied(500);
    await expect(resume()).resolves.toMatchObject({ reply_text: reply.text });
  });

  test.each([
    [401, 'ExpiredAuthError'],
    [403, 'AppError'],
    [429, 'ThrottledError'],
    [500, 'AppError'],
  ])('that the service cannot confirm (%i) is not believed, and its watch is removed', async (status, name) => {
    expectCall('getMessage', { id: reply.id }).reply(status, {}).persist();
    expectTidied();
    await expect(resume()).rejects.toMatchObject({ name });
  });

  test.each(['12025550123', '+1 202 555 0123'])(
    'goes on however the service wrote down who got the message, or who answers: %j',
    async (number) => {
      answerReply(200, { ...reply, from: number });
      expectTidied();
      await expect(resume({ outputData: { ...outputData, sent: { ...sent, to: number } } })).resolves.toMatchObject({
        reply_text: reply.text,
      });
    },
  );

  test.each<[string, Bundle, object | undefined]>([
    ['that the service does not know', {}, undefined],
    ['of somebody else', {}, stranger],
    ['from nobody in particular', {}, { ...reply, from: null, contact: null }],
    ['from nobody, of another contact', {}, { ...reply, from: null, contact: { id: 'c', phone: '+12025550145' } }],
    ['that is older than the message', {}, { ...reply, created_at: '2026-06-11T08:59:00Z' }],
    ['that we wrote ourselves', {}, { ...sent, id: reply.id }],
    ['that is not the one the payload names', {}, { ...reply, id: 'msg_other' }],
  ])('%s stops the Zap and the watch, with a sentence', async (_what, bundle, known) => {
    answerReply(known ? 200 : 404, known ?? {});
    expectTidied();
    await expect(resume(bundle)).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        "The incoming message wasn't a reply from this contact, so the Zap stopped waiting. Check the conversation in the messaging service.",
    });
  });

  test.each([
    undefined,
    {},
    { data: 'x' },
    deliveryOf('message.delivered', reply),
    { id: 'evt_1', type: 'message.received', data: {} },
    // Rounded, so the id may be of another message.
    deliveryOf('message.received', { ...reply, id: 2 ** 60 }),
  ])('of which nothing can be read stops the Zap and the watch: %j', async (body) => {
    expectTidied();
    await expect(resume({ cleanedRequest: body && toPayload(body) })).rejects.toThrow(
      "wasn't a reply from this contact",
    );
  });
});

import nock from 'nock';
import { events } from '../../src/api/events';
import { message, webhook } from '../../src/api/resources';
import { exampleMinutes, exampleReplyTo, replySample } from '../../src/reply/example';
import { summaryLine } from '../../src/text/lines';
import { deliveryOf } from '../support/deliveries';
import { expectHalt } from '../support/halt';
import { authData, expectCall, recordCalls, recordSends, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

type Bundle = Parameters<typeof runStep>[1];

const run = (name: string, bundle: Bundle = {}) =>
  runStep(`creates.send_message_and_wait.operation.${name}`, { authData, ...bundle });

const inputData = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+1 202 555 0123' };
const keyed = { inputData: { ...inputData, deduplication_key: 'order 1' } };
const send = (bundle: Bundle = {}) => run('perform', { inputData, ...bundle });

const contactId = 'con_7Hq2Zr';
const sent = {
  ...message.sample,
  created_at: '2026-06-11T09:00:00Z',
  sent_at: null,
  delivered_at: '2026-06-11T09:00:01Z',
};
const watch = { ...webhook.sample, id: '501', filters: { contact_id: [contactId], after: sent.id } };
const reply = { ...events['message.received'].sample, created_at: '2026-06-11T09:11:40Z' };
const stranger = { ...reply, from: '+12025550145', contact: { id: '102', phone: '+12025550145' } };
/** What a later step gets of the message. */
const toldSent = {
  id: sent.id,
  conversation_id: sent.conversation_id,
  text: sent.text,
  url: sent.url,
  created_at: sent.created_at,
};
/** The fields of a reply that a later step gets. */
const toldFields = 'id conversation_id contact reply_to channel from to text attachments button url created_at'.split(
  ' ',
);
const toldReply = (told: typeof reply): object =>
  Object.fromEntries(Object.entries(told).filter(([name]) => toldFields.includes(name)));
const outputData = { sent, recipient: '+12025550123', webhook_id: '501', already_sent: false };
const cleanedRequest = deliveryOf('message.received', reply);
const resume = (bundle: Bundle = {}) => run('performResume', { inputData, outputData, cleanedRequest, ...bundle });

const answerWebhooks = (...data: object[]) =>
  expectCall('listWebhooks', { query: { limit: 100 } }).reply(200, { data, next_cursor: null });
/** The newest messages of everybody, newest first. */
const answerList = (...data: object[]) =>
  expectCall('listMessages', { query: { limit: 100 } }).reply(200, { data, next_cursor: null });
const answerReply = (status = 200, body: object = reply) =>
  expectCall('getMessage', { id: reply.id }).reply(status, body);
const expectTidied = () => expectCall('deleteWebhook', { id: '501' }).reply(204);
/** The service lists these, newest first, and Zapier resumes the step, which stops watching. */
const resumeWith = (listed: object[], bundle: Bundle = {}) => {
  answerList(...listed);
  expectTidied();
  return resume(bundle);
};
const expectSent = (response: object = sent) => {
  answerWebhooks();
  return recordSends(202, response);
};
const expectSentNow = () => expectSent({ ...sent, created_at: new Date().toISOString() });
/** An earlier step sent the message with the same key. */
const expectRepeated = () => {
  answerWebhooks();
  const response = toResponse(sent);
  expectCall('sendMessage').interceptor.reply(202, response, { 'idempotent-replayed': 'true' });
};
let clock: jest.SpyInstance<number, []> | undefined;

/** Stops the clock until the test ends, or until it's moved. */
const stopClock = (at = Date.now()): ((ms: number) => void) => {
  const stopped = jest.spyOn(Date, 'now').mockReturnValue(at);
  clock = stopped;
  return (ms) => void stopped.mockReturnValue(at + ms);
};

afterEach(() => clock?.mockRestore());

describe('sending', () => {
  test.each([undefined, ''])('sends nothing when Zapier has no address to call back (%j)', async (callbackUrl) => {
    const path = 'creates.send_message_and_wait.operation.perform';
    await expectHalt(
      runStep(path, { authData, inputData }, { callbackUrl }),
      "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
    );
  });

  const byContact = { contact_id: [contactId] };
  const byNumber = { from: ['+12025550123'] };

  test.each<[object, object, object]>([
    [sent, byContact, { contact_id: contactId }],
    [{ ...sent, conversation_id: null, contact: null }, byNumber, { from: ['+1 202 555 0123'] }],
  ])('of %j watches by %j, which the service may write as %j', async (accepted, asked, filters) => {
    const calls = recordCalls('listWebhooks', {}, 200, { data: [], next_cursor: null });
    recordCalls('sendMessage', {}, 202, accepted, calls);
    expectCall('getMessage', { id: sent.id }).interceptor.optionally().reply(200, accepted);
    recordCalls('createWebhook', {}, 201, { ...watch, filters: { ...filters, after: sent.id } }, calls);
    await expect(send()).resolves.toMatchObject({
      sent: { id: sent.id },
      recipient: '+12025550123',
      webhook_id: '501',
      already_sent: false,
    });
    expect(calls.at(-1)?.body).toEqual({
      url: expect.stringMatching(/^https:\/\/.*\?sent=msg_9Vb4Xs&sent_at=\d{13}&already_sent=false&wait=[\da-f-]{36}$/),
      events: ['message.received'],
      filters: { ...asked, after: sent.id },
    });
  });

  test('does not happen when nobody can watch', async () => {
    const error = { code: 'plan_required', message: 'Upgrade', required_plan: 'advanced' };
    expectCall('listWebhooks').reply(403, { error });
    await expect(send()).rejects.toThrow('need the Advanced plan');
  });

  test.each(['2026-06-08T09:00:00Z', 'next week'])(
    'does not happen when the webhooks of the service may end before the wait can end: %j',
    async (expires_at) => {
      answerWebhooks({ ...watch, created_at: '2026-06-01T09:00:00Z', expires_at });
      await expect(send()).rejects.toThrow("can't watch for a reply for 30 days, so nothing was sent");
    },
  );

  test.each([
    ['30 days', { created_at: '2026-06-01T09:00:00Z', expires_at: '2026-07-01T09:00:00Z' }],
    ['for good', { expires_at: null }],
    ['as long as nobody knows', { created_at: null, expires_at: '2026-06-08T09:00:00Z' }],
  ])('happens when webhooks live %s', async (_life, times) => {
    answerWebhooks({ ...watch, id: '7', ...times });
    recordSends(202, sent);
    expectCall('createWebhook').reply(201, watch);
    await expect(send()).resolves.toMatchObject({ webhook_id: '501' });
  });

  test('says that it cannot wait when only the new webhook tells that it ends early', async () => {
    expectSent();
    expectCall('createWebhook').reply(201, { ...watch, created_at: null, expires_at: '2026-06-08T09:00:00Z' });
    expectTidied();
    await expectHalt(
      send(),
      expect.stringContaining(
        "The message was sent, but the Zap can't wait for the reply, because the messaging service can't watch for 30 days.",
      ),
    );
  });

  test.each([
    { filters: null },
    { filters: { from: ['+12025550123'] } },
    { filters: { contact_id: ['con_other', contactId], after: sent.id } },
    { filters: { contact_id: [contactId] } },
    { filters: { contact_id: [contactId], after: 'msg_other' } },
  ])(
    'says that it cannot wait when the service would end the wait for anybody, or miss a reply: %j',
    async (created) => {
      expectSent();
      const asked = recordCalls('createWebhook', {}, 201, { ...watch, ...created });
      expectTidied();
      recordCalls('createWebhook', {}, 201, { ...watch, id: '502', filters: { after: sent.id } }, asked);
      expectCall('deleteWebhook', { id: '502' }).reply(204);
      await expectHalt(
        send(),
        expect.stringContaining("can't wait for the reply, because the messaging service can't watch for one"),
      );
      expect(asked).toMatchObject([{ body: { filters: byContact } }, { body: { filters: byNumber } }]);
    },
  );

  test('says that it cannot wait by number for a contact without one, whose messages have none', async () => {
    const hidden = { ...sent, contact: { id: contactId, phone: null, username: 'noor.visser' } };
    expectSent(hidden);
    expectCall('createWebhook').reply(201, { ...watch, filters: { from: ['+12025550123'] } });
    expectTidied();
    await expectHalt(send(), expect.stringContaining("can't watch for one person's messages"));
  });

  test('watches by the number where the service knows no filter for a contact', async () => {
    expectSent();
    expectCall('createWebhook').reply(201, { ...watch, filters: { after: sent.id } });
    expectTidied();
    expectCall('createWebhook').reply(201, { ...watch, id: '502', filters: { ...byNumber, after: sent.id } });
    await expect(send()).resolves.toMatchObject({ webhook_id: '502' });
  });

  test.each([
    ['without a key halts', inputData, 'HaltedError'],
    ['with Send Once for Each fails, so that Zapier can repeat it', keyed.inputData, 'AppError'],
  ])('says that the message was sent when the webhook cannot be created, and %s', async (_what, data, name) => {
    expectSentNow();
    let url: unknown;
    expectCall('createWebhook').interceptor.reply(201, (_uri, body) => {
      url = Object(body).url;
      return '{}';
    });
    expectCall('listWebhooks', { query: { limit: 100 } }).interceptor.reply(200, () =>
      toResponse({
        data: [
          { ...watch, url, created_at: new Date().toISOString() },
          { ...watch, id: '7', url: String(url).replace(/wait=.*/, 'wait=other') },
        ],
        next_cursor: null,
      }),
    );
    expectTidied();
    await expect(send({ inputData: data })).rejects.toMatchObject({
      name,
      message: expect.stringContaining("The message was sent, but the Zap can't wait for the reply"),
    });
  });

  test('creates no second webhook when the first took all the time of the step, since nobody would delete it', async () => {
    const move = stopClock();
    expectSent();
    expectCall('createWebhook').reply(201, { ...watch, filters: {} });
    expectCall('deleteWebhook', { id: '501' }).interceptor.reply(() => {
      move(5_000);
      return [204];
    });
    await expect(send()).rejects.toThrow("the messaging service can't watch for it");
  });

  test('still watches after a send that took all the time of the step', async () => {
    const move = stopClock();
    answerWebhooks();
    expectCall('sendMessage').interceptor.reply(202, () => {
      move(23_001);
      return toResponse(sent);
    });
    expectCall('createWebhook').reply(201, watch);
    await expect(send()).resolves.toMatchObject({ webhook_id: '501' });
  });

  test.each<[object, number]>([
    [{}, 404],
    [{ created_at: sent.created_at }, 500],
  ])(
    'says that it cannot be sure to see the reply, and watches nothing, when nothing tells who the contact is: %j %i',
    async (told, status) => {
      expectSent({ id: sent.id, ...told });
      expectCall('getMessage', { id: sent.id }).reply(status, {}).persist();
      await expectHalt(send(), expect.stringContaining("because it can't be sure to see every message of the contact"));
    },
  );

  test('watches the contact of a send that names no conversation, when the message cannot be read', async () => {
    expectSent({ ...sent, conversation_id: null });
    expectCall('getMessage', { id: sent.id }).reply(500, {}).persist();
    expectCall('createWebhook').reply(201, { ...watch, filters: { contact_id: [contactId], after: sent.id } });
    await expect(send()).resolves.toMatchObject({ webhook_id: '501' });
  });

  // The service keeps a key for 24 hours, Autoreplay may take half of them, and a clock may be up to an hour ahead.
  test.each([
    [-1.1, 'HaltedError'],
    [-0.9, 'AppError'],
    [11.9, 'AppError'],
    [12.1, 'HaltedError'],
  ])('after a send of %f hours ago, a failed watch lets Zapier repeat the step or not: %s', async (hours, name) => {
    stopClock(Date.parse(sent.created_at) + hours * 60 * 60_000);
    expectRepeated();
    expectCall('createWebhook').reply(500, {}).persist();
    expectCall('listWebhooks').reply(200, { data: [], next_cursor: null }).persist();
    await expect(send(keyed)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(
        "The message was sent, but the Zap can't wait for the reply, because the messaging service can't watch for it. Look for the reply there, or use Find Reply.",
      ),
    });
  });

  test('in a test of the editor sends to the tester, does not watch, and returns an example reply for the next steps', async () => {
    const sends = expectSent();
    const test = { inputData: { ...inputData, test_recipient: '+12025550187' }, meta: { isLoadingSample: true } };
    await expect(send(test)).resolves.toMatchObject({
      reply_text: `Example reply: ${replySample.text}`,
      minutes_to_reply: exampleMinutes,
      already_sent: false,
      reply: { id: replySample.id, from: '+12025550187' },
      sent: { id: sent.id },
    });
    expect(sends[0]?.body).toMatchObject({ to: '+12025550187' });
  });
});

test('the example reply says so, and comes 12 minutes after the message, in its conversation', () => {
  const example = { ...replySample, text: `Example reply: ${replySample.text}` };
  expect(exampleReplyTo(sent)).toEqual({ ...example, created_at: '2026-06-11T09:12:00.000Z' });
  const { contact, from: to } = stranger;
  const other = { contact, conversation_id: '205', channel: 'sms', created_at: 'soon' };
  const url = example.url?.replace(`${example.conversation_id}`, '205');
  expect(exampleReplyTo({ ...sent, ...other, to })).toEqual({ ...example, ...other, url, from: to });
});

const waitAgain = 'Replay the run within 12 hours of the message to wait again without sending it twice.';

describe('the reply', () => {
  test('goes on with its text, the minutes it took, and the reply itself, and stops watching', async () => {
    await expect(resumeWith([reply, sent])).resolves.toEqual({
      reply_text: reply.text,
      answer: 'other',
      minutes_to_reply: 12,
      summary_line: summaryLine(reply, undefined),
      already_sent: false,
      reply: toldReply(reply),
      sent: toldSent,
    });
  });

  test('is a yes or no by the button that was pressed, or by the words of the form', async () => {
    const press = { ...reply, reply_to: sent.id, text: 'Yes', button: { text: 'Yes', payload: 'B1' } };
    await expect(resumeWith([press, sent])).resolves.toMatchObject({
      answer: 'yes',
      reply: { button: { payload: 'B1' } },
    });
    answerList({ ...reply, text: 'Yes' }, sent);
    expectTidied();
    const words = { inputData: { ...inputData, no_words: ['yes'] } };
    await expect(resume(words)).resolves.toMatchObject({ answer: 'no' });
  });

  test.each<[string, object[], object]>([
    ['that comes after one that says nothing', [reply, { ...reply, id: 'msg_empty', text: null, attachments: [] }], {}],
    ['to a message that stays queued', [reply], { status: 'queued', delivered_at: null }],
  ])('%s goes on', async (_what, lines, asked) => {
    const question = { ...sent, ...asked };
    const kept = { outputData: { ...outputData, sent: question } };
    await expect(resumeWith([...lines, question], kept)).resolves.toMatchObject({ reply: { id: reply.id } });
  });

  describe('that may answer another message', () => {
    const other = { ...sent, id: 'msg_other', text: 'Is Friday all right?', created_at: '2026-06-11T09:05:00Z' };

    test('stops the Zap and the watch', async () => {
      await expectHalt(
        resumeWith([reply, other, sent]),
        "The contact's reply may answer another message of yours, so the Zap stopped. Check the conversation in the messaging service.",
      );
    });

    test('is no reply when it quotes another one, which may be older than all that is listed', async () => {
      answerList({ ...reply, reply_to: 'msg_older' }, sent);
      expectCall('getMessage', { id: 'msg_older' }).reply(200, { ...other, id: 'msg_older' });
      expectTidied();
      await expectHalt(
        resume(),
        'The contact replied to another message by quoting it, so the Zap stopped waiting. Check the conversation in the messaging service.',
      );
    });
  });

  test('goes on where the record of the message cannot be read, if the reply tells who it is from', async () => {
    expectCall('getMessage', { id: sent.id }).reply(403, {});
    const kept = { outputData: { ...outputData, sent: { ...sent, contact: null } } };
    await expect(resumeWith([reply, sent], kept)).resolves.toMatchObject({ reply: { id: reply.id } });
  });

  test('to a message without a time is the first line above it in the list', async () => {
    const untimed = (record: object) => ({ ...record, created_at: null });
    expectCall('getMessage', { id: sent.id }).reply(200, untimed(sent));
    const lines = [reply, { ...reply, id: 'msg_first' }, sent, { ...reply, id: 'msg_early' }];
    const kept = { outputData: { ...outputData, sent: { id: sent.id } } };
    await expect(resumeWith(lines.map(untimed), kept)).resolves.toMatchObject({
      reply: { id: 'msg_first' },
      minutes_to_reply: null,
    });
  });

  test('of a wait that an earlier version of the app began goes on', async () => {
    const { already_sent: _, ...earlier } = outputData;
    await expect(resumeWith([reply, sent], { outputData: earlier })).resolves.toMatchObject({ already_sent: false });
  });

  describe('that comes before Zapier has kept the message', () => {
    const early = { ...reply, created_at: '2026-06-11T09:00:02Z' };
    const addressOf = (wait: string, id = sent.id) =>
      `https://zapier.example.com/callbacks/1?sent=${id}&sent_at=1781168400000&already_sent=true&wait=${wait}`;
    const own = { ...watch, url: addressOf('own') };
    const querystring = { sent: sent.id, sent_at: '1781168400000', already_sent: 'true', wait: 'own' };
    const answerSent = (status = 200, body: object = sent) =>
      expectCall('getMessage', { id: sent.id }).reply(status, body);

    describe('by an address that tells the message', () => {
      const resumeEarly = (bundle: Bundle = {}) =>
        resume({ outputData: {}, cleanedRequest: { ...Object(cleanedRequest), querystring }, ...bundle });

      test('also when Zapier passes the query on as it came', async () => {
        answerSent();
        answerList(early, sent);
        answerWebhooks(own);
        expectTidied();
        const query = new URL(own.url).searchParams.toString();
        const raw = { cleanedRequest, rawRequest: { querystring: query } };
        await expect(resumeEarly(raw)).resolves.toMatchObject({ already_sent: true });
      });

      test.each([
        ['the service does not know the message', 404, {}],
        ['it is a message to somebody else', 200, { ...sent, to: '+12025550145' }],
        ['it is a message of the person', 200, { ...sent, direction: 'inbound' }],
      ])('stops the Zap and the watch when %s', async (_what, status, body) => {
        expectCall('getMessage', { id: sent.id }).reply(status, body).persist();
        answerWebhooks(own);
        expectTidied();
        await expectHalt(
          resumeEarly(),
          "The incoming message may not be this contact's reply, so the Zap stopped waiting. Check the conversation in the messaging service.",
        );
      });

      test('also when the service does not know the message at first', async () => {
        answerSent(404, {});
        answerSent();
        answerList(early, sent);
        answerWebhooks(own);
        expectTidied();
        await expect(resumeEarly()).resolves.toMatchObject({ reply_text: early.text });
      });

      test('and deletes no webhook of another wait or Zap', async () => {
        const others = [addressOf('other'), addressOf(''), 'https://hooks.example.com/1', null];
        const deleted: string[] = [];
        for (const id of ['501', ...others.keys()].map(String)) {
          expectCall('deleteWebhook', { id })
            .interceptor.optionally()
            .reply(() => [204, deleted.push(id) && '']);
        }
        answerSent();
        answerList(early, sent);
        answerWebhooks(own, ...others.map((url, index) => ({ ...watch, id: String(index), url })));
        await resumeEarly();
        expect(deleted).toEqual(['501']);
        nock.cleanAll();
      });

      test("reads the number in the account's country, as the send did", async () => {
        answerSent();
        answerList(early, sent);
        answerWebhooks(own);
        expectTidied();
        const local = { ...inputData, to: '(202) 555-0123' };
        const bundle = { inputData: local, authData: { ...authData, default_country: 'US' } };
        await expect(resumeEarly(bundle)).resolves.toMatchObject({ sent: { id: sent.id } });
      });
    });

    test('stops the Zap where Zapier does not pass on the query, since the message may be any', async () => {
      await expectHalt(
        resume({ ...keyed, outputData: {} }),
        "The incoming message may not be this contact's reply, so the Zap stopped waiting. Check the conversation in the messaging service.",
      );
    });

    test.each(['1e400', '', undefined])(
      'promises no replay when nobody knows when it was sent: %j',
      async (sent_at) => {
        answerSent(404, {}).persist();
        answerWebhooks();
        const lost = { ...Object(cleanedRequest), querystring: { ...querystring, sent_at } };
        const resumed = resume({ ...keyed, outputData: {}, cleanedRequest: lost });
        await expect(resumed).rejects.toThrow('Check the conversation in the messaging service.');
      },
    );
  });

  const hourMs = 60 * 60_000;

  // A run on hold may outlive the key.
  test.each([
    [
      'and says until when to replay it',
      keyed,
      "then replay the run within 12 hours of the message. It isn't sent twice.",
    ],
    ['and asks for no replay without a key', {}, 'and read the message in the messaging service.'],
  ])('that the token can no longer read halts, asks to reconnect, %s', async (_says, form, next) => {
    stopClock(Date.parse(sent.created_at) + hourMs);
    expectCall('listMessages').reply(401, {}).persist();
    expectTidied();
    await expectHalt(
      resume(form),
      `The contact wrote, but the Zap stopped because the API token isn't accepted. Reconnect this account, ${next}`,
    );
  });

  test('that is not certain lets Zapier wait again when nothing can be sent twice', async () => {
    stopClock(Date.parse(sent.created_at) + hourMs);
    answerList(sent);
    answerReply(200, { ...reply, created_at: '2026-06-11T08:59:59Z' });
    expectTidied();
    await expect(resume(keyed)).rejects.toThrow(waitAgain);
  });

  test.each<[string, object | undefined]>([
    ['that the service does not know', undefined],
    ['of somebody else', stranger],
    ['that is not the one the payload names', { ...reply, id: 'msg_other' }],
  ])('%s stops the Zap and the watch, with a sentence', async (_what, known) => {
    answerList(sent).persist();
    answerReply(known ? 200 : 404, known ?? {}).persist();
    expectTidied();
    await expectHalt(
      resume(),
      "The incoming message may not be this contact's reply, so the Zap stopped waiting. Check the conversation in the messaging service.",
    );
  });

  test.each([
    undefined,
    { data: 'x' },
    deliveryOf('message.delivered', reply),
    // Rounded, so the id may be of another message.
    deliveryOf('message.received', { ...reply, id: 2 ** 60 }),
  ])('of which nothing can be read stops the Zap and the watch: %j', async (body) => {
    await expect(resumeWith([sent], { cleanedRequest: body })).rejects.toThrow(
      "The incoming message may not be this contact's reply",
    );
  });

  test('goes on with a reply that the service lists, also when nothing can be read of the callback', async () => {
    await expect(resumeWith([reply, sent], { cleanedRequest: {} })).resolves.toMatchObject({ reply: { id: reply.id } });
  });
});

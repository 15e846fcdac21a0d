import fc from 'fast-check';
import nock from 'nock';
import { createAppTester } from 'zapier-platform-core';
import { findPerform, runStep } from '../../sandbox/zapier';
import app from '../../src';
import { events } from '../../src/api/events';
import { webhook } from '../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../deliveries';
import { authData, service } from '../service';

type Bundle = Parameters<typeof runStep>[1];

const step = (name: string, bundle: Bundle) =>
  runStep(`triggers.message_received.operation.${name}`, { authData, ...bundle });

const receive = (request: object, bundle: Bundle = {}) => step('perform', { subscribeData, ...request, ...bundle });

const targetUrl = 'https://hooks.example.com/standard/1/a/';
const { sample } = events['message.received'];

describe('turning the Zap on', () => {
  const subscribe = (inputData = {}) => step('performSubscribe', { targetUrl, inputData });

  test('subscribes to inbound messages alone and keeps the id and the secret', async () => {
    service()
      .post('/v1/webhooks', { url: targetUrl, events: ['message.received'] })
      .reply(201, webhook.sample);
    await expect(subscribe()).resolves.toEqual({ id: webhook.sample.id, secret: webhook.sample.secret });
  });

  test('asks the service to filter by channel', async () => {
    const body = { url: targetUrl, events: ['message.received'], filters: { channel: ['whatsapp'] } };
    service().post('/v1/webhooks', body).reply(201, webhook.sample);
    await expect(subscribe({ channel: 'whatsapp', contains: ['hello'] })).resolves.toHaveProperty('id');
  });

  test('asks Zapier to renew a subscription that expires', async () => {
    const expires_at = '2026-07-11T09:40:12Z';
    service()
      .post('/v1/webhooks')
      .reply(201, { ...webhook.sample, expires_at });
    await expect(subscribe()).resolves.toHaveProperty('expiration_date', expires_at);
  });

  test('on a plan without webhooks says which plan is needed and what works without it', async () => {
    const error = { code: 'plan_required', message: 'Upgrade', required_plan: 'advanced' };
    service().post('/v1/webhooks').reply(403, { error });
    await expect(subscribe()).rejects.toThrow(/Instant triggers need the Advanced plan\..*New Contact trigger work/);
  });

  test('with a token that may not says which scope is needed', async () => {
    const error = { code: 'insufficient_scope', message: 'No', required_scope: 'webhooks:write' };
    service().post('/v1/webhooks').reply(403, { error });
    await expect(subscribe()).rejects.toThrow('webhooks:write');
  });

  test('without a secret leaves nothing behind and says why', async () => {
    service()
      .post('/v1/webhooks')
      .reply(201, { ...webhook.sample, secret: undefined });
    service().delete(`/v1/webhooks/${webhook.sample.id}`).reply(204);
    await expect(subscribe()).rejects.toThrow('gave no signing secret');
  });
});

describe('turning the Zap off', () => {
  const unsubscribe = (kept: object | undefined = subscribeData) =>
    step('performUnsubscribe', { targetUrl, ...(kept && { subscribeData: { id: '', ...kept } }) });

  test('removes its own webhook alone', async () => {
    service().delete('/v1/webhooks/wh_1').reply(204);
    await expect(unsubscribe()).resolves.toEqual({ id: 'wh_1' });
  });

  test('is content when the webhook is gone already', async () => {
    service()
      .delete('/v1/webhooks/wh_1')
      .reply(404, { error: { code: 'not_found', message: 'Gone' } });
    await expect(unsubscribe()).resolves.toEqual({ id: 'wh_1' });
  });

  test('is content when there is no webhook to remove', async () => {
    await expect(unsubscribe({})).resolves.toBeDefined();
  });
});

describe('a delivery', () => {
  test('that is genuine starts the Zap with the message', async () => {
    await expect(receive(signed(deliveryOf('message.received')))).resolves.toEqual([sample]);
  });

  test('that comes months late starts the Zap, since Zapier holds and replays deliveries', async () => {
    await expect(receive(signed(deliveryOf('message.received'), { at: new Date('2025-01-01') }))).resolves.toEqual([
      sample,
    ]);
  });

  test('with several signatures passes when one of them is right', async () => {
    const request = signed(deliveryOf('message.received'));
    const right = request.rawRequest.headers['Http-Webhook-Signature'];
    request.rawRequest.headers['Http-Webhook-Signature'] = `v1,AAAA v2,xyz ${right}`;
    await expect(receive(request)).resolves.toEqual([sample]);
  });

  test('with header names in any case passes', async () => {
    const request = signed(deliveryOf('message.received'));
    const headers = Object.entries(request.rawRequest.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const rawRequest = { ...request.rawRequest, headers: Object.fromEntries(headers) };
    await expect(receive({ ...request, rawRequest })).resolves.toEqual([sample]);
  });

  const notSigned = /^A delivery was refused because it was not signed by the messaging service for this Zap/;
  const { rawRequest } = signed(deliveryOf('message.received'));
  const withHeader = (name: string, value: string | undefined) => ({
    rawRequest: { ...rawRequest, headers: { ...rawRequest.headers, [name]: value } },
  });
  test.each<[string, object]>([
    [
      'is forged',
      signed(deliveryOf('message.received'), { secret: `whsec_${Buffer.from('of somebody else').toString('base64')}` }),
    ],
    ['was altered', { rawRequest: { ...rawRequest, content: rawRequest.content.replace('neighbours', 'thieves') } }],
    ['is unsigned', { rawRequest: { ...rawRequest, headers: { 'Content-Type': 'application/json' } } }],
    ['has an empty signature', withHeader('Http-Webhook-Signature', '')],
    ['has a signature of another kind', withHeader('Http-Webhook-Signature', 'v1a,AAAA')],
    ['has another id', withHeader('Http-Webhook-Id', 'evt_2')],
    ['has another time', withHeader('Http-Webhook-Timestamp', '1')],
    ['has no id', withHeader('Http-Webhook-Id', undefined)],
    ['has no raw request', { cleanedRequest: deliveryOf('message.received') }],
    ['has no headers', { rawRequest: { content: rawRequest.content } }],
  ])('that %s starts nothing and says why', async (_what, request) => {
    await expect(receive(request)).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(notSigned),
    });
  });

  test.each([undefined, {}, { id: 'wh_1' }, { id: 'wh_1', secret: '' }, { id: 'wh_1', secret: 'whsec_' }])(
    'to a Zap that kept no secret starts nothing: %j',
    async (kept) => {
      const bundle = { subscribeData: kept && { id: '', ...kept } };
      await expect(receive(signed(deliveryOf('message.received')), bundle)).rejects.toThrow(
        /[Tt]urn the Zap off and on again/,
      );
    },
  );

  test('of an event that was not asked for starts nothing', async () => {
    await expect(receive(signed(deliveryOf('message.sent')))).resolves.toEqual([]);
    await expect(receive(signed({ ...deliveryOf('message.received'), type: 'message.teleported' }))).resolves.toEqual(
      [],
    );
  });

  test('of another channel starts nothing, even when the service does not filter', async () => {
    await expect(receive(signed(deliveryOf('message.received')), { inputData: { channel: 'sms' } })).resolves.toEqual(
      [],
    );
    await expect(
      receive(signed(deliveryOf('message.received')), { inputData: { channel: 'whatsapp' } }),
    ).resolves.toEqual([sample]);
  });

  test.each([
    [['NEIGHBOURS'], true],
    [['nothing', 'with the neigh'], true],
    [['nothing'], false],
    [['', ' '], true],
    ['neighbours', true],
  ])('with Contains Any Of %j passes: %s', async (contains, passes) => {
    const inputData = { contains };
    await expect(receive(signed(deliveryOf('message.received')), { inputData })).resolves.toEqual(
      passes ? [sample] : [],
    );
  });

  test('without a text does not pass Contains Any Of', async () => {
    const request = signed(deliveryOf('message.received', { text: null }));
    await expect(receive(request, { inputData: { contains: ['a'] } })).resolves.toEqual([]);
  });

  test.each([
    { hello: 'world' },
    { ...deliveryOf('message.received'), data: 'text' },
    { ...deliveryOf('message.received'), data: { text: 'no id' } },
    [1],
  ])('that is genuine but not in the agreed form starts nothing and says so: %j', async (body) => {
    await expect(receive(signed(body))).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('so the Zap did not start'),
    });
  });

  test('keeps fields that the contract does not know', async () => {
    const request = signed(deliveryOf('message.received', { mood: 'cheerful' }));
    await expect(receive(request)).resolves.toEqual([{ ...sample, mood: 'cheerful' }]);
  });

  describe('that the service repeats', () => {
    const delivery = deliveryOf('message.received');

    test('starts the Zap once, and every other Zap that listens once', async () => {
      await expect(receive(signed(delivery))).resolves.toEqual([sample]);
      await expect(receive(signed(delivery, { at: new Date(Date.now() + 60_000) }))).resolves.toEqual([]);
      const other = { subscribeData: { ...subscribeData, id: 'wh_2' } };
      await expect(receive(signed(delivery), other)).resolves.toEqual([sample]);
    });

    test('starts the Zap after one that a filter held back elsewhere', async () => {
      const held = deliveryOf('message.received');
      await expect(receive(signed(held), { inputData: { contains: ['x-ray'] } })).resolves.toEqual([]);
      await expect(receive(signed(held))).resolves.toEqual([sample]);
    });

    const withoutCache = async () => {
      const tester = Object.assign(createAppTester(app), { zcacheTestObj: undefined });
      return tester(findPerform('triggers.message_received.operation.perform'), { subscribeData, ...signed(delivery) });
    };

    test('starts the Zap all the same when the cache is missing', async () => {
      await expect(withoutCache()).resolves.toEqual([sample]);
    });

    test('starts the Zap all the same when the cache fails or is slow', async () => {
      process.env.ZAPIER_DEPLOY_KEY = 'key';
      const rpc = () => nock('https://rpc.zapier.com').post('/cli');
      rpc().reply(400, { error: 'broken' });
      await expect(withoutCache()).resolves.toEqual([sample]);
      rpc().delay(20_000).reply(200, {});
      await expect(withoutCache()).resolves.toEqual([sample]);
      nock.abortPendingRequests();
      delete process.env.ZAPIER_DEPLOY_KEY;
    });
  });

  test('without any request, as `zapier-platform invoke` runs it, starts nothing', async () => {
    await expect(step('perform', {})).resolves.toEqual([]);
  });

  test('however it is made up, starts nothing and says a sentence', async () => {
    const text = fc.oneof(fc.string(), fc.constant(rawRequest.content));
    const headers = fc.dictionary(
      fc.constantFrom(
        'Http-Webhook-Id',
        'Http-Webhook-Timestamp',
        'Http-Webhook-Signature',
        '__proto__',
        'constructor',
      ),
      fc.oneof(fc.string(), fc.constantFrom('evt_1', 'v1,', ...Object.values(rawRequest.headers).slice(1, 3))),
    );
    await fc.assert(
      fc.asyncProperty(text, headers, async (content, madeUp) => {
        const error = await receive({ rawRequest: { content, headers: madeUp } }).catch((thrown: Error) => thrown);
        expect(error).toMatchObject({ name: 'HaltedError', message: expect.stringMatching(notSigned) });
      }),
    );
  });
});

describe('the test step', () => {
  const list = (inputData: Record<string, unknown> = {}) => step('performList', { inputData });

  test('lists recent inbound messages, newest first, in one request, of the shape of a delivery', async () => {
    const older = { ...sample, id: 'msg_0' };
    service()
      .get('/v1/messages')
      .query({ direction: 'inbound', limit: '100' })
      .reply(200, { data: [sample, older] });
    const listed = await list();
    expect(listed).toEqual([sample, older]);
    expect(listed).toEqual([...((await receive(signed(deliveryOf('message.received')))) as unknown[]), older]);
  });

  test('honours the filters', async () => {
    const other = { ...sample, id: 'msg_0', text: 'Thank you' };
    service()
      .get('/v1/messages')
      .query({ direction: 'inbound', channel: 'whatsapp', limit: '100' })
      .reply(200, { data: [other, sample] });
    await expect(list({ channel: 'whatsapp', contains: ['neighbours'] })).resolves.toEqual([sample]);
  });
});

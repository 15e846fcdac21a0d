/** Which messages, conversations and campaigns start a Zap: by its senders and its filters. */

import * as z from 'zod/mini';
import app from '../../src';
import { type EventName, events } from '../../src/api/events';
import { campaign, vocabulary, webhook } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { expectHalt } from '../support/halt';
import { type Bundle, receiveAlone, runTrigger } from '../support/run-trigger';
import { allowWebhooks, answerChannels, expectCall, recordCalls } from '../support/service';
import { triggered } from '../support/triggered';

const targetUrl = 'https://hooks.example.com/standard/1/a/';

describe('senders', () => {
  const senders = ['colleague', 'ai', 'automation', 'campaign', 'api'];

  const asked = z.object({
    events: z.tuple([z.enum(vocabulary.event)], z.string()),
    filters: z.optional(z.object({ source: z.optional(z.array(z.string())) })),
  });

  const kept = z.looseObject({ id: z.string(), secret: z.string() });

  /** Turns on a Zap. Returns the senders that were asked for, and what receives a message by a sender, or without one. */
  const turnOn = async (trigger: string, sources: string[]) => {
    const { secret } = subscribeData;
    const requests = recordCalls('createWebhook', {}, 201, { ...webhook.sample, secret });
    const bundle = { inputData: { sources }, targetUrl };
    const subscription = kept.parse(await runTrigger(trigger, 'performSubscribe', bundle));
    const { events: watched, filters } = asked.parse(requests[0]?.body);
    const receive = (source: string | null | undefined, chosen = sources) =>
      receiveAlone(trigger, {
        ...{ subscribeData: subscription, inputData: { sources: chosen } },
        ...signed(deliveryOf(watched[0], { source })),
      });
    return { senders: filters?.source ?? [], receive };
  };

  const says = {
    name: 'HaltedError',
    message: expect.stringMatching(
      /^The messaging service doesn't say who sent this message, so the Zap didn't start\./,
    ),
  };
  const unsaid = [undefined, null, '', ' '];

  const withSenders = Object.values(app.triggers).flatMap(({ key, operation }) =>
    operation.inputFields?.some((each) => 'key' in each && each.key === 'sources') ? [key] : [],
  );

  test('three triggers let people choose senders', () => {
    expect(withSenders.toSorted()).toEqual(['message_failed', 'message_sent', 'message_status_updated']);
  });

  test.each<[trigger: string, chosen: string[], wanted: string[]]>([
    ['message_sent', [], ['colleague', 'automation']],
    ['message_status_updated', [], ['colleague', 'ai', 'automation', 'api']],
    ...withSenders.flatMap((key): [string, string[], string[]][] => [
      [key, ['colleague'], ['colleague']],
      [key, ['campaign', 'ai', 'api', 'automation'], ['campaign', 'ai', 'api', 'automation']],
    ]),
  ])('%s with the senders %j starts for %j, and says so of a message without one', async (trigger, chosen, wanted) => {
    const zap = await turnOn(trigger, chosen);
    expect(zap.senders).toEqual(wanted);
    for (const source of wanted) await expect(zap.receive(source)).resolves.toHaveLength(1);
    const others = [...vocabulary.source, 'robot'].filter((source) => !wanted.includes(source));
    for (const source of others) await expect(zap.receive(source)).resolves.toEqual([]);
    for (const source of unsaid) await expect(zap.receive(source)).rejects.toMatchObject(says);
  });

  test.each<[trigger: string, chosen: string[]]>([
    ['message_failed', []],
    ...withSenders.map((key): [string, string[]] => [key, senders]),
  ])('%s with the senders %j starts for all, also for unknown ones', async (trigger, chosen) => {
    const zap = await turnOn(trigger, chosen);
    expect(zap.senders).toEqual([]);
    for (const source of [...vocabulary.source, 'robot', ...unsaid])
      await expect(zap.receive(source)).resolves.toHaveLength(1);
  });

  test('the form of today counts where Zapier still has the subscription of another one', async () => {
    const zap = await turnOn('message_sent', ['colleague']);
    await expect(zap.receive('campaign', ['campaign'])).resolves.toHaveLength(1);
    await expect(zap.receive('colleague', ['campaign'])).resolves.toEqual([]);
    await expect(zap.receive(undefined, senders)).resolves.toHaveLength(1);
  });

  describe('a message without a sender', () => {
    const type = 'message.sent';
    const unknown = deliveryOf(type, { id: 'msg_unknown', source: undefined });
    const receive = (delivered: object, inputData: object = {}) =>
      runTrigger('message_sent', 'perform', { subscribeData, inputData: { ...inputData }, ...signed(delivered) });

    test('starts nothing without a word when it passes no other filter', async () => {
      await expect(receive(unknown, { channel: 'sms' })).resolves.toEqual([]);
      await expect(receive(deliveryOf(type, { direction: 'inbound', source: null }))).resolves.toEqual([]);
      await expect(receive(deliveryOf('message.read', { source: null }))).resolves.toEqual([]);
    });

    test('is not taken for a repeat later', async () => {
      await expect(receive(unknown)).rejects.toMatchObject(says);
      const named = deliveryOf(type, { id: 'msg_unknown', source: 'colleague' });
      await expect(receive(named)).resolves.toHaveLength(1);
    });
  });
});

describe('filters', () => {
  interface Case {
    trigger: string;
    what: string;
    inputData: Record<string, unknown>;
    event: EventName;
    /** What the service is asked to watch and to let through. */
    asked: { events?: EventName[]; filters?: Record<string, string[]> };
    /** What a record has to be like to pass, or not to. */
    passes: object[];
    isHeldBack: object[];
    /** What the test step asks for. */
    list: [call: EndpointName, query: Record<string, string | readonly string[]>];
  }

  const cases: Case[] = [
    {
      trigger: 'message_received',
      what: 'a channel',
      inputData: { channel: ' whatsapp ' },
      event: 'message.received',
      asked: { filters: { channel: ['whatsapp'] } },
      passes: [{ channel: 'whatsapp' }, { channel: 'WhatsApp' }, { channel: undefined }],
      isHeldBack: [
        ...[{ channel: 'sms' }, { channel: null }, { channel: { key: 'sms' } }, { channel: 7 }],
        ...[{ direction: 'outbound' }, { direction: 2 }],
      ],
      list: ['listMessages', { direction: 'inbound', channel: 'whatsapp' }],
    },
    {
      trigger: 'message_received',
      what: 'words, any of which will do, in any case',
      inputData: { contains: ['REFUND', 'money back'] },
      event: 'message.received',
      asked: {},
      passes: [{ text: 'A refund please' }, { text: 'I want my Money\nBack!' }, { text: 'Rembourse\u0301: refund' }],
      isHeldBack: [{ text: 'Thank you' }, { text: 'money, back' }, { text: 'refunded' }, { text: '' }, { text: null }],
      list: ['listMessages', { direction: 'inbound' }],
    },
    {
      trigger: 'message_received',
      what: 'a word that has to be the whole message',
      inputData: { contains: ['stop'], match: 'Is exactly the word or phrase' },
      event: 'message.received',
      asked: {},
      passes: [{ text: ' STOP ' }],
      isHeldBack: [{ text: 'Please stop' }, { text: 'nonstop' }],
      list: ['listMessages', { direction: 'inbound' }],
    },
    {
      trigger: 'message_sent',
      what: 'nothing, which leaves out the API and campaigns, so that a Zap cannot feed itself',
      inputData: {},
      event: 'message.sent',
      asked: { filters: { source: ['colleague', 'automation'] } },
      passes: [{ source: 'colleague' }, { source: 'automation' }],
      isHeldBack: [{ source: 'api' }, { source: 'campaign' }],
      list: ['listMessages', { direction: 'outbound' }],
    },
    {
      trigger: 'message_status_updated',
      what: 'nothing, which watches delivered, read and failed, and leaves out campaigns',
      inputData: {},
      event: 'message.read',
      asked: {
        events: ['message.delivered', 'message.read', 'message.failed'],
        filters: { source: ['colleague', 'ai', 'automation', 'api'] },
      },
      passes: [{}],
      isHeldBack: [{ source: 'campaign', campaign_id: '401' }],
      list: ['listMessages', { direction: 'outbound', status: ['delivered', 'read', 'failed'] }],
    },
    {
      trigger: 'message_status_updated',
      what: 'delivered alone, as which a message counts that was read at once',
      inputData: { statuses: ['delivered'] },
      event: 'message.read',
      asked: {
        events: ['message.delivered', 'message.read'],
        filters: { source: ['colleague', 'ai', 'automation', 'api'] },
      },
      passes: [{ status: 'delivered', delivered_at: null }],
      isHeldBack: [{ source: 'campaign' }],
      list: ['listMessages', { direction: 'outbound', status: 'delivered' }],
    },
    {
      trigger: 'message_status_updated',
      what: 'a campaign, which lets its messages through',
      inputData: { campaign: '401' },
      event: 'message.read',
      asked: {
        events: ['message.delivered', 'message.read', 'message.failed'],
        filters: { campaign_id: ['401'] },
      },
      passes: [{ source: 'campaign', campaign_id: '401' }],
      isHeldBack: [{ source: 'campaign', campaign_id: '402' }, { source: 'api' }],
      list: ['listMessages', { direction: 'outbound', status: ['delivered', 'read', 'failed'] }],
    },
    ...(
      [
        ['message_status_updated', 'message.read'],
        ['message_failed', 'message.failed'],
      ] as const
    ).map<Case>(([trigger, event]) => ({
      trigger,
      what: 'who sent the message, and a campaign',
      inputData: { sources: ['A colleague', 'campaign'], campaign: '401', statuses: ['read'] },
      event,
      asked: { filters: { source: ['colleague', 'campaign'], campaign_id: ['401'] } },
      passes: [{ source: 'campaign', campaign_id: '401' }],
      isHeldBack: [
        { source: 'api', campaign_id: '401' },
        { source: 'campaign', campaign_id: '402' },
        { source: 'campaign', campaign_id: null },
        { source: 'campaign', campaign_id: '401', direction: 'inbound' },
      ],
      list: ['listMessages', { direction: 'outbound', status: event.slice('message.'.length) }],
    })),
    ...(['opened', 'closed', 'reopened'] as const).map<Case>((word) => ({
      trigger: `conversation_${word}`,
      what: 'a channel',
      inputData: { channel: 'sms' },
      event: `conversation.${word}`,
      asked: { filters: { channel: ['sms'] } },
      passes: [{ channel: 'sms' }],
      isHeldBack: [{ channel: 'whatsapp' }],
      list: ['listConversations', { status: word === 'closed' ? 'closed' : 'open', channel: 'sms' }],
    })),
    ...(
      [
        ['started', ['sending', 'completed']],
        ['completed', 'completed'],
        ['failed', 'failed'],
      ] as const
    ).map<Case>(([word, status]) => ({
      trigger: `campaign_${word}`,
      what: 'a campaign',
      inputData: { campaign: '401' },
      event: `campaign.${word}`,
      asked: { filters: { campaign_id: ['401'] } },
      passes: [{ id: '401' }],
      isHeldBack: [{ id: '402' }],
      list: ['listCampaigns', { status }],
    })),
  ];

  /** Announces the requests by which a trigger finds out whether its channel and campaign exist. */
  const answerFilters = (inputData: object) => {
    if ('channel' in inputData) answerChannels();
    if ('campaign' in inputData) expectCall('getCampaign', { id: '401' }).reply(200, { ...campaign.sample, id: '401' });
  };

  describe.each(cases)('$trigger with $what', ({ trigger, inputData, event, asked, passes, isHeldBack, list }) => {
    const step = (name: string, bundle: Bundle) => runTrigger(trigger, name, { inputData, ...bundle });
    const recordOf = (data: object) => ({ ...events[event].sample, ...data });

    test('asks the service for no more', async () => {
      const targetUrl = 'https://hooks.example.com/1/';
      answerFilters(inputData);
      const requests = recordCalls('createWebhook', {}, 201, webhook.sample);
      await expect(step('performSubscribe', { targetUrl })).resolves.toHaveProperty('id');
      // A service that doesn't sign gets a secret in the address.
      const url = expect.stringMatching(/^https:\/\/hooks\.example\.com\/1\/(\?secret=\w+)?$/);
      expect(requests.map(({ body }) => body)).toEqual([{ url, events: [event], ...asked }]);
    });

    test('holds back what the service delivers all the same', async () => {
      const receive = (data: object) =>
        receiveAlone(trigger, { inputData, subscribeData, ...signed(deliveryOf(event, data)) });
      for (const data of passes) await expect(receive(data)).resolves.toEqual([triggered(recordOf(data))]);
      for (const data of isHeldBack) await expect(receive(data)).resolves.toEqual([]);
    });

    test('lists only what would pass, in one request for them', async () => {
      allowWebhooks();
      const [call, query] = list;
      const data = [...isHeldBack, ...passes].map(recordOf);
      expectCall(call, { query: { ...query, limit: 100 } }).reply(200, { data });
      await expect(step('performList', {})).resolves.toEqual(passes.map((each) => triggered(recordOf(each))));
    });
  });

  const named = [
    ['message_received', 'message.received', { channel: 'WHATSAPP business' }, { channel: 'whatsapp' }],
    ['conversation_opened', 'conversation.opened', { channel: 'Sms' }, { channel: 'sms' }],
    ['message_failed', 'message.failed', { campaign: 'summer SALE' }, { campaign_id: '402' }],
    ['campaign_started', 'campaign.started', { campaign: 'summer SALE' }, { id: '402' }],
  ] as const;

  const answerCampaigns = (id: string) => {
    expectCall('getCampaign', { id }).reply(404, { error: { code: 'not_found', message: 'No' } });
    const names = ['Winter Sale', 'Summer Sale', 'Twin', 'twin'];
    const data = names.map((name, index) => ({ ...campaign.sample, id: `40${index + 1}`, name }));
    expectCall('listCampaigns').reply(200, { data });
  };

  /** Announces the requests by which a trigger finds out which channel or campaign has that name. */
  const answerNamed = (inputData: { channel: string } | { campaign: string }) => {
    if ('channel' in inputData) answerChannels();
    else answerCampaigns(inputData.campaign);
  };

  test.each(named)('%s takes what a person calls a channel or campaign', async (trigger, event, inputData, record) => {
    answerNamed(inputData);
    const [asked] = [recordCalls('createWebhook', {}, 201, webhook.sample)];
    const kept = await runTrigger(trigger, 'performSubscribe', {
      targetUrl: 'https://hooks.example.com/1/',
      inputData,
    });
    const [[name = '', value]] = Object.entries(record) as [[string, string]];
    const filter = { [name === 'id' ? 'campaign_id' : name]: [value] };
    expect(asked).toMatchObject([{ body: { filters: filter } }]);
    const bundle = { inputData, subscribeData: { ...(kept as object), secret: subscribeData.secret } };
    const receive = (data: object) => receiveAlone(trigger, { ...bundle, ...signed(deliveryOf(event, data)) });
    await expect(receive(record)).resolves.toHaveLength(1);
    await expect(receive({ ...record, [name]: 'other' })).resolves.toEqual([]);
  });

  test.each([
    [
      { channel: 'telegram' },
      `Channel: "telegram" isn't one of the choices. Choose one of these: WhatsApp Business; sms.`,
    ],
    [{ campaign: 'Autumn' }, `Campaign: "Autumn" isn't one of the choices. Choose one of these: Winter Sale; Summer`],
    [{ campaign: 'Twin' }, 'Campaign: several are called "'],
  ])('a Zap that would stay deaf is not turned on: %j', async (inputData, words) => {
    const stops = async (name: string) => {
      answerNamed(inputData);
      await expectHalt(runTrigger('message_failed', name, { inputData }), expect.stringContaining(words));
    };
    await stops('performSubscribe');
    allowWebhooks();
    expectCall('listMessages').reply(200, { data: [] });
    await stops('performList');
  });

  test('a read message that had its own event for the delivery starts no Zap for delivered messages again', async () => {
    const inputData = { statuses: ['delivered'] };
    const receive = (event: EventName, data: object) =>
      runTrigger('message_status_updated', 'perform', { inputData, subscribeData, ...signed(deliveryOf(event, data)) });
    const delivered_at = '2026-06-11T09:40:15Z';
    await expect(receive('message.read', { delivered_at })).resolves.toEqual([]);
    await expect(receive('message.read', { delivered_at: null })).resolves.toHaveLength(1);
    // The service may report its delivery later, with a record that says by now that it was read.
    const late = { status: 'read', delivered_at };
    await expect(receive('message.delivered', late)).resolves.toEqual([]);
    await expect(receive('message.delivered', { ...late, id: 'msg_other' })).resolves.toHaveLength(1);
  });

  test('a status that is none is refused by the name of its field, before any request', async () => {
    const inputData = { statuses: ['teleported'] };
    for (const name of ['performSubscribe', 'performList']) {
      await expectHalt(
        runTrigger('message_status_updated', name, { inputData }),
        'New Status: "teleported" isn\'t one of the choices. Choose one of these: Sent; Delivered; Read; Failed.',
      );
    }
  });
});

import type { EndpointName } from '../../src/api/endpoints';
import { type EventName, events } from '../../src/api/events';
import { webhook } from '../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { allowWebhooks, authData, expectCall, recordCalls } from '../support/service';
import { triggered } from '../support/triggered';
import { runStep } from '../support/zapier';

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
    isHeldBack: [{ channel: 'sms' }, { channel: null }, { direction: 'outbound' }],
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
    what: 'words that are all blank, which is no filter',
    inputData: { contains: ['', ' '], channel: null },
    event: 'message.received',
    asked: {},
    passes: [{ text: 'anything' }, { text: '(no text)' }],
    isHeldBack: [],
    list: ['listMessages', { direction: 'inbound' }],
  },
  {
    trigger: 'message_received',
    what: 'one phrase instead of a list, with a comma',
    inputData: { contains: 'hi, where is' },
    event: 'message.received',
    asked: {},
    passes: [{ text: 'Hi, where is my parcel?' }],
    isHeldBack: [{ text: 'Hi' }, { text: 'Thank you' }],
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
    trigger: 'message_sent',
    what: 'the API, written as people see it or not, and a channel',
    inputData: { sources: ['API', 'the api or a zap'], channel: 'whatsapp' },
    event: 'message.sent',
    asked: { filters: { source: ['api'], channel: ['whatsapp'] } },
    passes: [{ source: 'api', channel: 'whatsapp' }],
    isHeldBack: [{ source: 'colleague' }, { source: 'api', channel: 'sms' }],
    list: ['listMessages', { direction: 'outbound', channel: 'whatsapp' }],
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
    what: 'one status and a channel',
    inputData: { statuses: ['Sent'], channel: 'sms' },
    event: 'message.sent',
    asked: {
      events: ['message.sent'],
      filters: { channel: ['sms'], source: ['colleague', 'ai', 'automation', 'api'] },
    },
    passes: [{ channel: 'sms' }],
    isHeldBack: [{ channel: 'whatsapp' }],
    list: ['listMessages', { direction: 'outbound', status: 'sent', channel: 'sms' }],
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
  {
    trigger: 'message_failed',
    what: 'a channel',
    inputData: { channel: 'sms' },
    event: 'message.failed',
    asked: { filters: { channel: ['sms'] } },
    passes: [{ channel: 'sms' }],
    isHeldBack: [{ channel: 'whatsapp' }],
    list: ['listMessages', { direction: 'outbound', status: 'failed', channel: 'sms' }],
  },
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

describe.each(cases)('$trigger with $what', ({ trigger, inputData, event, asked, passes, isHeldBack, list }) => {
  const step = (name: string, bundle: Parameters<typeof runStep>[1]) =>
    runStep(`triggers.${trigger}.operation.${name}`, { authData, inputData, ...bundle });
  const recordOf = (data: object) => ({ ...events[event].sample, ...data });

  test('asks the service for no more', async () => {
    const targetUrl = 'https://hooks.example.com/1/';
    const requests = recordCalls('createWebhook', {}, 201, webhook.sample);
    await expect(step('performSubscribe', { targetUrl })).resolves.toHaveProperty('id');
    // A service that doesn't sign gets a secret in the address.
    const url = expect.stringMatching(/^https:\/\/hooks\.example\.com\/1\/(\?secret=\w+)?$/);
    expect(requests.map(({ body }) => body)).toEqual([{ url, events: [event], ...asked }]);
  });

  test('holds back what the service delivers all the same', async () => {
    const receive = (data: object) => step('perform', { subscribeData, ...signed(deliveryOf(event, data)) });
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

test('a status that is none is refused by the name of its field, before any request', async () => {
  const inputData = { statuses: ['teleported'] };
  for (const name of ['performSubscribe', 'performList']) {
    await expect(
      runStep(`triggers.message_status_updated.operation.${name}`, { authData, inputData }),
    ).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'New Status: "teleported" isn\'t one of the choices. Choose one of these: Sent; Delivered; Read; Failed.',
    });
  }
});

test.each([{ channel: { key: 'sms' } }, { channel: ['sms'] }, { channel: 7 }, { direction: 2 }])(
  'holds back a payload that has %j where the filter expects text',
  async (data) => {
    const bundle = { authData, inputData: { channel: 'whatsapp' }, subscribeData };
    const request = signed(deliveryOf('message.received', data));
    await expect(runStep('triggers.message_received.operation.perform', { ...bundle, ...request })).resolves.toEqual(
      [],
    );
  },
);

test('a pressed button starts the Zap with its text, and with what only this service says of it', async () => {
  const { sample } = events['message.received'];
  const pressed = { ...sample, type: 'button', text: 'Confirm', reply_to: 'msg_9Vb4Xs', button: { payload: 'YES_1' } };
  const bundle = { authData, inputData: { contains: ['confirm'], match: 'exact' }, subscribeData };
  const request = signed(deliveryOf('message.received', pressed));
  await expect(runStep('triggers.message_received.operation.perform', { ...bundle, ...request })).resolves.toEqual([
    triggered(pressed),
  ]);
});

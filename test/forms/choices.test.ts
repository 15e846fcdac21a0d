import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import app from '../../src';
import { campaign, channel, contact, conversation, message, template } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { foldCase } from '../../src/formats/text';
import { authData, expectCall, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

const page = z.object({
  results: z.array(z.object({ id: z.string(), label: z.string() })),
  paging_token: z.nullable(z.string()),
});

type Bundle = Parameters<typeof runStep>[1];

/** One step with each dropdown, by the key of the field. */
const places = {
  channel: 'creates.send_message',
  template: 'creates.send_message',
  campaign: 'creates.start_campaign',
  contact: 'creates.update_contact',
  conversation: 'searches.find_conversation_history',
  message: 'searches.find_message_status',
};

const operation = z.looseObject({ operation: z.looseObject({ inputFields: z.array(z.unknown()) }) });
const field = z.looseObject({ key: z.string() });

const fieldsOfSteps = () => {
  const steps = [app.triggers, app.creates, app.searches].flatMap((each) => Object.values(each));
  const fields = steps.flatMap((each) => operation.parse(each).operation.inputFields);
  return fields.flatMap((each) => field.safeParse(each).data ?? []);
};

/** Lists one page of a dropdown, as Zapier asks for it. */
const list = async (key: keyof typeof places, bundle: Bundle = {}) => {
  const [kind = '', step = ''] = places[key].split('.');
  const steps = { ...app }[kind === 'creates' ? 'creates' : 'searches'];
  const { inputFields } = operation.parse(steps[step]).operation;
  const index = inputFields.findIndex((each) => field.safeParse(each).data?.key === key);
  const path = `${places[key]}.operation.inputFields.${index}.choices.perform`;
  return page.parse(await runStep(path, { authData, inputData: { channel: 'whatsapp' }, ...bundle }));
};

const labelsOf = async (...parameters: Parameters<typeof list>) =>
  (await list(...parameters)).results.map(({ label }) => label);

describe.each<[keyof typeof places, EndpointName, object, object, object]>([
  ['channel', 'listChannels', {}, channel.sample, { id: 'whatsapp', label: 'WhatsApp' }],
  [
    'template',
    'listTemplates',
    { channel: 'whatsapp' },
    template.sample,
    {
      id: 'parcel_out_for_delivery',
      label:
        'parcel_out_for_delivery (utility, en): Your parcel [Parcel Number] arrives today at about [Arrival Time].',
    },
  ],
  [
    'campaign',
    'listCampaigns',
    {},
    { ...campaign.sample, audience_size: 225 },
    { id: campaign.sample.id, label: 'Summer opening hours (completed, 225 recipients)' },
  ],
  ['contact', 'listContacts', {}, contact.sample, { id: contact.sample.id, label: 'Noor Visser +12025550123' }],
  [
    'conversation',
    'listConversations',
    {},
    { ...conversation.sample, last_message_at: '2026-06-11T09:40:00Z' },
    { id: conversation.sample.id, label: '[2026-06-11 11:40] Noor Visser +12025550123 (whatsapp, open)' },
  ],
  [
    'message',
    'listMessages',
    {},
    { ...message.sample, created_at: '2026-06-11T09:40:00Z', text: 'x'.repeat(61) },
    { id: message.sample.id, label: `[2026-06-11 11:40] To Noor Visser +12025550123: ${'x'.repeat(59)}…` },
  ],
])('the dropdown of a %s', (key, call, filter, sample, choice) => {
  const meta = { timezone: 'Europe/Amsterdam' };

  test('lists what people choose by, in one request', async () => {
    expectCall(call, { query: { ...filter, limit: 100 } }).reply(200, { data: [sample] });
    await expect(list(key, { meta })).resolves.toEqual({ results: [choice], paging_token: null });
  });

  test('goes on where the page before ended, and says when it ends', async () => {
    const [first, last] = [{ query: { ...filter, limit: 100 } }, { query: { ...filter, limit: 100, after: 'c 1' } }];
    const hasOnePage = key === 'template';
    expectCall(call, first).reply(200, { data: [sample], next_cursor: hasOnePage ? null : 'c 1' });
    const { paging_token } = await list(key);
    expect(paging_token).toBe(hasOnePage ? null : 'c 1');
    expectCall(call, last).reply(200, { data: [sample], next_cursor: null });
    await expect(list(key, { meta: { paging_token: 'c 1' } })).resolves.toMatchObject({ paging_token: null });
  });
});

test('no dropdown waits for text that Zapier never passes on', () => {
  const plain = fieldsOfSteps();
  expect(plain.map(({ key }) => key)).not.toContain('search');
  expect(plain.filter((each) => 'dynamic' in each)).toEqual([]);
  expect(Object.keys(app.triggers).filter((key) => key.startsWith('list_'))).toEqual([]);
});

test('every dropdown of records says what kind of record a value identifies', () => {
  const dropdowns = fieldsOfSteps().filter(({ key, choices }) => key in places && choices);
  expect(new Set(dropdowns.map(({ key }) => key))).toEqual(new Set(Object.keys(places)));
  expect(dropdowns.filter(({ key, resource }) => resource !== key)).toEqual([]);
});

test('people are in the order of their names, and campaigns in the order of the service', async () => {
  const named = (first_name: string, id: string) => ({ ...contact.sample, id, first_name, last_name: null });
  const data = [named('Zoë', '1'), named('Émile', '2'), named('anna', '3')];
  expectCall('listContacts').reply(200, { data });
  await expect(labelsOf('contact')).resolves.toEqual(['anna +12025550123', 'Émile +12025550123', 'Zoë +12025550123']);
  expectCall('listCampaigns').reply(200, {
    data: [
      { id: '1', name: 'Winter' },
      { id: '2', name: 'Autumn' },
    ],
  });
  await expect(labelsOf('campaign')).resolves.toEqual(['Winter', 'Autumn']);
});

test('a contact without a name is shown by its number or address', async () => {
  const data = [
    { id: '101', phone: '+12025550123' },
    { id: '102', email: 'a@example.com', first_name: null },
    { id: '103' },
  ];
  expectCall('listContacts').reply(200, { data });
  await expect(labelsOf('contact')).resolves.toEqual(['+12025550123', '103', 'a@example.com']);
});

test('a message without a contact shows the number of the other person, not ours', async () => {
  const unknown = { ...message.sample, contact: null, text: 'Hi', created_at: null };
  const [ours, person] = ['+12025550190', '+12025550123'];
  const data = [
    { ...unknown, id: '301', direction: 'outbound', from: ours, to: person },
    { ...unknown, id: '302', direction: 'inbound', from: person, to: ours },
    { ...unknown, id: '303', direction: 'outbound', from: null, to: null },
  ];
  expectCall('listMessages').reply(200, { data });
  await expect(labelsOf('message')).resolves.toEqual([`To ${person}: Hi`, `From ${person}: Hi`, 'To A customer: Hi']);
});

test('every choice is there once, on one line, and can be told from the others', async () => {
  const text = fc.oneof(
    fc.constantFrom('Noor', 'No\u200bor', 'ＮＯＯＲ', ' ', 'Noor\nVisser', ''),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
  );
  const record = fc.record({ id: fc.constantFrom('1', '2', '3', '4'), name: fc.option(text) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 6 }), async (data) => {
      expectCall('listCampaigns').reply(200, { data });
      const { results } = await list('campaign');
      expect(results.map(({ id }) => id)).toEqual([...new Set(data.map(({ id }) => id))]);
      expect(new Set(results.map(({ label }) => foldCase(label))).size).toBe(results.length);
      for (const { label } of results) expect(label).toMatch(/^\S(.{0,260}\S)?$/u);
    }),
    { numRuns: 40 },
  );
});

describe('templates', () => {
  const { sample } = template;

  // A list takes no longer for a busy machine.
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
    });
  });
  afterEach(() => jest.useRealTimers());

  test('are those of the channel that can be sent', async () => {
    const others = [{ status: 'pending' }, { status: 'rejected' }, { name: 'sms', channel: 'sms' }];
    const data = [...others.map((change, index) => ({ ...sample, name: `t${index}`, ...change })), sample];
    expectCall('listTemplates').reply(200, { data: data.filter(({ channel: on }) => on === 'whatsapp') });
    await expect(list('template')).resolves.toMatchObject({ results: [{ id: sample.name }] });
  });

  test('are none before a channel is chosen, since a name can mean another one on each channel', async () => {
    await expect(list('template', { inputData: {} })).resolves.toEqual({ results: [], paging_token: null });
  });

  test('are there once each, by name, with their languages and the beginning of each text', async () => {
    const data = [
      { ...sample, name: 'welcome', language: null, body: 'Hello\n\u202e  {{name}}', variables: null },
      { ...sample, name: 'order_shipped', body: `Your order ${'is on its way and '.repeat(20)}` },
      { ...sample, name: 'order_shipped', language: 'nl', body: 'Uw bestelling is onderweg.' },
      { ...sample, name: 'order_shipped', language: 'fr', body: 'Votre commande', status: 'rejected' },
      { ...sample, name: 'a_name', body: null },
    ];
    expectCall('listTemplates').reply(200, { data });
    await expect(labelsOf('template')).resolves.toEqual([
      'a_name (utility, en)',
      'order_shipped (utility, en, nl): Your order is on its way and is on its way and is on its wa… / Uw bestelling is onderweg.',
      'welcome (utility): Hello [Name]',
    ]);
  });

  /** Announces a shop with so many templates, in two languages each, in the order in which they were made. */
  const announce = (count: number) => {
    const versions = ['en', 'nl'].flatMap((language) =>
      Array.from({ length: count }, (_, index) => ({ ...sample, language, name: `t_${(index * 7919) % count}` })),
    );
    const pages = Array.from({ length: (2 * count) / 100 }, (_, index) =>
      versions.slice(index * 100, index * 100 + 100),
    );
    return (first: number, last: number) => {
      for (let index = first; index < last; index += 1) {
        const query = { channel: 'whatsapp', limit: 100, ...(index > 0 && { after: `c${index}` }) };
        const next_cursor = index + 1 < pages.length ? `c${index + 1}` : null;
        expectCall('listTemplates', { query }).reply(200, { data: pages[index], next_cursor });
      }
    };
  };

  test('of a shop with 300 are all in one list, with both languages each', async () => {
    announce(300)(0, 6);
    const { results, paging_token } = await list('template');
    expect(paging_token).toBeNull();
    expect(new Set(results.map(({ id }) => id)).size).toBe(300);
    expect(results.filter(({ label }) => !label.includes('(utility, en, nl)'))).toEqual([]);
    expect(results.map(({ id }) => id)).toEqual(
      results.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b, 'en')),
    );
  });

  test('come in parts where the service is slow', async () => {
    nock.cleanAll();
    nock(authData.base_url)
      .get(/templates/)
      .times(3)
      .reply(() => {
        jest.setSystemTime(Date.now() + 6_000);
        return [200, toResponse('listTemplates', 200, { data: [sample], next_cursor: `c${Date.now()}` })];
      });
    const { results, paging_token } = await list('template');
    expect([results.length, typeof paging_token, nock.isDone()]).toEqual([1, 'string', true]);
  });

  test.each([null, undefined])('are those of the channel where a version has the channel %j', async (channel) => {
    const data = [sample, { ...sample, language: 'nl', channel }, { ...sample, name: 'other', channel: 'sms' }];
    expectCall('listTemplates').reply(200, { data });
    await expect(labelsOf('template')).resolves.toEqual([expect.stringContaining(`${sample.name} (utility, en, nl)`)]);
  });

  test('come to an end where a service gives the same cursor again', async () => {
    const again = { data: [sample], next_cursor: 'again' };
    expectCall('listTemplates').reply(200, again);
    expectCall('listTemplates').reply(200, again);
    await expect(list('template')).resolves.toMatchObject({ results: [{ id: sample.name }], paging_token: null });
  });
});

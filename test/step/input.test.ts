/** What the app reads from a form, and what its dropdowns list. */

import fc from 'fast-check';
import nock from 'nock';
import { defineInputFields, type InputField } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { campaign, channel, contact, conversation, message, template } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import app from '../../src/index';
import { readField, readInput } from '../../src/step/input';
import { foldCase } from '../../src/text/fold';
import { authData, expectCall, toResponse } from '../support/service';
import { runAlone, runStep } from '../support/zapier';

describe('input', () => {
  const fields = defineInputFields([
    { key: 'name', label: 'Name' },
    { key: 'tags', label: 'Tags', list: true },
    { key: 'phrases', label: 'Phrases', list: true, type: 'text' },
    { key: 'facts', label: 'Facts', dict: true },
    { key: 'count', label: 'Count', type: 'integer' },
  ]);

  const nothing = { name: undefined, tags: [], phrases: [], facts: {}, count: undefined };

  test.each([undefined, null, '', '  \n', '\u00a0', '\u200b\u2060\ufeff', '\u0000', [], [''], {}, [null, ' ']])(
    'reads %j as nothing in every kind of field',
    (blank) => {
      const data = Object.fromEntries(fields.map(({ key }) => [key, blank]));
      expect(readInput(fields, data)).toEqual(nothing);
    },
  );

  test('reads numbers, yes and no, and several values mapped into a text field as text', () => {
    expect(readInput(fields, { name: 42 }).name).toBe('42');
    expect(readInput(fields, { name: false }).name).toBe('false');
    expect(readInput(fields, { name: 'half of an emoji: \ud83d' }).name).toBe('half of an emoji: \ufffd');
    expect(readInput(fields, { name: ['a', ' b ', null] }).name).toBe('a, b');
  });

  test('reads a list from a list, one value, or text with commas, but keeps the commas of prose', () => {
    for (const tags of [['a', 'b'], 'a,b', ['a, b'], 'a, ,b'])
      expect(readInput(fields, { tags }).tags).toEqual(['a', 'b']);
    expect(readInput(fields, { tags: 7 }).tags).toEqual(['7']);
    expect(readInput(fields, { tags: ['a', 'b', 'a'] }).tags).toEqual(['a', 'b']);
    expect(readInput(fields, { phrases: 'yes, please' }).phrases).toEqual(['yes, please']);
  });

  test('reads a dictionary without names or values that are blank', () => {
    const facts = { ' a ': ' 1 ', b: '', '': 'x', ' \n': 'x', '\u00a0': 'x', c: null, d: 2, e: ['x', 'y'] };
    expect(readInput(fields, { facts }).facts).toEqual({ a: '1', d: '2', e: 'x, y' });
  });

  test('halts by the label of a dictionary that has a name twice', () => {
    expect(() => readInput(fields, { facts: { size: 'S', ' size': 'M' } })).toThrow(
      'Facts: "size" has two values. Remove one of them.',
    );
    expect(readInput(fields, { facts: { size: 'S', ' size': '' } }).facts).toEqual({ size: 'S' });
  });

  test('halts by the label of a field that is required and empty, or no whole number', () => {
    const required = defineInputFields([{ key: 'to', label: 'Phone Number', required: true }]);
    expect(() => readInput(required, {})).toThrow(
      'Phone Number is empty. Fill it in, or check the earlier step that its value comes from.',
    );
    for (const count of ['1.5', '1'.repeat(16)]) {
      expect(() => readInput(fields, { count })).toThrow(`Count: "${count}" isn't a whole number.`);
    }
  });

  test('takes a list that is 30,000 deep for no text, in no time', () => {
    const deep = Array.from({ length: 30_000 }).reduce<unknown>((inner) => [inner], 'x');
    for (const key of ['name', 'tags', 'count']) expect(() => readInput(fields, { [key]: deep })).toThrow(/^\w+: /);
  });

  test.each([
    ['name', { deep: 1 }],
    ['tags', [{ deep: 1 }]],
    ['tags', [[{ deep: 1 }]]],
    ['tags', [[[[[[[[[[[[['too deep']]]]]]]]]]]]]],
    ['facts', 'a=b'],
    ['facts', [{ key: 'a', value: 'b' }]],
    ['facts', ['a', 'b']],
    ['facts', { a: { deep: 1 } }],
    ['facts', 5],
    ['facts', true],
    ['count', { deep: 1 }],
  ])('does not take for empty what it cannot read: %s of %j', (key, value) => {
    expect(() => readInput(fields, { [key]: value })).toThrow(
      /: (this is a group of values\. Map one value from it instead|this isn't a set of names with one value each\. .+)\.$/,
    );
  });

  test('gives what the fields promise or a sentence, whatever is mapped', () => {
    const anything = fc.record({
      name: fc.anything(),
      tags: fc.anything(),
      facts: fc.anything(),
      count: fc.anything(),
    });
    fc.assert(
      fc.property(anything, (data) => {
        try {
          const { name, tags, facts, count } = readInput(fields, data);
          expect(typeof (name ?? '')).toBe('string');
          expect([...(tags ?? []), ...Object.values(facts ?? {})].every((item) => typeof item === 'string')).toBe(true);
          expect(Number.isInteger(count ?? 0)).toBe(true);
        } catch (error) {
          expect(String(error)).toMatch(/^HaltedError: (Count: .+ isn't a whole number|\w+: this is)/s);
        }
      }),
    );
  });

  /** Every field of the app for one record, by its step. */
  const fieldsForOne = [app.triggers, app.creates, app.searches].flatMap((group) =>
    Object.values(group ?? {}).flatMap(({ key, operation }) =>
      (operation.inputFields ?? []).flatMap((field: InputField) =>
        typeof field === 'object' && 'resource' in field ? [[key, field.label, field] as const] : [],
      ),
    ),
  );

  test('the app has fields for one record', () => {
    expect(fieldsForOne.length).toBeGreaterThan(15);
  });

  test.each(fieldsForOne)('%s takes only one record in %s', (_step, label, field) => {
    const onlyOne = `${label}: "con_1, con_2" is more than one. Enter only one.`;
    expect(() => readField(field, ['con_1', 'con_2'])).toThrow(onlyOne);
    expect(readField(field, ['con_1'])).toBe('con_1');
  });

  const [templates, others] = [true, false].map((isTemplate) =>
    fieldsForOne.filter(([, , { resource }]) => (resource === 'template') === isTemplate),
  );

  test.each(others ?? [])('%s takes no text with a comma for one record in %s', (_step, label, field) => {
    expect(() => readField(field, 'con_1, con_2')).toThrow(
      `${label}: "con_1, con_2" is more than one. Enter only one.`,
    );
  });

  test.each(templates ?? [])("%s takes a text with a comma for one template's name in %s", (_step, _label, field) => {
    expect(readField(field, 'con_1, con_2')).toBe('con_1, con_2');
  });
});

describe('choices', () => {
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

  /** Returns the path of the function that lists a dropdown. */
  const pathTo = (key: keyof typeof places): string => {
    const [kind = '', step = ''] = places[key].split('.');
    const steps = { ...app }[kind === 'creates' ? 'creates' : 'searches'];
    const { inputFields } = operation.parse(steps[step]).operation;
    const index = inputFields.findIndex((each) => field.safeParse(each).data?.key === key);
    return `${places[key]}.operation.inputFields.${index}.choices.perform`;
  };

  /** Lists one page of a dropdown, as Zapier asks for it. */
  const list = async (key: keyof typeof places, bundle: Bundle = {}) =>
    page.parse(await runStep(pathTo(key), { authData, inputData: { channel: 'whatsapp' }, ...bundle }));

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
  });

  test('a dropdown goes on where the page before ended, and says when it ends', async () => {
    expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: [contact.sample], next_cursor: 'c 1' });
    await expect(list('contact')).resolves.toMatchObject({ paging_token: 'c 1' });
    expectCall('listContacts', { query: { limit: 100, after: 'c 1' } }).reply(200, { data: [contact.sample] });
    await expect(list('contact', { meta: { paging_token: 'c 1' } })).resolves.toMatchObject({ paging_token: null });
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
        const respond = () => new Response(toResponse({ data }));
        const { results } = page.parse(await runAlone(pathTo('campaign'), { authData, meta: {} }, { respond }));
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

    test('of a shop with 300 are all in one list, with both languages each', async () => {
      const versions = ['en', 'nl'].flatMap((language) =>
        Array.from({ length: 300 }, (_, index) => ({ ...sample, language, name: `t_${(index * 7919) % 300}` })),
      );
      for (let page = 0; page < 6; page += 1) {
        const query = { channel: 'whatsapp', limit: 100, ...(page > 0 && { after: `c${page}` }) };
        const data = versions.slice(page * 100, page * 100 + 100);
        expectCall('listTemplates', { query }).reply(200, { data, next_cursor: page < 5 ? `c${page + 1}` : null });
      }
      const { results, paging_token } = await list('template');
      const ids = results.map(({ id }) => id);
      expect([paging_token, new Set(ids).size]).toEqual([null, 300]);
      expect(results.filter(({ label }) => !label.includes('(utility, en, nl)'))).toEqual([]);
      expect(ids).toEqual(ids.toSorted((a, b) => a.localeCompare(b, 'en')));
    });

    test('come in parts where the service is slow', async () => {
      nock.cleanAll();
      nock(authData.base_url)
        .get(/templates/)
        .times(3)
        .reply(() => {
          jest.setSystemTime(Date.now() + 6_000);
          return [200, toResponse({ data: [sample], next_cursor: `c${Date.now()}` })];
        });
      const { results, paging_token } = await list('template');
      expect([results.length, typeof paging_token, nock.isDone()]).toEqual([1, 'string', true]);
    });

    test.each([null, undefined])('are those of the channel where a version has the channel %j', async (channel) => {
      const data = [sample, { ...sample, language: 'nl', channel }, { ...sample, name: 'other', channel: 'sms' }];
      expectCall('listTemplates').reply(200, { data });
      await expect(labelsOf('template')).resolves.toEqual([
        expect.stringContaining(`${sample.name} (utility, en, nl)`),
      ]);
    });

    test('come to an end where a service gives the same cursor again', async () => {
      const again = { data: [sample], next_cursor: 'again' };
      expectCall('listTemplates').reply(200, again);
      expectCall('listTemplates').reply(200, again);
      await expect(list('template')).resolves.toMatchObject({ results: [{ id: sample.name }], paging_token: null });
    });
  });
});

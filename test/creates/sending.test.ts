/** Sending: what is sent, to whom, under which key, and what a test in the editor does. */

import fc from 'fast-check';
import { campaign, campaignRun, message } from '../../src/api/resources';
import { expectHalt } from '../support/halt';
import { type Bundle, oneRecipient, parcel, readKey, runCreate, to } from '../support/sends';
import { authData, expectCall, recordCalls, recordSends } from '../support/service';
import { emptyCache } from '../support/zapier';

describe('Send Template Message', () => {
  const input = { ...parcel, to: '+1 202 555 0123' };

  const send = (inputData: object = {}, bundle: Bundle = {}) =>
    runCreate('send_message', { ...input, ...inputData }, bundle);

  const keyOf = async (inputData: Record<string, unknown>, bundle = {}) => {
    const sent = recordSends(202, message.sample);
    await send(inputData, bundle);
    return sent[0]?.headers['idempotency-key'];
  };

  test('sends exactly the four specified fields, with the number in E.164, and gives the id of the message', async () => {
    const sent = recordSends(202, message.sample);
    const variables = { parcel_id: 'PX-20418', arrival_time: '14:30' };
    await expect(send({ variables })).resolves.toMatchObject({ id: message.sample.id });
    expect(sent[0]?.body).toEqual({
      channel: 'whatsapp',
      to: '+12025550123',
      template: 'parcel_out_for_delivery',
      variables,
    });
  });

  test('sends all four fields also without variables', async () => {
    const sent = recordSends(202, message.sample);
    await send({ variables: { note: ' ' } });
    expect(sent[0]?.body).toMatchObject({ variables: {} });
  });

  describe('the phone number', () => {
    test('is read as one of the country of the account, and of no other', async () => {
      const connection = { ...authData, default_country: 'US' };
      const american = recordSends(202, message.sample);
      await send({ to: '(202) 555-0123' }, { authData: connection });
      expect(american[0]?.body).toMatchObject({ to: '+12025550123' });
      const french = recordSends(202, message.sample);
      await send(
        { to: '06 39 98 12 34', default_country: 'US' },
        { authData: { ...connection, default_country: 'FR' } },
      );
      expect(french[0]?.body).toMatchObject({ to: '+33639981234' });
    });

    test('that is none is refused by the name of its field, before any request', async () => {
      await expectHalt(
        send({ to: 'call me' }),
        'Phone Number: "call me" isn\'t a complete phone number. Enter only the number, with the country code, such as +12025550123.',
      );
    });
  });

  test.each([
    ['channel', 'Channel'],
    ['template', 'Template'],
  ])('asks for %s by its label when it is blank, before any request', async (key, label) => {
    for (const blank of ['', '   ', null, undefined, []]) {
      await expectHalt(
        send({ [key]: blank }),
        `${label} is empty. Fill it in, or check the earlier step that its value comes from.`,
      );
    }
  });

  describe('Send Once for Each', () => {
    test('is the same header for the same key, whatever the run, and another for another key', async () => {
      const first = await keyOf({ deduplication_key: 'order 1' });
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(await keyOf({ deduplication_key: ' order 1 ', variables: { a: 'b' } })).toBe(first);
      expect(await keyOf({ deduplication_key: 'order 1', to: '+1 (202) 555-0123' })).toBe(first);
      for (const key of ['\u200b order 1 \u200b', 'order\u00a01\u0000', 'or\u034fder \t1\u3164', ['order 1']])
        expect(await keyOf({ deduplication_key: key })).toBe(first);
      expect(await keyOf({ deduplication_key: 'order 2' })).not.toBe(first);
    });

    test('takes one value for another however a program encodes it, and no two values for one', () => {
      const values = fc.array(fc.constantFrom('é', 'ö', 'Å', '가', 'A', '7', '-', ' '), { minLength: 1, maxLength: 8 });
      const encodings = fc.constantFrom('NFC', 'NFD');
      const unseen = fc.constantFrom('', ' ', '\u200b', '\ufeff', '\u00ad', '\t');
      fc.assert(
        fc.property(values, encodings, unseen, (parts, encoding, around) => {
          const value = parts.join('').trim();
          fc.pre(/[\p{L}\d]/u.test(value));
          const other = around + [...value.normalize(encoding)].join(around.trim()) + around;
          expect(readKey(other)).toBe(readKey(value));
          expect(readKey(`${value}7`)).not.toBe(readKey(value));
        }),
        { numRuns: 25, seed: 531 },
      );
    });

    test('stops the test of a step when it is the same in every run, and no live run', async () => {
      const form = { ...input, deduplication_key: 'order' };
      await expectHalt(
        send(form, { inputDataRaw: form, meta: { isLoadingSample: true } }),
        'Send Once for Each: "order" is the same in every run, so each person would get only the first one in 24 hours. Map the order number or another value that differs, or clear the field.',
      );
      await expect(keyOf(form, { inputDataRaw: form })).resolves.toMatch(/^[0-9a-f]{64}$/);
    });

    test('lets another template, channel or person have the same value, since that is another message', async () => {
      const order = { deduplication_key: 'order 1' };
      const keys = [
        await keyOf(order),
        await keyOf({ ...order, template: 'parcel_delivered' }),
        await keyOf({ ...order, channel: 'sms' }),
        await keyOf({ ...order, to: '+12025550187' }),
        await keyOf({ template: 'order 1', deduplication_key: 'parcel_out_for_delivery' }),
      ];
      expect(new Set(keys).size).toBe(keys.length);
    });

    test.each([
      ['+525512345678', '+5215512345678'],
      ['+541123456789', '+5491123456789'],
      ['+551187654321', '+5511987654321'],
    ])('is the same for %s and %s, which are one person, and each goes out as it is written', async (short, long) => {
      const keys = new Map<string, string | undefined>();
      for (const number of [short, long]) {
        const sent = recordSends(202, message.sample);
        await send({ to: number, deduplication_key: 'order 1' });
        expectCall('getCampaign', { id: oneRecipient.campaign }).reply(200, campaign.sample);
        recordCalls('triggerCampaign', { id: oneRecipient.campaign }, 202, campaignRun.sample, sent);
        await runCreate('start_campaign', { ...oneRecipient, to: number, deduplication_key: 'order 1' });
        expect(sent).toMatchObject([{ body: { to: number } }, { body: { to: number } }]);
        for (const { call, headers } of sent) keys.set(call + headers['idempotency-key'], number);
      }
      expect(keys.size).toBe(2);
    });

    test("isn't used in a test that goes to the tester, who may test again", async () => {
      const test = { test_recipient: '+12025550187', deduplication_key: 'order 1' };
      const inEditor = { meta: { isLoadingSample: true } };
      const keys = [await keyOf(test, inEditor), await keyOf(test, inEditor)];
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(keys[0]).not.toBe(keys[1]);
      await expect(keyOf(test, { inputDataRaw: test })).resolves.toMatch(/^[0-9a-f]{64}$/);
    });

    test('that was used for another message halts and says that nothing was sent', async () => {
      recordSends(422, { error: { code: 'idempotency_mismatch', message: 'Mismatch' } });
      await expectHalt(
        send({ deduplication_key: 'order 1' }),
        expect.stringContaining(
          'Send Once for Each: this value was used in the last 24 hours with different details, so nothing was sent this time',
        ),
      );
    });

    test.each(['N/A-7', 'Nonesuch', '50%OFF%', 'https://x.example/?q=%E4%BA%ACABC%20X'])(
      'takes %j, which is a value',
      (value) => {
        expect(readKey(value)).toMatch(/^[0-9a-f]{64}$/);
      },
    );

    test.each(['{{order}}', 'NaN', '#N/A', 'Loading...', '%ORDER%', 'N/A', '-', 'NONE', 'Null', 'nil'])(
      'refuses %j, which would stop later messages to the person',
      (value) => {
        expect(() => readKey(value)).toThrow(
          `Send Once for Each: "${value}" is a placeholder, not a value, so this step did nothing.`,
        );
      },
    );
  });

  describe('an agent', () => {
    const now = Date.parse('2026-06-11T12:03:00Z');
    const parcelOf = (parcel_id: string) => ({ parcel_id, arrival_time: '14:30' });

    beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(now));
    afterEach(() => jest.spyOn(Date, 'now').mockRestore());

    const callAfter = async (minutes: number, values: object, bundle = {}) => {
      jest.spyOn(Date, 'now').mockReturnValue(now + minutes * 60_000);
      return keyOf({ variables: parcelOf('PX-1'), ...values }, bundle);
    };

    test.each<[what: string, values: object, first?: object]>([
      ['the same values', {}],
      ['the values in another order', { variables: { arrival_time: '14:30', parcel_id: 'PX-1' } }],
      ['the number written in another way', { to: '(202) 555-0123' }],
      ['a letter in another encoding', { variables: parcelOf('Zo\u00eb'.normalize('NFD')) }, parcelOf('Zo\u00eb')],
    ])(
      'that calls again within ten minutes with %s makes the same call',
      async (_, values, variables = parcelOf('PX-1')) => {
        const account = { authData: { ...authData, default_country: 'US' } };
        const first = await callAfter(0, { variables }, account);
        expect(first).toMatch(/^[0-9a-f]{64}$/);
        expect(await callAfter(9, values, account)).toBe(first);
        emptyCache();
        expect(await callAfter(1, values, account)).toBe(first);
      },
    );

    test.each<[what: string, minutes: number, values: object, bundle: object]>([
      ['another value', 1, { variables: parcelOf('PX-2') }, {}],
      ['another person', 1, { to: '+12025550187' }, {}],
      ['another template', 1, { template: 'parcel_delivered' }, {}],
      ['an hour later', 60, {}, {}],
      ['by a form', 1, {}, { inputDataRaw: {} }],
      ['with a key of its own', 1, { deduplication_key: 'order 1' }, {}],
    ])('that sends %s makes another call', async (_, minutes, values, bundle) => {
      const first = await callAfter(0, {});
      expect(await callAfter(minutes, values, bundle)).not.toBe(first);
    });

    test('whose call is repeated hears that the message was sent before', async () => {
      const sent = { ...message.sample, created_at: new Date(now).toISOString() };
      expectCall('sendMessage').reply(202, sent);
      await expect(send()).resolves.toMatchObject({ already_sent: false });
      expectCall('sendMessage').reply(202, sent, { 'idempotent-replayed': 'true' });
      await expect(send()).resolves.toMatchObject({ already_sent: true });
    });

    test('whose campaign call is repeated starts it once, for one person or all', async () => {
      const keyOfStart = async (values: object) => {
        expectCall('getCampaign', { id: oneRecipient.campaign }).reply(200, campaign.sample);
        const sent = recordCalls('triggerCampaign', { id: oneRecipient.campaign }, 202, campaignRun.sample);
        await runCreate('start_campaign', { campaign: oneRecipient.campaign, ...values });
        return sent[0]?.headers['idempotency-key'];
      };
      const one = { ...oneRecipient, to };
      const saved = { audience: 'saved', max_recipients: 500 };
      const keys = [await keyOfStart(one), await keyOfStart({ ...one, to: '+12025550187' }), await keyOfStart(saved)];
      expect(new Set(keys).size).toBe(3);
      expect([await keyOfStart(one), await keyOfStart(saved)]).toEqual([keys[0], keys[2]]);
    });
  });

  describe('Test Messages Go To', () => {
    test('gets the message of a test in the editor', async () => {
      const sent = recordSends(202, message.sample);
      await send({ test_recipient: '+1 202 555 0187' }, { meta: { isLoadingSample: true } });
      expect(sent[0]?.body).toMatchObject({ to: '+12025550187' });
    });

    test('gets nothing from a live Zap', async () => {
      const sent = recordSends(202, message.sample);
      const inputDataRaw = { test_recipient: '+12025550187' };
      await send({ test_recipient: '+12025550187' }, { inputDataRaw, meta: { isLoadingSample: false } });
      expect(sent[0]?.body).toMatchObject({ to: '+12025550123' });
    });

    test.each(['+12025550187', 'me'])('stops an agent, which has no editor to test in: %s', async (test_recipient) => {
      await expectHalt(
        send({ test_recipient }),
        'Test Messages Go To works only in the Zap editor, so nothing was sent. Leave the field empty to send the message for real.',
      );
    });

    describe('of the account', () => {
      const account = { ...authData, default_country: 'US', test_recipient: '(202) 555-0187' };
      const inTest = { authData: account, meta: { isLoadingSample: true } };

      // A form shows no field for another one, but a step may still have one from before.
      test.each([undefined, '+12025550188', 'me'])('gets a test when the step has %j', async (test_recipient) => {
        const sent = recordSends(202, message.sample);
        await send({ deduplication_key: 'order 1', test_recipient }, inTest);
        expect(sent[0]?.body).toMatchObject({ to: '+12025550187' });
        expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
      });

      test.each([{}, { inputDataRaw: {} }])('gets nothing from a live Zap or an agent: %j', async (raw) => {
        const sent = recordSends(202, message.sample);
        await send({}, { authData: account, ...raw });
        expect(sent[0]?.body).toMatchObject({ to: '+12025550123' });
      });

      test('sends nothing when it is no number', async () => {
        const broken = { ...inTest, authData: { ...account, test_recipient: 'me' } };
        await expect(send({}, broken)).rejects.toThrow(
          'Test Messages Go To of the account: "me" isn\'t a complete phone number.',
        );
      });
    });

    test('still names an invalid number of the customer', async () => {
      const inputData = { to: 'call me', test_recipient: '+12025550187' };
      await expect(send(inputData, { meta: { isLoadingSample: true } })).rejects.toThrow('Phone Number: "call me"');
    });

    test('is named when the service refuses its number', async () => {
      recordSends(422, { error: { code: 'recipient_opted_out', message: 'Opted out' } });
      await expect(send({ test_recipient: '+12025550187' }, { meta: { isLoadingSample: true } })).rejects.toThrow(
        'Test Messages Go To: this person has opted out of messages',
      );
    });
  });
});

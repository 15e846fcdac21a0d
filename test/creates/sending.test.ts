/** Sending: what is sent, to whom, and what keeps a message from being sent twice. */

import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountryCallingCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import type { Bundle as CoreBundle } from 'zapier-platform-core';
import * as z from 'zod/mini';
import app from '../../src';
import { endpoints } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { campaign, campaignRun, contact, message } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { type CountryCode, countryCodes, nameOfCountry } from '../../src/message/country';
import { parseRecipient } from '../../src/message/phone';
import { readAllowedCountries } from '../../src/message/recipient';
import { readIdempotencyKey } from '../../src/step/once';
import { pathOf } from '../support/calls';
import { deliveryOf } from '../support/deliveries';
import { expectHalt } from '../support/halt';
import { authData, expectCall, recordCalls, recordSends, service, toResponse } from '../support/service';
import { emptyCache, runAlone, runStep } from '../support/zapier';

type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

const run = (step: string, inputData: object, bundle: Bundle = {}) =>
  runStep(`creates.${step}.operation.perform`, { authData, inputData: { ...inputData }, ...bundle });

const asBundle = z.custom<CoreBundle>();

/** Returns the key for a value of Send Once for Each, and the form in which it was mapped. */
const readKey = (deduplication_key: string, form?: string): string | undefined =>
  readIdempotencyKey(
    endpoints.sendMessage,
    asBundle.parse({
      inputData: { deduplication_key },
      ...(form !== undefined && { inputDataRaw: { deduplication_key: form } }),
    }),
  )();

const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };
const oneRecipient = { campaign: 'cmp_5Jc1Fy', audience: 'one' };

/** Every step that sends, with input for one person but the number. */
const sends: [step: string, input: object][] = [
  ['send_message', parcel],
  ['send_message_and_wait', parcel],
  ['start_campaign', oneRecipient],
];

const inEditor = { isLoadingSample: true };

describe('Send Template Message', () => {
  const input = { ...parcel, to: '+1 202 555 0123' };

  const send = (inputData: object = {}, bundle: Bundle = {}) => run('send_message', { ...input, ...inputData }, bundle);

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
        await run('start_campaign', { ...oneRecipient, to: number, deduplication_key: 'order 1' });
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
        await run('start_campaign', { campaign: oneRecipient.campaign, ...values });
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

describe('recipients', () => {
  describe('a person who hides the number', () => {
    const empty =
      'Phone Number: the value for this run is empty, so nothing was sent. Messages go to phone numbers only. If this person hides theirs, answer at Message Link or Conversation Link, or skip them with a filter on Has Phone Number.';

    test.each(sends)('%s says why nothing was sent when Phone Number is empty in a run', async (step, input) => {
      const inputDataRaw = { ...input, to: '{{1__contact__phone}}' };
      for (const number of [undefined, ' ', [], 'null']) {
        const sent = run(step, { ...input, to: number }, { inputDataRaw });
        await expectHalt(sent, empty);
      }
      // An agent has no mappings.
      await expect(run(step, { ...input, to: '' })).rejects.toThrow(empty);
    });

    test.each(sends)('%s says that a username is no phone number', async (step, input) => {
      await expect(run(step, { ...input, to: '@lotte.p' })).rejects.toThrow(
        /^Phone Number: "@lotte\.p" is a username, not a phone number\. .* at Message Link\.$/,
      );
    });

    test('the id of a messaging app is never taken for a phone number, in any country', async () => {
      const ids = fc
        .tuple(
          fc.constantFrom('US', 'NL', 'us', 'GB', 'US.ENT'),
          fc.stringMatching(/^[A-Za-z0-9]{1,60}$|^31612345678$/),
        )
        .map((parts) => parts.join('.'));
      const whatsApp = fc.constantFrom('31612345678@lid', '120363025246125486@g.us', '31612345678-1600000000@g.us');
      await fc.assert(
        fc.asyncProperty(fc.oneof(ids, whatsApp), fc.constantFrom('NL', 'US', ''), async (id, country) => {
          await expectHalt(
            parseRecipient('Phone Number', id, country, []),
            expect.stringContaining("is an app's ID for a person who hides their phone number."),
          );
        }),
        { numRuns: 100 },
      );
    });
  });

  describe('a number', () => {
    const codes = countryCodes;

    /** A mobile number of each country that has an example. */
    const mobiles = new Map<CountryCode, string>(
      codes.flatMap((code) => {
        const number = getExampleNumber(code, examples);
        return number?.country === code ? [[code, number.number] as const] : [];
      }),
    );

    const read = (allowed_countries: string, number: string) =>
      parseRecipient('Phone Number', number, undefined, readAllowedCountries({ allowed_countries }));

    const notIncluded = (place: string) =>
      `is a number in ${place}, which Send Only To Countries of the account doesn't include, so nothing was sent. Check the number, or add the country there.`;

    test.each(sends)(
      '%s sends nothing to another country or a costly number, in the editor too',
      async (step, input) => {
        const account = { ...authData, allowed_countries: 'CA' };
        for (const isLoadingSample of [false, true]) {
          const values = { ...input, to, ...(isLoadingSample && { test_recipient: to }) };
          const sent = run(step, values, { authData: account, meta: { isLoadingSample } });
          await expectHalt(sent, `Phone Number: "${to}" ${notIncluded('United States')}`);
        }
        await expect(run(step, { ...input, to: '+19005550123' })).rejects.toThrow('is a premium, shared-cost');
      },
    );

    /** Where the library's metadata has ranges of numbers by kind. */
    const kinds = { premium: 3, 'shared cost': 9 };
    const ranges = z.array(z.nullish(z.union([z.number(), z.tuple([z.string()], z.unknown())])));

    /** Numbers of a kind in a country, by drawing digits that its range begins with. */
    const drawOf = (code: CountryCode, kind: keyof typeof kinds): fc.Arbitrary<string> | undefined => {
      const types = ranges.safeParse(metadata.countries[code]?.[11]).data;
      const range = types?.[kinds[kind]];
      const [pattern] = Array.isArray(range) ? range : [];
      if (!pattern) return undefined;
      const calling = metadata.countries[code]?.[0];
      return fc.stringMatching(new RegExp(`^(?:${pattern})$`)).map((digits) => `+${calling}${digits}`);
    };

    const isCostly = (text: string): boolean =>
      ['PREMIUM_RATE', 'SHARED_COST'].includes(parsePhoneNumberFromString(text)?.getType() ?? '');

    const costly = (['premium', 'shared cost'] as const).flatMap((kind) =>
      codes.flatMap((code) => drawOf(code, kind) ?? []),
    );

    const satellites = fc
      .tuple(
        fc.constantFrom('870', '881', '8816', '88216', '88213', '883', '979', '808'),
        fc.stringMatching(/^[1-9]\d{6,8}$/),
      )
      .map(([code, digits]) => `+${code}${digits}`);

    test('nothing is sent to a premium, shared-cost or satellite number', async () => {
      expect(costly.length).toBeGreaterThan(100);
      const costlyNumber = fc.oneof(...costly).filter(isCostly);
      const numbers = fc.oneof({ arbitrary: costlyNumber, weight: 3 }, satellites);
      await fc.assert(
        fc.asyncProperty(numbers, async (number) => {
          await expect(read('', number)).rejects.toThrow(
            /^Phone Number: "\+\d+" (is a premium, shared-cost, personal or satellite number, so nothing was sent|isn't a complete)/,
          );
        }),
        { numRuns: 200 },
      );
    });

    test.each(['+49900123456', '+4990012345678', '+44905123456', '+819901234567', '+4390012345'])(
      'nothing is sent to %s, which has a digit less or more than a premium number',
      async (number) => {
        await expectHalt(read('', number), expect.stringContaining('is a premium, shared-cost, personal or satellite'));
      },
    );

    test('messages go only to the countries of the account', async () => {
      expect(mobiles.size).toBeGreaterThan(200);
      const some = fc.subarray(codes, { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...mobiles), some, async ([code, number], chosen) => {
          await expect(read(`FR; ${code.toLowerCase()}`, number)).resolves.toBe(number);
          // Countries with the same calling code may share numbers.
          const allowed = chosen.filter((each) => getCountryCallingCode(each) !== getCountryCallingCode(code));
          fc.pre(allowed.length > 0);
          const names = allowed.map((each, index) => (index % 2 ? nameOfCountry(each) : each)).join(', ');
          await expectHalt(
            read(names, number),
            expect.stringMatching(/^Phone Number: "\+\d+" is a number in .+, which Send Only/),
          );
        }),
        { numRuns: 200 },
      );
    });

    test.each([
      ['+18762101234', 'US, CA', 'Jamaica'],
      ['+18092345678', 'US, CA', 'Dominican Republic'],
      ['+12025550123', 'CA', 'United States'],
      ['+77710009998', 'RU', 'Kazakhstan'],
      ['+447781123456', 'GB', 'Guernsey'],
    ])(
      '%s stops an account that sends only to %s, since the same calling code is not the same country',
      async (number, allowed_countries, place) => {
        await expectHalt(read(allowed_countries, number), `Phone Number: "${number}" ${notIncluded(place)}`);
      },
    );

    test.each([' ,; ', 'US, X'])(
      'an unknown country lets nothing pass, and neither do separators alone: %j',
      (allowed_countries) => {
        expect(() => readAllowedCountries({ allowed_countries })).toThrow(
          "isn't in the list of countries, so nothing was sent. Enter two-letter codes",
        );
      },
    );

    test.each(['GB', 'IM,', 'United Kingdom', 'Isle of Man\n'])(
      'a number of a plan that countries share passes for each of them: %s',
      async (allowed_countries) => {
        await expect(read(allowed_countries, '+447924123456')).resolves.toBe('+447924123456');
      },
    );

    test('a contact may have any number, since creating one sends nothing', async () => {
      expectCall('createContact').reply(201, contact.sample);
      const account = { ...authData, allowed_countries: 'NL' };
      const created = run('create_contact', { phone: '+19005550123' }, { authData: account });
      await expect(created).resolves.toHaveProperty('id');
    });
  });
});

describe('repeats', () => {
  describe('Already Sent', () => {
    const unknownTemplate = { id: 'cmp_5Jc1Fy', template: null };
    const key = { deduplication_key: 'order 1' };

    afterEach(() => jest.spyOn(Date, 'now').mockRestore());

    test.each<
      [step: string, call: EndpointName, input: object, response: typeof message.sample | typeof campaignRun.sample]
    >([
      ['send_message', 'sendMessage', { ...parcel, to }, message.sample],
      ['start_campaign', 'triggerCampaign', { ...oneRecipient, to }, campaignRun.sample],
    ])('%s says so of a repeat, and of nothing else', async (step, call, input, response) => {
      service()
        .get(pathOf('getCampaign', { id: 'cmp_5Jc1Fy' }))
        .optionally()
        .times(2)
        .reply(200, toResponse(unknownTemplate));
      for (const isRepeat of [true, false]) {
        expectCall(call, { id: 'cmp_5Jc1Fy' }).reply(202, response, { 'Idempotent-Replayed': String(isRepeat) });
        jest.spyOn(Date, 'now').mockReturnValue(Date.parse(response.created_at ?? '') + 1_000);
        await expect(run(step, { ...input, ...key })).resolves.toMatchObject({ already_sent: isRepeat });
      }
    });

    test.each<[what: string, status: number, read: object, wanted: string]>([
      ['is that of today', 200, { status: 'read' }, 'read'],
      ['is that of the first response when the message is gone', 404, {}, 'queued'],
      ['is that of the first response when the service fails', 500, {}, 'queued'],
      ['is that of the first response when another message comes', 200, { id: 'msg_other', status: 'read' }, 'queued'],
    ])('the status of a message that was sent before %s', async (_, status, read, wanted) => {
      const queued = { ...message.sample, status: 'queued' as const };
      expectCall('sendMessage').reply(202, queued, { 'Idempotent-Replayed': 'true' });
      expectCall('getMessage', { id: queued.id }).reply(status, { ...queued, ...read });
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(queued.created_at ?? '') + 60_000);
      await expect(run('send_message', { ...parcel, to, ...key })).resolves.toMatchObject({
        already_sent: true,
        status: wanted,
      });
    });

    test('a record that is hours old was there before, even if the service has no word for that', async () => {
      const { created_at } = message.sample;
      const sendAt = (age: number) => {
        jest.spyOn(Date, 'now').mockReturnValue(Date.parse(created_at ?? '') + age);
        expectCall('sendMessage').reply(202, message.sample);
        return run('send_message', { ...parcel, to, ...key });
      };
      await expect(sendAt(60 * 60_000 + 1_000)).resolves.toMatchObject({ already_sent: true });
      await expect(sendAt(60 * 60_000)).resolves.toMatchObject({ already_sent: false });
    });

    test.each([
      ['Phone Number', { to: '+12025550124' }],
      ['Template', { template: 'invoice' }],
      ['Channel', { channel: 'sms' }],
    ])('Send Template Message halts when the service responds with a message with another %s', async (label, other) => {
      const response = toResponse({ ...message.sample, ...other });
      expectCall('sendMessage').interceptor.reply(202, response);
      const step = run('send_message', { ...parcel, to });
      await expectHalt(
        step,
        `${label}: the messaging service responded with a message that has another value here, so it's unclear what was sent. Check the conversation before you run this step again.`,
      );
    });

    test('Start Campaign halts when the service responds with the run of another campaign', async () => {
      expectCall('getCampaign', { id: oneRecipient.campaign }).reply(200, unknownTemplate);
      expectCall('triggerCampaign', { id: oneRecipient.campaign }).reply(202, {
        ...campaignRun.sample,
        campaign_id: 'cmp_2',
      });
      const step = run('start_campaign', { ...oneRecipient, to });
      await expectHalt(
        step,
        "Campaign: the messaging service responded with the run of another campaign, so it's unclear what was sent. Check both campaigns before you run this step again.",
      );
    });

    test.each(['send_message', 'send_message_and_wait', 'start_campaign'] as const)(
      '%s has the field in its sample and in the fields that people map',
      (key) => {
        const { sample, outputFields } = app.creates[key]?.operation ?? {};
        expect(sample).toHaveProperty('already_sent', false);
        const field = expect.objectContaining({ key: 'already_sent', label: 'Already Sent', type: 'boolean' });
        expect(outputFields).toContainEqual(field);
      },
    );
  });

  describe('the promise of a replay', () => {
    const reply = events['message.received'].sample;
    const minuteMs = 60_000;

    /** The service keeps a key for 24 hours, and Autoreplay may take hours. Its clock may be up to an hour ahead. */
    const isSafe = (key: string | undefined, ageMinutes: number | null): boolean =>
      Boolean(key?.trim()) && ageMinutes !== null && ageMinutes > -60 && ageMinutes < 12 * 60;

    /** Whether an error promises no replay, and says what a person can do. */
    const isFinal = (name: string, text: string): boolean =>
      name === 'HaltedError' &&
      !/replay|twice/i.test(text) &&
      /(Check the conversation|[Rr]ead the message) in the messaging service\.$/.test(text);

    const refusals = [401, 403, 404, 429, 500, 503] as const;

    const wait = fc.record({
      key: fc.constantFrom(undefined, '', ' ', 'order 1'),
      /** Half minutes, since no promise changes within them. Null when nobody knows when the message was sent. */
      ageMinutes: fc.option(
        fc.integer({ min: -3_000, max: 3_000 }).map((minutes) => minutes + 0.5),
        { freq: 6 },
      ),
      isKept: fc.boolean(),
      list: fc.constantFrom(...refusals, 'shows no reply'),
      lookUp: fc.constantFrom(...refusals, 'gives an older message'),
    });
    type Given<A> = A extends fc.Arbitrary<infer T> ? T : never;

    const respondTo =
      ({ list, lookUp }: Given<typeof wait>, sent: object) =>
      ({ method, url }: { method: string; url: string }): Response => {
        if (method === 'DELETE') return new Response(null, { status: 204 });
        const answer = (given: number | string, body: object) => {
          const status = typeof given === 'number' ? given : 200;
          return new Response(toResponse(status === 200 ? body : {}), { status });
        };
        if (url.startsWith(pathOf('listWebhooks'))) return answer(200, { data: [] });
        if (url === pathOf('getMessage', { id: message.sample.id })) return answer(lookUp, sent);
        if (url === pathOf('getMessage', { id: reply.id }))
          return answer(lookUp, { ...reply, created_at: '2026-01-01T00:00:00Z' });
        return answer(list, { data: [sent] });
      };

    /** Resumes a step, and returns the error. */
    const resume = async (given: Given<typeof wait>): Promise<Error> => {
      const { key, ageMinutes, isKept } = given;
      const at = ageMinutes === null ? undefined : Date.now() - ageMinutes * minuteMs;
      const sent = { ...message.sample, created_at: at === undefined ? null : new Date(at).toISOString() };
      const querystring = { sent: sent.id, sent_at: String(at ?? Number.NaN), already_sent: 'false', wait: 'own' };
      const bundle = {
        authData,
        inputData: { channel: 'whatsapp', template: 'parcel', to: '+1 202 555 0123', deduplication_key: key },
        outputData: isKept ? { sent, recipient: '+12025550123', webhook_id: '501', already_sent: false } : {},
        cleanedRequest: { ...deliveryOf('message.received', reply), querystring },
      };
      const path = 'creates.send_message_and_wait.operation.performResume';
      const ended = runAlone(path, bundle, { respond: respondTo(given, sent) });
      const error: unknown = await ended.then(String, (thrown: unknown) => thrown);
      if (error instanceof Error) return error;
      throw new Error(`The step went on with ${error}.`);
    };

    test('a wait without its reply promises a replay, and may be repeated, only while the service surely keeps the key', async () => {
      let promises = 0;
      const holds = fc.asyncProperty(wait, async (given) => {
        const { name, message: text } = await resume(given);
        promises += Number(/replay|twice/i.test(text));
        // A run on hold may outlive the key.
        expect(name).not.toBe('ExpiredAuthError');
        expect(isSafe(given.key, given.ageMinutes) || isFinal(name, text)).toBe(true);
      });
      const failing = { key: 'order 1', list: 500, lookUp: 500 } as const;
      const edges = [-60.5, -59.5, 719.5, 720.5].flatMap((ageMinutes) =>
        [true, false].map((isKept): [Given<typeof wait>] => [{ ...failing, ageMinutes, isKept }]),
      );
      const rotated = { ...failing, ageMinutes: 1.5, isKept: true, list: 401, lookUp: 401 } as const;
      await fc.assert(holds, { numRuns: 200, examples: [...edges, [rotated]] });
      expect(promises).toBeGreaterThan(0);
    });
  });

  describe('the brake', () => {
    test('what sends has one brake for all, and what two runs at once would both do has a lock', () => {
      const { send_message, send_message_and_wait, start_campaign, create_or_update_contact } = app.creates;
      const brakes = [send_message, send_message_and_wait, start_campaign].map((step) => step?.operation);
      expect(brakes).toMatchObject(
        Array.from({ length: 3 }, () => ({
          throttle: { window: 600, limit: 20, key: 'recipient-{{bundle.inputData.to}}', scope: ['auth'] },
        })),
      );
      expect([start_campaign?.operation, create_or_update_contact?.operation]).toMatchObject([
        { lock: { key: 'campaign-{{bundle.inputData.campaign}}-{{bundle.inputData.to}}', scope: ['auth'] } },
        { lock: { key: 'contact-{{bundle.inputData.phone}}-{{bundle.inputData.email}}', scope: ['auth'] } },
      ]);
    });
  });
});

describe('fields that prevent harm', () => {
  const savedAudience = { campaign: 'cmp_5Jc1Fy', audience: 'saved' };

  /** A part of a field: text that the person typed, or a mapped value. */
  type Part = { typed: string } | { mapped: string };

  const isEmpty = (part: Part | undefined): boolean =>
    part !== undefined && 'mapped' in part && !/[^\s\u200b]/.test(part.mapped);
  const isMissing = (part: Part): boolean =>
    isEmpty(part) || ('mapped' in part && ['null', 'undefined', 'NaN', '[object Object]'].includes(part.mapped.trim()));

  /** Returns the field as Zapier keeps it. */
  const toForm = (parts: Part[]): string =>
    parts.map((part, index) => ('typed' in part ? part.typed : `{{${index}__order__id}}`)).join('');

  /** Returns the field as Zapier fills it in for a run. */
  const toValue = (parts: Part[]): string =>
    parts
      .map((part) => ('typed' in part ? part.typed : part.mapped))
      .join('')
      .trim();

  // Values and text have no character in common, so that each text has one reading.
  const filled = fc.stringMatching(/^[a-z0-9]( ?[a-z0-9]){0,8}$/);
  const blank = fc.constantFrom('', ' ', '\n', '\u200b');
  const typed = fc.stringMatching(/^ ?[-/#_:A-Z]{1,3} ?$/).map((text) => ({ typed: text }));
  const spaces = fc.constantFrom({ typed: '' }, { typed: ' ' });
  // White space between values separates them, where they have none themselves.
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const gap = fc.constantFrom(' ', '\n', '\r\n', '  ', ' \t').map((text) => ({ typed: text }));

  /** Parts that begin and end with typed text, which may be blank, with a value after each of the others. */
  const field = (values: fc.Arbitrary<string>, between: fc.Arbitrary<Part> = typed) =>
    fc
      .tuple(
        fc.oneof(typed, spaces),
        fc.array(
          fc.tuple(
            values.map((mapped) => ({ mapped })),
            between,
          ),
          { minLength: 1, maxLength: 4 },
        ),
        fc.oneof(typed, spaces),
      )
      .map(([first, middle, last]): Part[] => [first, ...middle.flat().slice(0, -1), last]);

  /** Every field that prevents harm. Test Messages Go To matters only in the editor. */
  const sendsToOne = sends.map(([step, input]) => [step, { ...input, to }] as const);
  const guarded = [
    ...[...sendsToOne, ['start_campaign', { ...savedAudience, max_recipients: '1000' }] as const].flatMap(
      ([step, input]) =>
        [{}, inEditor].map((meta) => ({ label: 'Send Once for Each', name: 'deduplication_key', step, input, meta })),
    ),
    ...sendsToOne.map(([step, input]) => ({
      label: 'Test Messages Go To',
      name: 'test_recipient',
      step,
      input,
      meta: inEditor,
    })),
  ];

  test.each(guarded)('$label of $step stops the step when it is empty in this run: %#', async (field) => {
    const { label, name, step, input, meta } = field;
    const inputDataRaw = { ...input, [name]: '{{1__order}}' };
    const stops = (inputData: object, bundle: Bundle) =>
      expectHalt(
        run(step, inputData, { meta, ...bundle }),
        `${label}: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.`,
      );
    await stops({ ...input, [name]: ' \n' }, { inputDataRaw });
    // Zapier may leave it out.
    await stops(input, { inputDataRaw });
  });

  test.each(sends)(
    "Send Once for Each of %s stops the step of an agent, which has no mappings, when it's empty",
    async (step, input) => {
      await expectHalt(
        run(step, { ...input, to, deduplication_key: null }),
        expect.stringMatching(/^Send Once for Each: the value for this run is empty, so nothing was sent\./),
      );
    },
  );

  test.each([{}, { max_recipients: null }])('Start Campaign stops without Maximum Recipients: %j', async (limit) => {
    await expectHalt(
      run('start_campaign', { ...savedAudience, ...limit }),
      'Maximum Recipients is empty. Fill it in, or check the earlier step that its value comes from.',
    );
  });

  const readParts = (parts: Part[]) => readKey(toValue(parts), toForm(parts));
  const isLost = /^Send Once for Each: (the value for this run is|a value mapped here is|".*" is a placeholder)/;
  const value = (mapped: string) => ({ mapped });

  test('a field stops the step when all its mapped values are empty, also side by side', () => {
    fc.assert(
      fc.property(field(blank, fc.oneof(typed, spaces)), (parts) => {
        expect(() => readParts(parts)).toThrow(isLost);
      }),
      { numRuns: 200 },
    );
  });

  test('a field stops the step when one of its mapped values is empty or says so, if text or white space is between them', () => {
    const words = fc.constantFrom('null', 'undefined', 'NaN', '[object Object]');
    const parts = fc
      .oneof(field(fc.oneof(filled, blank, words)), field(fc.oneof(word, blank, words), fc.oneof(typed, gap)))
      .filter((each) => each.some(isMissing));
    fc.assert(
      fc.property(parts, (given) => {
        expect(() => readParts(given)).toThrow(isLost);
      }),
      { numRuns: 200 },
    );
  });

  test('Send Once for Each goes on with values, and gives each text another key', () => {
    const parts = fc.oneof(
      field(filled),
      field(filled, fc.oneof(typed, spaces, gap)),
      typed.map((each) => [each]),
    );
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(readParts(one) === readParts(other)).toBe(toValue(one) === toValue(other));
      }),
      { numRuns: 100 },
    );
  });

  test.each([' ', '\n'])('Send Once for Each goes on only with both values that %j separates', (typed) => {
    expect(readParts([value('NL'), { typed }, value('1001')])).toBeDefined();
    expect(() => readParts([value('NL'), { typed }, value('')])).toThrow(isLost);
  });

  test('Send Once for Each goes on with any text that its mappings can only give with values', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        fc.pre(/[\p{L}\p{N}]/u.test(text) && !text.includes('{{') && text !== 'null');
        expect(readParts([{ typed: 'order-' }, value(text)])).toBeDefined();
      }),
      { numRuns: 50 },
    );
  });

  test('Send Once for Each takes no text around a value for an empty value', () => {
    const dash = { typed: '-' };
    expect(readParts([value('1'), dash, value('2'), dash, value('3'), { typed: '--' }])).toBeDefined();
  });

  describe('Maximum Recipients', () => {
    const runWith = (parts: Part[]) =>
      run(
        'start_campaign',
        { ...savedAudience, max_recipients: toValue(parts) },
        { inputDataRaw: { ...savedAudience, max_recipients: toForm(parts) } },
      );

    test.each([
      [{ typed: '5' }, { mapped: '' }],
      [{ mapped: ' ' }, { typed: '00' }],
      [{ typed: '1' }, { mapped: '' }, { typed: '0' }, { mapped: '5' }],
    ])('stops Start Campaign when a mapped value is empty between digits', async (...parts) => {
      await expectHalt(
        runWith(parts),
        'Maximum Recipients: a value mapped here is empty in this run, so nothing was sent. Check the earlier step that it comes from, or remove the value from the field.',
      );
    });

    test('is the number that it shows when every value is there', async () => {
      expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, { ...campaign.sample, audience_size: 120 });
      expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
      await expect(runWith([{ mapped: '12' }, { typed: '0' }])).resolves.toHaveProperty('id');
    });
  });

  describe.each([
    ['live', {}],
    ['in the editor', inEditor],
  ] as const)('%s', (_place, meta) => {
    test('Send Template Message sends when the fields were cleared in the form', async () => {
      const sent = recordSends(202, message.sample);
      const inputData = { ...parcel, to, deduplication_key: '', test_recipient: ' ' };
      await run('send_message', inputData, { inputDataRaw: inputData, meta });
      expect(sent[0]?.body).toMatchObject({ to });
    });
  });

  test('Send Template Message sends live when Test Messages Go To, which matters only in the editor, is empty', async () => {
    const sent = recordSends(202, message.sample);
    const inputDataRaw = { ...parcel, to, test_recipient: '{{1__tester}}' };
    await run('send_message', { ...parcel, to, test_recipient: '' }, { inputDataRaw });
    expect(sent).toHaveLength(1);
  });

  test('Start Campaign starts when the other fields were cleared in the form', async () => {
    expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, campaign.sample);
    expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
    const inputData = { ...savedAudience, max_recipients: '1000', deduplication_key: '', test_recipient: '' };
    await expect(run('start_campaign', inputData, { inputDataRaw: inputData })).resolves.toHaveProperty('id');
  });
});

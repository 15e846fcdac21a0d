/** Who may get a message: people with a number, none whose number strangers could earn by, and none in a country that the account leaves out. */
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountryCallingCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import * as z from 'zod/mini';
import { campaignRun, contact, message } from '../../src/api/resources';
import { type CountryCode, countryCodes, nameOfCountry } from '../../src/formats/country';
import { authData, expectCall } from '../support/service';
import { runStep } from '../support/zapier';

const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };
const steps: [name: string, key: string, inputData: Record<string, unknown>][] = [
  ['Send Template Message', 'send_message', parcel],
  ['Send Message and Wait for Reply', 'send_message_and_wait', parcel],
  ['Start Campaign for one recipient', 'start_campaign', { campaign: 'cmp_5Jc1Fy', audience: 'one' }],
];

describe('a person who hides the number', () => {
  const run = (key: string, inputData: Record<string, unknown>, bundle: Parameters<typeof runStep>[1] = {}) =>
    runStep(`creates.${key}.operation.perform`, { authData, inputData, ...bundle });

  const empty =
    'Phone Number: the value for this run is empty, so nothing was sent. Messages go to phone numbers only. If this person hides theirs, answer at Message Link or Conversation Link, or skip them with a filter on Has Phone Number.';

  describe.each(steps)('%s', (_name, key, inputData) => {
    test.each([undefined, ' ', [], 'null'])(
      'says why nothing was sent when Phone Number is mapped, and is %j in this run',
      async (to) => {
        const step = run(key, { ...inputData, to }, { inputDataRaw: { ...inputData, to: '{{1__contact__phone}}' } });
        await expect(step).rejects.toMatchObject({ name: 'HaltedError', message: empty });
      },
    );

    test('says why nothing was sent when an agent, which has no mappings, gives an empty Phone Number', async () => {
      await expect(run(key, { ...inputData, to: '' })).rejects.toThrow(empty);
    });

    test('says that a username is no phone number', async () => {
      await expect(run(key, { ...inputData, to: '@lotte.p' })).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringMatching(
          /^Phone Number: "@lotte\.p" is a username, not a phone number\. .* at Message Link\.$/,
        ),
      });
    });

    test('never takes the id of a messaging app for a phone number, in any country', async () => {
      const ids = fc
        .tuple(
          fc.constantFrom('US', 'NL', 'us', 'GB', 'US.ENT'),
          fc.stringMatching(/^[A-Za-z0-9]{1,60}$|^31612345678$/),
        )
        .map((parts) => parts.join('.'));
      await fc.assert(
        fc.asyncProperty(ids, fc.constantFrom('NL', 'US', ''), async (to, default_country) => {
          await expect(
            run(key, { ...inputData, to }, { authData: { ...authData, default_country } }),
          ).rejects.toMatchObject({
            name: 'HaltedError',
            message: expect.stringContaining("is an app's ID for a person who hides their phone number."),
          });
        }),
        { numRuns: 40 },
      );
    });
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

  const sends = steps.map(([, key, inputData]) => [key, inputData] as const);

  const run = (key: string, inputData: object, account: object = {}, meta = {}) =>
    runStep(`creates.${key}.operation.perform`, {
      authData: { ...authData, ...account },
      inputData: { ...inputData },
      meta,
    });

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

  describe.each(sends)('%s', (key, input) => {
    test('sends nothing to a premium, shared-cost or satellite number', async () => {
      expect(costly.length).toBeGreaterThan(100);
      const costlyNumber = fc.oneof(...costly).filter(isCostly);
      await fc.assert(
        fc.asyncProperty(fc.oneof({ arbitrary: costlyNumber, weight: 3 }, satellites), async (to) => {
          await expect(run(key, { ...input, to })).rejects.toThrow(
            /^Phone Number: "\+\d+" (is a premium, shared-cost, personal or satellite number, so nothing was sent|isn't a complete)/,
          );
        }),
        { numRuns: 60 },
      );
    });

    test('sends only to the countries of the account, in the editor too', async () => {
      const all = [...mobiles];
      expect(all.length).toBeGreaterThan(200);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...all),
          fc.subarray(codes, { minLength: 1 }),
          fc.boolean(),
          async (to, chosen, isTest) => {
            const [code, number] = to;
            // Countries with the same calling code may share numbers.
            const allowed = chosen.filter((each) => getCountryCallingCode(each) !== getCountryCallingCode(code));
            const account = {
              allowed_countries: allowed.map((each, index) => (index % 2 ? nameOfCountry(each) : each)).join(', '),
            };
            fc.pre(allowed.length > 0);
            const inputData = isTest ? { ...input, to: number, test_recipient: number } : { ...input, to: number };
            await expect(run(key, inputData, account, { isLoadingSample: isTest })).rejects.toMatchObject({
              name: 'HaltedError',
              message: expect.stringMatching(
                /^Phone Number: "\+\d+" is a number in .+, which Send Only To Countries of the account doesn't include, so nothing was sent. Check the number, or add the country there.$/,
              ),
            });
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  test('a number in an allowed country gets its message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...mobiles), fc.boolean(), async ([code, to], isCampaign) => {
        const account = { allowed_countries: `FR; ${code.toLowerCase()}` };
        if (isCampaign) {
          expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, { id: 'cmp_5Jc1Fy', template: null });
          expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy' }).reply(202, campaignRun.sample);
        } else expectCall('sendMessage').reply(202, message.sample);
        const input = isCampaign ? { campaign: 'cmp_5Jc1Fy', audience: 'one' } : { channel: 'sms', template: 'hello' };
        const step = run(isCampaign ? 'start_campaign' : 'send_message', { ...input, to }, account);
        await expect(step).resolves.toMatchObject({ already_sent: false });
      }),
      { numRuns: 60 },
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
    async (to, allowed_countries, place) => {
      const step = run('send_message', { channel: 'sms', template: 'hello', to }, { allowed_countries });
      await expect(step).rejects.toThrow(`Phone Number: "${to}" is a number in ${place}, which Send Only To Countries`);
    },
  );

  test('only separators in Send Only To Countries stop the step, since they may not mean all countries', async () => {
    const step = run(
      'send_message',
      { channel: 'sms', template: 'hello', to: '+12025550123' },
      { allowed_countries: ' ,; ' },
    );
    await expect(step).rejects.toThrow("isn't in the list of countries, so nothing was sent");
  });

  test.each(['GB', 'IM', 'IM,', ' GB ; ; ', 'GBR', 'Isle of Man\n'])(
    'a number of a plan that countries share passes for each of them: %s',
    async (allowed_countries) => {
      expectCall('sendMessage').reply(202, message.sample);
      const inputData = { channel: 'sms', template: 'hello', to: '+447924123456' };
      await expect(run('send_message', inputData, { allowed_countries })).resolves.toHaveProperty('id');
    },
  );

  test('a country that nobody knows lets nothing pass', async () => {
    const step = run(
      'send_message',
      { channel: 'sms', template: 'hello', to: '+12025550123' },
      { allowed_countries: 'US, X' },
    );
    await expect(step).rejects.toThrow("isn't in the list of countries, so nothing was sent. Enter two-letter codes");
  });

  test('a contact may have any number, since creating one sends nothing', async () => {
    expectCall('createContact').reply(201, contact.sample);
    const account = { allowed_countries: 'NL' };
    await expect(run('create_contact', { phone: '+19005550123' }, account)).resolves.toHaveProperty('id');
  });
});

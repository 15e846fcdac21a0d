/** Whom the steps that send refuse: people who hide their number, other countries, and costly numbers. */

import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json';
import * as z from 'zod/mini';
import { contact } from '../../src/api/resources';
import { type CountryCode, countryCodes } from '../../src/message/country';
import { parseRecipient } from '../../src/message/phone';
import { readAllowedCountries } from '../../src/message/recipient';
import { expectHalt } from '../support/halt';
import { runCreate, sends, to } from '../support/sends';
import { authData, expectCall } from '../support/service';

describe('recipients', () => {
  describe('a person who hides the number', () => {
    const empty =
      'Phone Number: the value for this run is empty, so nothing was sent. Messages go to phone numbers only. If this person hides theirs, answer at Message Link or Conversation Link, or skip them with a filter on Has Phone Number.';

    test.each(sends)('%s says why nothing was sent when Phone Number is empty in a run', async (step, input) => {
      const inputDataRaw = { ...input, to: '{{1__contact__phone}}' };
      for (const number of [undefined, ' ', [], 'null']) {
        const sent = runCreate(step, { ...input, to: number }, { inputDataRaw });
        await expectHalt(sent, empty);
      }
      // An agent has no mappings.
      await expect(runCreate(step, { ...input, to: '' })).rejects.toThrow(empty);
    });

    test.each(sends)('%s says that a username is no phone number', async (step, input) => {
      await expect(runCreate(step, { ...input, to: '@lotte.p' })).rejects.toThrow(
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
          const sent = runCreate(step, values, { authData: account, meta: { isLoadingSample } });
          await expectHalt(sent, `Phone Number: "${to}" ${notIncluded('United States')}`);
        }
        await expect(runCreate(step, { ...input, to: '+19005550123' })).rejects.toThrow('is a premium, shared-cost');
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
      countryCodes.flatMap((code) => drawOf(code, kind) ?? []),
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

    test.each([
      ['+18762101234', 'US, CA', 'Jamaica'],
      ['+18092345678', 'US, CA', 'Dominican Republic'],
      ['+12025550123', 'Canada, FR', 'United States'],
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
      const created = runCreate('create_contact', { phone: '+19005550123' }, { authData: account });
      await expect(created).resolves.toHaveProperty('id');
    });
  });
});

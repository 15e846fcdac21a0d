/** Sending to people who hide their phone number: the API sends to phone numbers only. */
import fc from 'fast-check';
import { authData } from '../support/service';
import { runStep } from '../support/zapier';

const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };
const steps: [name: string, key: string, inputData: Record<string, unknown>][] = [
  ['Send Template Message', 'send_message', parcel],
  ['Send Message and Wait for Reply', 'send_message_and_wait', parcel],
  ['Start Campaign for one recipient', 'start_campaign', { campaign: 'cmp_5Jc1Fy', audience: 'one' }],
];

const run = (key: string, inputData: Record<string, unknown>, bundle: Parameters<typeof runStep>[1] = {}) =>
  runStep(`creates.${key}.operation.perform`, { authData, inputData, ...bundle });

const empty =
  'Phone Number: the value for this run is empty, so nothing was sent. Messages go to phone numbers only. If this person hides theirs, answer at Message Link or Conversation Link, or skip them with a filter on Has Phone Number.';

describe.each(steps)('%s', (_name, key, inputData) => {
  test.each([null, undefined, '', ' ', [], 'null'])(
    'says why nothing was sent when Phone Number is mapped, and is %j in this run',
    async (to) => {
      const step = run(key, { ...inputData, to }, { inputDataRaw: { ...inputData, to: '{{1__contact__phone}}' } });
      await expect(step).rejects.toMatchObject({ name: 'HaltedError', message: empty });
    },
  );

  test('says why nothing was sent when an agent, which has no mappings, gives an empty Phone Number', async () => {
    await expect(run(key, { ...inputData, to: '' })).rejects.toThrow(empty);
  });

  test('asks to fill in Phone Number when it is not mapped at all', async () => {
    await expect(run(key, inputData, { inputDataRaw: inputData })).rejects.toThrow('Phone Number is empty. Fill it in');
    await expect(run(key, inputData)).rejects.toThrow('Phone Number is empty. Fill it in');
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
      .tuple(fc.constantFrom('US', 'NL', 'us', 'GB', 'US.ENT'), fc.stringMatching(/^[A-Za-z0-9]{1,60}$|^31612345678$/))
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

/** Fields that prevent harm: without their value, the step would do what the person wanted to prevent. */

import { campaign, campaignRun, message } from '../../src/api/resources';
import { authData, expectCall, recordSends } from '../support/service';
import { runStep } from '../support/zapier';

const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to };

const steps: [name: string, key: string, inputData: Record<string, unknown>][] = [
  ['Send Template Message', 'send_message', parcel],
  ['Send Message and Wait for Reply', 'send_message_and_wait', parcel],
  ['Start Campaign for one recipient', 'start_campaign', { campaign: 'cmp_5Jc1Fy', audience: 'one', to }],
];
const savedAudience = { campaign: 'cmp_5Jc1Fy', audience: 'saved', max_recipients: '1000' };
const startCampaign: (typeof steps)[number] = ['Start Campaign for the audience', 'start_campaign', savedAudience];

const places = [
  ['live', {}],
  ['in the editor', { isLoadingSample: true }],
] as const;

const blanks = [null, undefined, '', ' \n', '\u200b', []];

type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

const run = (key: string, inputData: Record<string, unknown>, bundle: Bundle = {}) =>
  runStep(`creates.${key}.operation.perform`, { authData, inputData, ...bundle });

const lost = (label: string) => ({
  name: 'HaltedError',
  message: `${label}: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.`,
});

describe.each(places)('%s', (_place, meta) => {
  describe.each([...steps, startCampaign])('%s', (_name, key, inputData) => {
    const inputDataRaw = { ...inputData, deduplication_key: '{{1__order}}' };

    test.each(blanks)('stops when Send Once for Each is mapped, and is %j in this run', async (deduplication_key) => {
      const step = run(key, { ...inputData, deduplication_key }, { inputDataRaw, meta });
      await expect(step).rejects.toMatchObject(lost('Send Once for Each'));
    });

    test('stops when Send Once for Each is mapped, and Zapier leaves it out of this run', async () => {
      const step = run(key, inputData, { inputDataRaw, meta });
      await expect(step).rejects.toMatchObject(lost('Send Once for Each'));
    });

    test.each(blanks)(
      'stops when Send Once for Each is given as %j, by an agent that has no mappings',
      async (deduplication_key) => {
        const step = run(key, { ...inputData, deduplication_key }, { meta });
        await expect(step).rejects.toMatchObject(lost('Send Once for Each'));
      },
    );
  });

  test.each([{}, ...blanks.map((max_recipients) => ({ max_recipients }))])(
    'Start Campaign stops without Maximum Recipients: %j',
    async (limit) => {
      const inputData = { campaign: 'cmp_5Jc1Fy', audience: 'saved', ...limit };
      await expect(run('start_campaign', inputData, { meta })).rejects.toMatchObject({
        name: 'HaltedError',
        message: 'Maximum Recipients is empty. Fill it in, or check the earlier step that its value comes from.',
      });
    },
  );
});

describe.each(steps)('a test of %s in the editor', (_name, key, inputData) => {
  const meta = { isLoadingSample: true };
  const inputDataRaw = { ...inputData, test_recipient: '{{1__tester}}' };

  test.each(blanks)('stops when Test Messages Go To is mapped, and is %j', async (test_recipient) => {
    const step = run(key, { ...inputData, test_recipient }, { inputDataRaw, meta });
    await expect(step).rejects.toMatchObject(lost('Test Messages Go To'));
  });

  test('stops when Test Messages Go To is mapped, and Zapier leaves it out', async () => {
    await expect(run(key, inputData, { inputDataRaw, meta })).rejects.toMatchObject(lost('Test Messages Go To'));
  });
});

describe('Send Template Message', () => {
  const cleared = { deduplication_key: '', test_recipient: ' ' };

  test.each(places)('sends %s when the fields were cleared in the form', async (_place, meta) => {
    const sent = recordSends(202, message.sample);
    const inputData = { ...parcel, ...cleared };
    await expect(run('send_message', inputData, { inputDataRaw: inputData, meta })).resolves.toHaveProperty('id');
    expect(sent[0]?.body).toMatchObject({ to });
  });

  test('sends live when Test Messages Go To, which matters only in the editor, is empty', async () => {
    recordSends(202, message.sample);
    const inputDataRaw = { ...parcel, test_recipient: '{{1__tester}}' };
    await expect(run('send_message', { ...parcel, test_recipient: '' }, { inputDataRaw })).resolves.toHaveProperty(
      'id',
    );
  });
});

test('Start Campaign starts when the other fields were cleared in the form', async () => {
  expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, campaign.sample);
  expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
  const inputData = { ...savedAudience, deduplication_key: '', test_recipient: '' };
  await expect(run('start_campaign', inputData, { inputDataRaw: inputData })).resolves.toHaveProperty('id');
});

/** Whether a result says that nothing was sent now, because the service had the message already. */

import app from '../../src';
import type { EndpointName } from '../../src/api/endpoints';
import { campaignRun, message } from '../../src/api/resources';
import { authData, expectCall, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to };
const campaign = { campaign: 'cmp_5Jc1Fy', audience: 'one', to };
const unknownTemplate = { id: 'cmp_5Jc1Fy', template: null };
const key = { deduplication_key: 'order 1' };
const tester = { test_recipient: '+12025550187' };

const sends: [
  place: string,
  call: EndpointName,
  inputData: object,
  response: { created_at?: string | null | undefined },
][] = [
  ['send_message', 'sendMessage', parcel, message.sample],
  ['start_campaign', 'triggerCampaign', campaign, campaignRun.sample],
];

afterEach(() => jest.restoreAllMocks());

describe.each(sends)('%s', (place, call, input, response) => {
  const runs: [what: string, more: object, isTest: boolean, isReplay: boolean, already_sent: boolean][] = [
    ['a live run', key, false, false, false],
    ['a replay', key, false, true, true],
    ['a live run without Send Once for Each', {}, false, false, false],
    ['a test in the editor', key, true, false, false],
    ['a test in the editor that is repeated', key, true, true, true],
    ['a test that goes to Test Messages Go To', { ...key, ...tester }, true, false, false],
  ];

  test.each(runs)('says so in %s', async (_what, more, isLoadingSample, isReplay, already_sent) => {
    if (call === 'triggerCampaign') expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, unknownTemplate);
    expectCall(call, { id: 'cmp_5Jc1Fy' }).reply(202, response, { 'Idempotent-Replayed': String(isReplay) });
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(response.created_at ?? '') + 1_000);
    const bundle = { authData, inputData: { ...input, ...more }, meta: { isLoadingSample } };
    await expect(runStep(`creates.${place}.operation.perform`, bundle)).resolves.toEqual(
      expect.objectContaining({ created_at: response.created_at, already_sent }),
    );
  });
});

test('a record that is hours old was there before, even if the service has no word for that', async () => {
  const { created_at } = message.sample;
  const sendAt = (age: number) => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(created_at ?? '') + age);
    expectCall('sendMessage').reply(202, message.sample);
    return runStep('creates.send_message.operation.perform', { authData, inputData: { ...parcel, ...key } });
  };
  await expect(sendAt(60 * 60_000 + 1_000)).resolves.toMatchObject({ already_sent: true });
  await expect(sendAt(60 * 60_000)).resolves.toMatchObject({ already_sent: false });
});

test.each([
  ['send_message', 'sendMessage', parcel, { to: '+12025550124' }, 'Phone Number'],
  ['send_message', 'sendMessage', parcel, { template: 'invoice' }, 'Template'],
  ['send_message', 'sendMessage', parcel, { channel: 'sms' }, 'Channel'],
] as const)('%s halts when %s responds to %j with a message with %j', async (place, call, inputData, other, label) => {
  expectCall(call).interceptor.reply(202, toResponse(call, 202, { ...message.sample, ...other }));
  await expect(runStep(`creates.${place}.operation.perform`, { authData, inputData })).rejects.toMatchObject({
    name: 'HaltedError',
    message: `${label}: the messaging service responded with a message that has another value here, so it's unclear what was sent. Check the conversation before you run this step again.`,
  });
});

test('Start Campaign halts when the service responds with the run of another campaign', async () => {
  expectCall('getCampaign', { id: campaign.campaign }).reply(200, unknownTemplate);
  expectCall('triggerCampaign', { id: campaign.campaign }).reply(202, { ...campaignRun.sample, campaign_id: 'cmp_2' });
  const step = runStep('creates.start_campaign.operation.perform', { authData, inputData: campaign });
  await expect(step).rejects.toMatchObject({
    name: 'HaltedError',
    message:
      "Campaign: the messaging service responded with the run of another campaign, so it's unclear what was sent. Check both campaigns before you run this step again.",
  });
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

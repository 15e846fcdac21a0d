/** Whether a result says that nothing was sent now, because the service had the message already. */

import app from '../../src';
import type { EndpointName } from '../../src/api/endpoints';
import { campaignRun, message } from '../../src/api/resources';
import { authData, expectCall } from '../support/service';
import { runStep } from '../support/zapier';

const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to };
const campaign = { campaign: 'cmp_1', audience: 'one', to };
const unknownTemplate = { id: 'cmp_1', template: null };
const key = { deduplication_key: 'order 1' };
const tester = { test_recipient: '+12025550187' };

const sends: [place: string, call: EndpointName, inputData: object, response: object][] = [
  ['send_message', 'sendMessage', parcel, message.sample],
  ['start_campaign', 'triggerCampaign', campaign, campaignRun.sample],
];

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
    if (call === 'triggerCampaign') expectCall('getCampaign', { id: 'cmp_1' }).reply(200, unknownTemplate);
    expectCall(call, { id: 'cmp_1' }).reply(202, response, { 'Idempotent-Replayed': String(isReplay) });
    const bundle = { authData, inputData: { ...input, ...more }, meta: { isLoadingSample } };
    await expect(runStep(`creates.${place}.operation.perform`, bundle)).resolves.toEqual({ ...response, already_sent });
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

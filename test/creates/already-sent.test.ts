/** What the steps that send say of a repeat and of a response about something else, and what holds them back. */

import app from '../../src';
import { campaignRun, message } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { pathOf } from '../support/calls';
import { expectHalt } from '../support/halt';
import { oneRecipient, parcel, runCreate, to } from '../support/sends';
import { expectCall, service, toResponse } from '../support/service';

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
        await expect(runCreate(step, { ...input, ...key })).resolves.toMatchObject({ already_sent: isRepeat });
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
      await expect(runCreate('send_message', { ...parcel, to, ...key })).resolves.toMatchObject({
        already_sent: true,
        status: wanted,
      });
    });

    test('a record that is hours old was there before, even if the service has no word for that', async () => {
      const { created_at } = message.sample;
      const sendAt = (age: number) => {
        jest.spyOn(Date, 'now').mockReturnValue(Date.parse(created_at ?? '') + age);
        expectCall('sendMessage').reply(202, message.sample);
        return runCreate('send_message', { ...parcel, to, ...key });
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
      const step = runCreate('send_message', { ...parcel, to });
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
      const step = runCreate('start_campaign', { ...oneRecipient, to });
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

/** What keeps a message from being sent twice: keys, promises of a replay, and the brake against loops. */

import fc from 'fast-check';
import nock from 'nock';
import app from '../../src';
import { events } from '../../src/api/events';
import { campaignRun, message } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { deliveryOf, toPayload } from '../support/deliveries';
import { authData, expectCall, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

describe('Already Sent', () => {
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

  afterEach(() => jest.spyOn(Date, 'now').mockRestore());

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
    ['Phone Number', { to: '+12025550124' }],
    ['Template', { template: 'invoice' }],
    ['Channel', { channel: 'sms' }],
  ])('Send Template Message halts when the service responds with a message with another %s', async (label, other) => {
    const response = toResponse('sendMessage', 202, { ...message.sample, ...other });
    expectCall('sendMessage').interceptor.reply(202, response);
    const step = runStep('creates.send_message.operation.perform', { authData, inputData: parcel });
    await expect(step).rejects.toMatchObject({
      name: 'HaltedError',
      message: `${label}: the messaging service responded with a message that has another value here, so it's unclear what was sent. Check the conversation before you run this step again.`,
    });
  });

  test('Start Campaign halts when the service responds with the run of another campaign', async () => {
    expectCall('getCampaign', { id: campaign.campaign }).reply(200, unknownTemplate);
    expectCall('triggerCampaign', { id: campaign.campaign }).reply(202, {
      ...campaignRun.sample,
      campaign_id: 'cmp_2',
    });
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
});

describe('the promise of a replay', () => {
  const reply = events['message.received'].sample;
  const minuteMs = 60_000;

  /** The service keeps a key for 24 hours, and Autoreplay may take hours. Its clock may be up to an hour ahead. */
  const isSafe = (key: string | undefined, ageMinutes: number | null): boolean =>
    Boolean(key?.trim()) && ageMinutes !== null && ageMinutes > -60 && ageMinutes < 12 * 60;

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

  const announce = ({ list, lookUp }: Given<typeof wait>, sent: object) => {
    const older = { ...reply, created_at: '2026-01-01T00:00:00Z' };
    const [listed, known] = [
      { data: [sent], next_cursor: null },
      { data: [], next_cursor: null },
    ];
    const answerWith = (given: number | string, body: object): [number, object] =>
      typeof given === 'number' ? [given, {}] : [200, body];
    expectCall('listMessages')
      .reply(...answerWith(list, listed))
      .persist();
    expectCall('getMessage', { id: message.sample.id })
      .reply(...answerWith(lookUp, sent))
      .persist();
    expectCall('getMessage', { id: reply.id })
      .reply(...answerWith(lookUp, older))
      .persist();
    expectCall('listWebhooks').reply(200, known).persist();
    expectCall('deleteWebhook', { id: '501' }).reply(204).persist();
  };

  /** Resumes a step, and returns the error. */
  const resume = async (given: Given<typeof wait>): Promise<Error> => {
    const { key, ageMinutes, isKept } = given;
    const at = ageMinutes === null ? undefined : Date.now() - ageMinutes * minuteMs;
    const sent = { ...message.sample, created_at: at === undefined ? null : new Date(at).toISOString() };
    announce(given, sent);
    const querystring = { sent: sent.id, sent_at: String(at ?? Number.NaN), already_sent: 'false', wait: 'own' };
    const bundle = {
      authData,
      inputData: { channel: 'whatsapp', template: 'parcel', to: '+1 202 555 0123', deduplication_key: key },
      outputData: isKept ? { sent, recipient: '+12025550123', webhook_id: '501', already_sent: false } : {},
      cleanedRequest: { ...Object(toPayload(deliveryOf('message.received', reply))), querystring },
    };
    const ended = runStep('creates.send_message_and_wait.operation.performResume', bundle);
    const error: unknown = await ended.then(String, (thrown: unknown) => thrown);
    nock.cleanAll();
    if (error instanceof Error) return error;
    throw new Error(`The step went on with ${error}.`);
  };

  test('a wait without its reply promises a replay, and may be repeated, only while the service surely keeps the key', async () => {
    let promises = 0;
    const holds = fc.asyncProperty(wait, async (given) => {
      const { name, message: text } = await resume(given);
      const says = /replay|twice/i.test(text);
      promises += Number(says);
      // A run on hold may outlive the key.
      expect(name).not.toBe('ExpiredAuthError');
      if (isSafe(given.key, given.ageMinutes)) return;
      expect({ name, says }).toEqual({ name: 'HaltedError', says: false });
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

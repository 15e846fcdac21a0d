import nock from 'nock';
import { campaign, campaignRun, template } from '../../src/api/resources';
import { expectHalt } from '../support/halt';
import { authData, expectCall, recordCalls } from '../support/service';
import { runStep } from '../support/zapier';

const trigger = (inputData: Record<string, unknown>, bundle = {}) =>
  runStep('creates.start_campaign.operation.perform', {
    authData: { ...authData, default_country: 'US' },
    inputData: { campaign: 'cmp_5Jc1Fy', ...inputData },
    ...bundle,
  });

const start = (body: object) =>
  expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body }).reply(202, campaignRun.sample);
const answerCampaign = (changes = {}) =>
  expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, { ...campaign.sample, ...changes });

const newRun = { ...campaignRun.sample, already_sent: false };

describe('for the saved audience', () => {
  test('reads the size of the audience, starts the campaign and gives the run', async () => {
    answerCampaign();
    start({});
    // A form keeps what was entered for the other choice.
    const inputData = { campaign: 'cmp_5Jc1Fy', audience: 'saved', max_recipients: '1000', to: 'ignored' };
    await expect(trigger(inputData, { inputDataRaw: inputData })).resolves.toEqual(newRun);
  });

  test.each([
    ['120', 120],
    ['120', 0],
  ])('of no more than Maximum Recipients (%j for %i) starts it', async (max_recipients, audience_size) => {
    answerCampaign({ audience_size });
    start({});
    await expect(trigger({ audience: 'saved', max_recipients })).resolves.toHaveProperty('id');
  });

  test('larger than Maximum Recipients sends nothing and says so', async () => {
    answerCampaign({ audience_size: 121 });
    await expectHalt(
      trigger({ audience: 'saved', max_recipients: '120' }),
      'Maximum Recipients: the audience has 121 people, but only 120 are allowed, so nothing was sent. Enter a higher number, or choose a different campaign.',
    );
  });

  test.each([null, -1, 0.5])('of unknown size (%j) sends nothing', async (audience_size) => {
    answerCampaign({ audience_size });
    await expectHalt(
      trigger({ audience: 'saved', max_recipients: 1 }),
      "Maximum Recipients: the messaging service doesn't say how large the audience is, so nothing was sent this time. If the campaign hasn't started yet, start it in the messaging service instead.",
    );
  });

  test('takes the name of a campaign that only one has, and starts no other', async () => {
    const named = { ...campaign.sample, id: 'cmp_2', name: 'Summer Sale' };
    const gone = () => {
      for (const _ of ['the id', 'the choice'])
        expectCall('getCampaign', { id: 'summer sale' }).reply(404, { error: { code: 'not_found', message: 'No' } });
    };
    const input = { campaign: 'summer sale', audience: 'saved', max_recipients: '1000' };
    gone();
    expectCall('listCampaigns').reply(200, { data: [campaign.sample, named] });
    expectCall('getCampaign', { id: 'cmp_2' }).reply(200, named);
    expectCall('triggerCampaign', { id: 'cmp_2' }).reply(202, { ...campaignRun.sample, campaign_id: 'cmp_2' });
    await expect(trigger(input)).resolves.toMatchObject({ campaign_id: 'cmp_2' });
    gone();
    expectCall('listCampaigns').reply(200, { data: [named, { ...named, id: 'cmp_3' }] });
    await expectHalt(trigger(input), expect.stringContaining('Campaign: several are called "'));
  });

  test('with a Maximum Recipients that is no number makes no request', async () => {
    await expect(trigger({ audience: 'saved', max_recipients: 'many' })).rejects.toThrow(
      'Maximum Recipients: "many" isn\'t a whole number.',
    );
    await expect(trigger({ audience: 'saved', max_recipients: '-1' })).rejects.toThrow(
      "isn't a number of people. Enter 1 or more",
    );
  });
});

describe('without a form', () => {
  const values = {
    to: '+12025550123',
    test_recipient: '+12025550188',
    variables: { a: '1' },
    variable_a: '1',
    max_recipients: 500,
  };
  const used = { saved: ['max_recipients'], one: ['to', 'variables', 'variable_a', 'test_recipient'] } as const;
  const rows = (['saved', 'one'] as const).flatMap((audience) =>
    Object.entries(values).map(([key, value]) => ({ audience, key, value })),
  );

  test.each(rows.filter(({ audience, key }) => !used[audience].some((each) => each === key)))(
    'for the audience $audience, the field $key stops the step, since it means another audience',
    async ({ audience, key, value }) => {
      const own = audience === 'saved' ? { max_recipients: 500 } : { to: '+12025550123' };
      await expect(trigger({ audience, ...own, [key]: value })).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringMatching(
          /^[A-Z][\w ]*: Audience is "[\w ]+", which doesn't use this field, so nothing was sent\./,
        ),
      });
    },
  );
});

describe('in a test in the editor', () => {
  const test_ = { meta: { isLoadingSample: true } };

  test('for the saved audience reads the campaign and sends nothing', async () => {
    answerCampaign();
    await expect(trigger({ audience: 'saved', max_recipients: '1000' }, test_)).resolves.toEqual({
      id: 'run_test',
      campaign_id: campaign.sample.id,
      campaign_name: campaign.sample.name,
      status: 'test',
      recipients: campaign.sample.audience_size,
      created_at: expect.stringMatching(/Z$/),
      already_sent: false,
    });
  });

  test('for the saved audience says when the campaign was canceled', async () => {
    answerCampaign({ status: 'canceled' });
    await expectHalt(
      trigger({ audience: 'saved', max_recipients: '1000' }, test_),
      "Campaign: this campaign was canceled, so it can't start. Choose another one.",
    );
  });

  test('for one recipient writes to Test Messages Go To and not to the customer', async () => {
    answerCampaign({ template: null });
    start({ to: '+12025550187', variables: {} });
    const input = { audience: 'one', to: '2025550123', test_recipient: '(202) 555-0187' };
    await expect(trigger(input, test_)).resolves.toEqual(newRun);
  });

  test("that goes to the tester, Send Once for Each isn't used, since the tester may test again", async () => {
    answerCampaign({ template: null });
    const started = recordCalls('triggerCampaign', { id: 'cmp_5Jc1Fy' }, 202, campaignRun.sample);
    const input = { audience: 'one', to: '2025550123', test_recipient: '2025550187', deduplication_key: 'June' };
    await trigger(input, test_);
    expect(started[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('with Send Once for Each', () => {
  const keyOf = async ({ campaign: id = 'cmp_5Jc1Fy', ...inputData }: Record<string, string>) => {
    const started = recordCalls('triggerCampaign', { id }, 202, { ...campaignRun.sample, campaign_id: id });
    expectCall('getCampaign', { id }).reply(200, { ...campaign.sample, template: null });
    const audience = inputData.audience ? {} : { audience: 'saved', max_recipients: '1000' };
    await trigger({ campaign: id, ...audience, ...inputData });
    return started[0]?.headers['idempotency-key'];
  };

  test('another value, campaign, audience or recipient is another start', async () => {
    const one = { audience: 'one', to: '+12025550123', deduplication_key: 'June' };
    const keys = [
      await keyOf({ deduplication_key: 'June' }),
      await keyOf({ deduplication_key: 'July' }),
      await keyOf({ deduplication_key: 'June', campaign: 'cmp_2' }),
      await keyOf(one),
      await keyOf({ ...one, to: '+12025550187' }),
      await keyOf({ ...one, campaign: 'cmp_2' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    await expect(keyOf({ deduplication_key: ' June ' })).resolves.toBe(keys[0]);
  });
});

describe('for one recipient', () => {
  test('sends the number in E.164 and the variables', async () => {
    answerCampaign({ template: null });
    start({ to: '+12025550123', variables: { name: 'Noor' } });
    const inputData = {
      audience: 'one',
      to: '(202) 555-0123',
      variable_name: 'Noor',
      variable_note: '',
    };
    const meta = { inputFields: { variable_name: {}, variable_note: {} } };
    await expect(trigger(inputData, { meta })).resolves.toEqual(newRun);
  });

  test('of a mapped campaign converts the variables as its template says', async () => {
    answerCampaign({ template: template.sample.name });
    expectCall('listTemplates', { query: { name: template.sample.name, channel: 'whatsapp', limit: 100 } }).reply(200, {
      data: [template.sample],
    });
    start({ to: '+12025550123', variables: { parcel_id: 'PX-1', arrival_time: '14:30' } });
    const variables = { 'Parcel Number': 'PX-1', arrival_time: '2:30 pm' };
    await expect(trigger({ audience: 'one', to: '2025550123', variables })).resolves.toEqual(newRun);
  });

  test('of a campaign whose channel lacks the template stops, and names the field of the form', async () => {
    answerCampaign({ template: template.sample.name, channel: 'sms' });
    expectCall('listTemplates', { query: { name: template.sample.name, channel: 'sms', limit: 100 } }).reply(200, {
      data: [template.sample],
    });
    const variables = { 'Parcel Number': 'PX-1' };
    await expectHalt(
      trigger({ audience: 'one', to: '2025550123', variables }),
      'Campaign: the channel "sms" has no template "parcel_out_for_delivery" (capital letters count), so nothing was sent. Choose another campaign.',
    );
  });

  test.each([{ template: 'hello' }, { channel: 'sms' }, { template: null }])(
    'of a campaign that has %j since its form was filled in stops',
    async (changes) => {
      answerCampaign({ template: template.sample.name, channel: 'whatsapp', ...changes });
      const inputFields = { variable_name: { template: template.sample.name, channel: 'whatsapp' } };
      await expectHalt(
        trigger({ audience: 'one', to: '2025550123', variable_name: 'Noor' }, { meta: { inputFields } }),
        "Campaign: its template or channel has changed since this step was set up, so nothing was sent. Open the step, check the template's variables and publish the Zap again.",
      );
    },
  );

  test('of a mapped campaign without a template sends the variables as they are', async () => {
    answerCampaign({ template: null });
    start({ to: '+12025550123', variables: { 'Arrival Time': '2:30 pm' } });
    const variables = { 'Arrival Time': '2:30 pm' };
    await expect(trigger({ audience: 'one', to: '2025550123', variables })).resolves.toEqual(newRun);
  });
});

test.each(['everyone', ''])('with the audience %j makes no request', async (audience) => {
  await expect(trigger({ audience })).rejects.toThrow(/^Audience/);
});

describe('the form', () => {
  const form = async (inputData: object, inputDataRaw = {}) => {
    const bundle = { authData, inputData: { campaign: 'cmp_5Jc1Fy', ...inputData }, inputDataRaw };
    const fields = await runStep('creates.start_campaign.operation.inputFields', bundle);
    return (fields as { key: string }[]).map(({ key }) => key);
  };

  test('asks for the audience first', async () => {
    await expect(form({})).resolves.toEqual(['campaign', 'audience', 'deduplication_key']);
  });

  test('shows the message for the saved audience, and offers a limit even if it cannot be read', async () => {
    answerCampaign({ template: template.sample.name });
    expectCall('listTemplates').reply(200, { data: [template.sample] });
    const limit = ['saved_audience_note', 'max_recipients', 'deduplication_key'];
    await expect(form({ audience: 'saved' })).resolves.toEqual(['campaign', 'audience', 'template_text', ...limit]);
    expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(403, {});
    await expect(form({ audience: 'saved' })).resolves.toEqual(['campaign', 'audience', ...limit]);
  });

  test("asks for one recipient and the variables of the campaign's template", async () => {
    answerCampaign({ template: template.sample.name });
    expectCall('listTemplates', { query: { name: template.sample.name, channel: 'whatsapp', limit: 100 } }).reply(200, {
      data: [template.sample],
    });
    await expect(form({ audience: 'one' })).resolves.toEqual([
      'campaign',
      'audience',
      'to',
      'test_recipient',
      'template_text',
      'variable_parcel_id',
      'variable_arrival_time',
      'deduplication_key',
    ]);
  });

  test('asks for any variables where the campaign is mapped, gone, or has no template', async () => {
    const any = ['campaign', 'audience', 'to', 'test_recipient', 'variables', 'deduplication_key'];
    const read = answerCampaign({ template: null });
    await expect(form({ audience: 'one' }, { campaign: '{{1__id}}' })).resolves.toEqual(any);
    expect(read.isDone()).toBe(false);
    nock.cleanAll();
    await expect(form({ audience: 'one', campaign: '' })).resolves.toEqual(any);
    expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(404, {});
    await expect(form({ audience: 'one' })).resolves.toEqual(any);
    answerCampaign({ template: null });
    await expect(form({ audience: 'one' })).resolves.toEqual(any);
  });
});

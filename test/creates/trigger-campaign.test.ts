import type nock from 'nock';
import { runStep } from '../../playground/zapier';
import { campaign, campaignRun, template } from '../../src/api/resources';
import { authData, service } from '../service';

const trigger = (inputData: Record<string, unknown>, bundle = {}) =>
  runStep('creates.trigger_campaign.operation.perform', {
    authData: { ...authData, default_country: 'NL' },
    inputData: { campaign: 'cmp_1', ...inputData },
    ...bundle,
  });

const start = (body: nock.DataMatcherMap) =>
  service().post('/v1/campaigns/cmp_1/trigger', body).reply(202, campaignRun.sample);
const answerCampaign = (changes = {}) =>
  service()
    .get('/v1/campaigns/cmp_1')
    .reply(200, { ...campaign.sample, ...changes });

describe('for the saved audience', () => {
  test('starts the campaign in one request and gives the run', async () => {
    start({});
    await expect(trigger({ audience: 'saved', to: 'ignored' })).resolves.toEqual(campaignRun.sample);
  });

  test.each([
    ['120', 120],
    [500, 120],
    ['120', 0],
  ])('of no more than Maximum Recipients (%j for %i) starts it', async (max_recipients, audience_size) => {
    answerCampaign({ audience_size });
    start({});
    await expect(trigger({ audience: 'saved', max_recipients })).resolves.toHaveProperty('id');
  });

  test('larger than Maximum Recipients sends nothing and says so', async () => {
    answerCampaign({ audience_size: 121 });
    await expect(trigger({ audience: 'saved', max_recipients: '120' })).rejects.toMatchObject({
      name: 'HaltedError',
      message: 'Maximum Recipients: the audience has 121 people and 120 are allowed, so nothing was sent.',
    });
  });

  test('of unknown size sends nothing when Maximum Recipients is given', async () => {
    answerCampaign({ audience_size: null });
    await expect(trigger({ audience: 'saved', max_recipients: 1 })).rejects.toThrow(
      'the size of the audience is not known',
    );
  });

  test('with a Maximum Recipients that is no number makes no request', async () => {
    await expect(trigger({ audience: 'saved', max_recipients: 'many' })).rejects.toThrow(
      'Maximum Recipients: "many" is not a whole number.',
    );
    await expect(trigger({ audience: 'saved', max_recipients: '-1' })).rejects.toThrow(
      'Maximum Recipients: write a number from 0 on',
    );
  });
});

describe('for one recipient', () => {
  test('sends the number in E.164 and the variables, in one request', async () => {
    start({ to: '+31612345678', variables: { name: 'Noor' } });
    const inputData = {
      audience: 'one',
      to: '06 12345678',
      variable_name: 'Noor',
      variable_note: '',
      max_recipients: 0,
    };
    await expect(trigger(inputData)).resolves.toEqual(campaignRun.sample);
  });

  test.each([
    ['', 'Phone Number is empty.'],
    ['me', 'Phone Number: "me" is not a complete phone number.'],
  ])('with the number %j makes no request', async (to, words) => {
    await expect(trigger({ audience: 'one', to })).rejects.toThrow(words);
  });
});

test.each(['everyone', ''])('with the audience %j makes no request', async (audience) => {
  await expect(trigger({ audience })).rejects.toThrow(/^Audience/);
});

describe('the form', () => {
  const form = async (inputData: object, inputDataRaw = {}) => {
    const bundle = { authData, inputData: { campaign: 'cmp_1', ...inputData }, inputDataRaw };
    const fields = await runStep('creates.trigger_campaign.operation.inputFields', bundle);
    return (fields as { key: string }[]).map(({ key }) => key);
  };

  test('asks for the audience first', async () => {
    await expect(form({})).resolves.toEqual(['campaign', 'audience']);
  });

  test('offers a limit for the saved audience', async () => {
    await expect(form({ audience: 'saved' })).resolves.toEqual(['campaign', 'audience', 'max_recipients']);
  });

  test("asks for one recipient and the variables of the campaign's template", async () => {
    answerCampaign({ template: template.sample.name });
    service().get(`/v1/templates/${template.sample.name}`).reply(200, template.sample);
    await expect(form({ audience: 'one' })).resolves.toEqual([
      'campaign',
      'audience',
      'to',
      'template_text',
      'variable_parcel_id',
      'variable_arrival_time',
    ]);
  });

  test('asks for any variables where the campaign is mapped, gone, or has no template', async () => {
    const any = ['campaign', 'audience', 'to', 'variables'];
    await expect(form({ audience: 'one' }, { campaign: '{{1__id}}' })).resolves.toEqual(any);
    await expect(form({ audience: 'one', campaign: '' })).resolves.toEqual(any);
    service().get('/v1/campaigns/cmp_1').reply(404, {});
    await expect(form({ audience: 'one' })).resolves.toEqual(any);
    answerCampaign({ template: null });
    await expect(form({ audience: 'one' })).resolves.toEqual(any);
  });
});

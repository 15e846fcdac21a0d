import { type Campaign, campaign, campaignRun } from '../../../src/api/resources';
import { errorOf, eventually, newNumber, Running } from '../../support/running';

const service = new Running({ speed: 1 });

const byStatus = async (status: string): Promise<Campaign> => {
  const { data } = await service.read('listCampaigns', { query: { status } });
  return campaign.schema.parse(data[0]);
};
const find = (id: string) => service.read('getCampaign', { id });
const trigger = (id: string, content: object) => service.request('triggerCampaign', { id, body: content });

test('sends to its saved audience and counts the results', async () => {
  const { id, name } = await byStatus('scheduled');
  const answer = await trigger(id, {});
  expect(answer.status).toBe(202);
  const run = campaignRun.schema.parse(answer.body);
  expect(run).toMatchObject({ campaign_id: id, campaign_name: name, status: 'queued' });
  const recipients = Number(run.recipients);
  expect(recipients).toBeGreaterThan(25);
  await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
  await service.advance(60);
  const { status, audience_size, stats, started_at, completed_at } = await find(id);
  expect({ status, audience_size }).toEqual({ status: 'completed', audience_size: recipients });
  expect(stats).toEqual({
    recipients,
    sent: recipients,
    delivered: recipients,
    read: recipients,
    replied: 0,
    failed: 0,
  });
  expect(Date.parse(completed_at ?? '')).toBeGreaterThan(Date.parse(started_at ?? ''));
});

test('sends to one recipient and counts the first reply', async () => {
  const { id, name, stats } = await byStatus('completed');
  const to = newNumber();
  const run = campaignRun.schema.parse((await trigger(id, { to })).body);
  expect(run.recipients).toBe(1);
  await service.advance(60);
  const { data } = await service.read('listMessages', { query: { direction: 'outbound', limit: 1 } });
  expect(data[0]).toMatchObject({ campaign_id: id, campaign_name: name, to, source: 'campaign', status: 'read' });
  await service.control('POST', '/messages', { from: to, text: 'Thanks' });
  await service.control('POST', '/messages', { from: to, text: 'Bye' });
  expect((await find(id)).stats).toMatchObject({
    recipients: Number(stats?.recipients) + 1,
    sent: Number(stats?.sent) + 1,
    replied: Number(stats?.replied) + 1,
  });
});

test('counts an unreachable recipient as failed, and stays a draft', async () => {
  const { id, stats } = await byStatus('draft');
  await trigger(id, { to: '+12025550101' });
  await service.advance(60);
  expect(await find(id)).toMatchObject({
    status: 'draft',
    stats: { ...stats, recipients: 1, failed: 1 },
    started_at: null,
    completed_at: null,
  });
});

test('sends to one recipient also when its saved audience is done first', async () => {
  const { id } = await byStatus('completed');
  await service.control('POST', `/campaigns/${id}/start`);
  await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
  const to = newNumber();
  await trigger(id, { to });
  await service.control('POST', `/campaigns/${id}/finish`);
  await service.advance(60);
  const { data } = await service.read('listMessages', { query: { direction: 'outbound', limit: 100 } });
  expect(data).toContainEqual(expect.objectContaining({ campaign_id: id, to, status: 'read' }));
});

test('starts while sending only for one recipient', async () => {
  const { id } = await byStatus('sending');
  expect(errorOf(await trigger(id, {}))).toMatchObject({ code: 'validation_failed' });
  expect(await trigger(id, { to: newNumber() })).toMatchObject({ status: 202 });
  await service.settle();
});

test('starts for its audience only once, also before the first message is sent', async () => {
  const { id } = await byStatus('completed');
  const answers = await Promise.all([trigger(id, {}), trigger(id, {})]);
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 422]);
  await service.advance(60);
  expect(await find(id)).toMatchObject({ status: 'completed' });
});

test.each([
  ['a number that is not E.164', { to: '2025550123' }, 'to'],
  ['variables without a recipient', { variables: { parcel_id: 'PX-1' } }, 'to'],
  ['a variable that the template does not have', { to: '+12025550123', variables: { a: 'b' } }, 'variables.a'],
  ['a field that does not exist', { audience: 'all' }, 'audience'],
])('refuses %s', async (_, content, field) => {
  const { id } = await byStatus('failed');
  const answer = await trigger(id, content);
  expect(answer.status).toBe(422);
  expect(errorOf(answer).field).toBe(field);
});

test('refuses to start when canceled or unknown', async () => {
  expect(await trigger((await byStatus('canceled')).id, {})).toMatchObject({ status: 422 });
  expect(await trigger('cmp_unknown', {})).toMatchObject({ status: 404 });
});

test('starts, completes and fails by control calls', async () => {
  const { id } = await byStatus('failed');
  expect(await service.control('POST', `/campaigns/${id}/start`)).toMatchObject({ status: 202 });
  await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
  expect(await service.control('POST', `/campaigns/${id}/fail`)).toMatchObject({ body: { id, status: 'failed' } });
  expect(await service.control('POST', `/campaigns/${id}/finish`)).toMatchObject({ body: { id, status: 'completed' } });
  await service.advance(60);
  expect(await find(id)).toMatchObject({ status: 'completed' });
  // As it was found.
  await service.control('POST', `/campaigns/${id}/start`);
  await eventually(async () => expect(await find(id)).toMatchObject({ status: 'sending' }));
  expect(await service.control('POST', `/campaigns/${id}/fail`)).toMatchObject({ body: { id, status: 'failed' } });
});

import app from '../../src';
import type { EndpointName } from '../../src/api/endpoints';
import { campaign, contact, conversation, message } from '../../src/api/resources';
import { allowWebhooks, authData, expectCall, toResponse } from '../support/service';
import { reachable, triggered } from '../support/triggered';
import { runStep } from '../support/zapier';

const run = (trigger: string, bundle: Parameters<typeof runStep>[1] = {}) =>
  runStep(`triggers.${trigger}.operation.perform`, { authData, ...bundle });

const tagged = { ...contact.sample, id: '103', tags: ['new', 'VIP & more'] };
const other = { ...contact.sample, id: '102' };

describe('new_contact', () => {
  test('gives up to 100 contacts, newest first, in one request', async () => {
    expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: [other, contact.sample] });
    await expect(run('new_contact')).resolves.toEqual([other, contact.sample].map(reachable));
  });

  test('gives those with the tag alone, also when the service gives everybody', async () => {
    expectCall('listContacts', { query: { limit: 100, tag: 'vip & more' } }).reply(200, {
      data: [tagged, other, { ...other, tags: null }],
    });
    await expect(run('new_contact', { inputData: { tag: ' vip & more ' } })).resolves.toEqual([tagged].map(reachable));
  });

  test('gives all contacts when one has an optional field of the wrong type, and a cursor that is a number', async () => {
    const odd = { ...other, language: [5], attributes: { size: 1 }, tags: [1, 2] };
    expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: [odd, contact.sample], next_cursor: 2 });
    const readable = { ...odd, language: null, attributes: { size: '1' }, tags: ['1', '2'] };
    await expect(run('new_contact')).resolves.toEqual([readable, contact.sample].map(reachable));
  });

  test('gives no contact whose tags have the wrong type when a tag is asked for', async () => {
    expectCall('listContacts').reply(200, { data: [tagged, { ...other, tags: 'VIP & more' }] });
    await expect(run('new_contact', { inputData: { tag: 'vip & more' } })).resolves.toEqual([tagged].map(reachable));
  });

  /** Announces a list in which an ID isn't spelled as the contract says. */
  const expectListed = (id: string) => {
    const listed = toResponse('listContacts', 200, { data: [contact.sample, { ...other, id: '4242' }] });
    expectCall('listContacts').reply(200, listed.replace(/"?4242"?/, id));
  };

  test('keeps every digit of an ID that is a long number', async () => {
    expectListed('1234567890123456789');
    await expect(run('new_contact')).resolves.toMatchObject([{}, { id: '1234567890123456789' }]);
  });

  test.each(['{}', '1.5'])('leaves out a contact that has no valid ID: %s', async (id) => {
    expectListed(id);
    await expect(run('new_contact')).resolves.toEqual([contact.sample].map(reachable));
  });

  test('reads one page, because Zapier pages only through triggers that fill a dropdown', async () => {
    expectCall('listContacts').reply(200, { data: [other], next_cursor: 'c1' });
    await expect(run('new_contact')).resolves.toEqual([other].map(reachable));
    expect(app.triggers.new_contact?.operation).not.toHaveProperty('canPaginate');
  });
});

test.each<[string, EndpointName, object, object]>([
  [
    'message_failed',
    'listMessages',
    { direction: 'outbound', status: 'failed' },
    { ...message.sample, status: 'failed' },
  ],
  ['conversation_opened', 'listConversations', { status: 'open' }, conversation.sample],
  ['campaign_completed', 'listCampaigns', { status: 'completed' }, campaign.sample],
])('the test step of %s reads on after an empty page with a cursor', async (key, call, filters, sample) => {
  allowWebhooks();
  expectCall(call, { query: { ...filters, limit: 100 } }).reply(200, { data: [], next_cursor: 'c1' });
  expectCall(call, { query: { ...filters, limit: 100, after: 'c1' } }).reply(200, { data: [sample] });
  await expect(runStep(`triggers.${key}.operation.performList`, { authData })).resolves.toEqual([triggered(sample)]);
});

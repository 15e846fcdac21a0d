import type { EndpointName } from '../../src/api/endpoints';
import { campaign, channel, contact, conversation, message, template } from '../../src/api/resources';
import { serveRpc } from '../support/rpc';
import { authData, expectCall, toResponse } from '../support/service';
import { triggered } from '../support/triggered';
import { runStep } from '../support/zapier';

const run = (trigger: string, bundle: Parameters<typeof runStep>[1] = {}) =>
  runStep(`triggers.${trigger}.operation.perform`, { authData, ...bundle });

const tagged = { ...contact.sample, id: '103', tags: ['new', 'VIP & more'] };
const other = { ...contact.sample, id: '102' };

describe('new_contact', () => {
  test('gives up to 100 contacts, newest first, in one request', async () => {
    expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: [other, contact.sample] });
    await expect(run('new_contact')).resolves.toEqual([other, contact.sample]);
  });

  test('gives those with the tag alone, also when the service gives everybody', async () => {
    expectCall('listContacts', { query: { limit: 100, tag: 'vip & more' } }).reply(200, {
      data: [tagged, other, { ...other, tags: null }],
    });
    await expect(run('new_contact', { inputData: { tag: ' vip & more ' } })).resolves.toEqual([tagged]);
  });

  test('gives all contacts when one has an optional field of the wrong type, and a cursor that is a number', async () => {
    const odd = { ...other, language: 5, attributes: { size: 1 }, tags: [1, 2] };
    expectCall('listContacts', { query: { limit: 100 } }).reply(200, { data: [odd, contact.sample], next_cursor: 2 });
    await expect(run('new_contact')).resolves.toEqual([
      { ...odd, language: null, attributes: { size: '1' }, tags: ['1', '2'] },
      contact.sample,
    ]);
  });

  test('gives no contact whose tags have the wrong type when a tag is asked for', async () => {
    expectCall('listContacts').reply(200, { data: [tagged, { ...other, tags: 'VIP & more' }] });
    await expect(run('new_contact', { inputData: { tag: 'vip & more' } })).resolves.toEqual([tagged]);
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

  test.each(['{}', '1.5'])('fails when a contact has no valid ID: %s', async (id) => {
    expectListed(id);
    await expect(run('new_contact')).rejects.toThrow('\\"data.1.id\\" is missing or invalid');
  });

  test('works where Zapier keeps no cursor', async () => {
    expectCall('listContacts').reply(200, { data: [other], next_cursor: 'c1' });
    await expect(run('new_contact')).resolves.toEqual([other]);
  });
});

describe.each<[string, EndpointName, object, object, object]>([
  ['list_channels', 'listChannels', { limit: 100 }, channel.sample, { id: 'whatsapp', name: 'WhatsApp' }],
  [
    'list_templates',
    'listTemplates',
    { limit: 100, channel: 'whatsapp' },
    template.sample,
    {
      id: 'parcel_out_for_delivery',
      name: 'parcel_out_for_delivery (en): Your parcel [Parcel Number] arrives today at about [Arrival Time].',
    },
  ],
  [
    'list_campaigns',
    'listCampaigns',
    { limit: 100 },
    campaign.sample,
    { id: campaign.sample.id, name: 'Summer opening hours (completed)' },
  ],
  [
    'list_contacts',
    'listContacts',
    { limit: 100 },
    contact.sample,
    { id: contact.sample.id, name: 'Noor Visser +12025550123' },
  ],
  [
    'list_conversations',
    'listConversations',
    { limit: 100 },
    conversation.sample,
    { id: conversation.sample.id, name: 'Noor Visser +12025550123 (open)' },
  ],
  [
    'list_messages',
    'listMessages',
    { limit: 100 },
    { ...message.sample, text: 'x'.repeat(61) },
    { id: message.sample.id, name: `To Noor Visser +12025550123: ${'x'.repeat(60)}…` },
  ],
])('the dropdown behind %s', (trigger, call, query, sample, row) => {
  test('asks once a page and gives what is chosen and what is seen', async () => {
    expectCall(call, { query }).reply(200, { data: [sample] });
    await expect(run(trigger, { inputData: { channel: 'whatsapp' } })).resolves.toEqual([row]);
  });
});

test('a contact without a name is shown by its number or address', async () => {
  const data = [
    { id: '101', phone: '+12025550123' },
    { id: '102', email: 'a@example.com', first_name: null },
    { id: '103' },
  ];
  expectCall('listContacts').reply(200, { data });
  await expect(run('list_contacts')).resolves.toMatchObject([
    { name: '+12025550123' },
    { name: 'a@example.com' },
    { name: '103' },
  ]);
});

test('a message without a contact shows the number of the other person, not ours', async () => {
  const unknown = { ...message.sample, contact: null, text: 'Hi' };
  const [ours, person] = ['+12025550190', '+12025550123'];
  const data = [
    { ...unknown, id: '301', direction: 'outbound', from: ours, to: person },
    { ...unknown, id: '302', direction: 'inbound', from: person, to: ours },
    { ...unknown, id: '303', direction: 'outbound', from: null, to: null },
  ];
  expectCall('listMessages').reply(200, { data });
  await expect(run('list_messages')).resolves.toMatchObject([
    { name: `To ${person}: Hi` },
    { name: `From ${person}: Hi` },
    { name: 'To A customer: Hi' },
  ]);
});

/** Simulates Zapier's store of a cursor between pages. */
const serveCursor = () => {
  let kept: unknown = null;
  return serveRpc(({ method, params: [cursor] }) => {
    if (method === 'set_cursor') kept = cursor;
    return kept;
  });
};

describe.each<[string, EndpointName, object, string]>([
  ['list_contacts', 'listContacts', contact.sample, 'id'],
  ['list_campaigns', 'listCampaigns', campaign.sample, 'id'],
  ['list_templates', 'listTemplates', template.sample, 'name'],
  ['list_conversations', 'listConversations', conversation.sample, 'id'],
  ['list_messages', 'listMessages', message.sample, 'id'],
  ['new_contact', 'listContacts', contact.sample, 'id'],
  ['list_channels', 'listChannels', channel.sample, 'key'],
])('the pages of %s', (trigger, call, sample, id) => {
  const another = { ...sample, [id]: 'another' };

  const inputData = trigger === 'list_templates' ? { channel: 'whatsapp' } : {};
  const onChannel = { ...inputData, limit: 100 };

  test('follow the cursor, one request a page, and end', async () => {
    const rpc = serveCursor();
    expectCall(call, { query: onChannel }).reply(200, { data: [sample, another], next_cursor: 'c 1' });
    expectCall(call, { query: { ...onChannel, after: 'c 1' } }).reply(200, { data: [sample], next_cursor: null });
    await expect(run(trigger, { inputData, meta: { page: 0 } })).resolves.toHaveLength(2);
    await expect(run(trigger, { inputData, meta: { page: 1 } })).resolves.toHaveLength(1);
    await expect(run(trigger, { inputData, meta: { page: 2 } })).resolves.toEqual([]);
    rpc.stop();
  });
});

test('only approved templates of the channel are offered', async () => {
  const others = [{ status: 'pending' }, { status: 'rejected' }, { channel: 'sms' }];
  const data = [
    ...others.map((change, index) => ({ ...template.sample, name: `t${index}`, ...change })),
    template.sample,
  ];
  expectCall('listTemplates').reply(200, { data });
  await expect(run('list_templates', { inputData: { channel: 'whatsapp' } })).resolves.toMatchObject([
    { id: template.sample.name },
  ]);
});

const onWhatsApp = { inputData: { channel: 'whatsapp' } };

test('pages without an approved template are skipped', async () => {
  const pending = { ...template.sample, name: 'pending', status: 'pending' };
  const query = { channel: 'whatsapp', limit: 100 };
  expectCall('listTemplates', { query }).reply(200, { data: [pending], next_cursor: 'c1' });
  expectCall('listTemplates', { query: { ...query, after: 'c1' } }).reply(200, { data: [template.sample] });
  await expect(run('list_templates', onWhatsApp)).resolves.toMatchObject([{ id: template.sample.name }]);
});

test('a list of empty pages without end is given up', async () => {
  const pages = expectCall('listTemplates').interceptor.times(10);
  pages.reply(200, toResponse('listTemplates', 200, { data: [], next_cursor: 'again' }));
  await expect(run('list_templates', onWhatsApp)).resolves.toEqual([]);
});

test('no template is offered before a channel is chosen, since a name can mean another one on each channel', async () => {
  await expect(run('list_templates')).resolves.toEqual([]);
});

test('templates are offered once each, by name, with their languages and the beginning of each text', async () => {
  const { sample } = template;
  const data = [
    { ...sample, name: 'welcome', language: null, body: 'Hello\n\u202e  {{name}}', variables: null },
    { ...sample, name: 'order_shipped', body: `Your order ${'is on its way and '.repeat(20)}` },
    { ...sample, name: 'order_shipped', language: 'nl', body: 'Uw bestelling is onderweg.' },
    { ...sample, name: 'order_shipped', language: 'fr', body: 'Votre commande', status: 'rejected' },
    { ...sample, name: 'order_shipped', channel: 'sms', body: 'By text message' },
    { ...sample, name: 'a_name', body: null },
  ];
  expectCall('listTemplates').reply(200, { data });
  await expect(run('list_templates', onWhatsApp)).resolves.toEqual([
    { id: 'a_name', name: 'a_name (en)' },
    {
      id: 'order_shipped',
      name: 'order_shipped (en, nl): Your order is on its way and is on its way and is on its wa… / Uw bestelling is onderweg.',
    },
    { id: 'welcome', name: 'welcome: Hello [name]' },
  ]);
});

test.each<[string, EndpointName]>([
  ['list_templates', 'listTemplates'],
  ['list_campaigns', 'listCampaigns'],
  ['list_contacts', 'listContacts'],
])('%s is narrowed down by what a person types', async (trigger, call) => {
  const filter = trigger === 'list_templates' ? { channel: 'whatsapp' } : {};
  expectCall(call, { query: { ...filter, query: 'summer', limit: 100 } }).reply(200, { data: [] });
  await expect(run(trigger, { inputData: { ...filter, search: ' summer ' } })).resolves.toEqual([]);
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
  expectCall(call, { query: { ...filters, limit: 100 } }).reply(200, { data: [], next_cursor: 'c1' });
  expectCall(call, { query: { ...filters, limit: 100, after: 'c1' } }).reply(200, { data: [sample] });
  await expect(runStep(`triggers.${key}.operation.performList`, { authData })).resolves.toEqual([triggered(sample)]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import nock from 'nock';
import { runStep } from '../sandbox/zapier';
import app from '../src';
import * as things from '../src/api/resources';
import { deliveryOf, signed, subscribeData } from './deliveries';
import { authData, service } from './service';

const table = readFileSync(join(__dirname, '../docs/requests.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, 4)
      .map((cell) => cell.trim()),
  );

type Run = [path: string, bundle?: Parameters<typeof runStep>[1]];

const targetUrl = 'https://hooks.example.com/1/';
const send = { channel: 'whatsapp', template: 'hello', to: '+31612345678', variable_name: 'Noor' };
const learnt = { meta: { inputFields: { variable_name: { format: 'text', label: 'Name', required: true } } } };
const { sample: message } = things.message;
const testStep = (key: string): [string, Run] => [`${key} | the test step`, [`triggers.${key}.operation.performList`]];
const dropdown = (key: string): [string, Run] => [
  `${key} | a page of the dropdown`,
  [`triggers.${key}.operation.perform`],
];
const create = (key: string, when: string, inputData: Record<string, unknown>): [string, Run] => [
  `${key} | ${when}`,
  [`creates.${key}.operation.perform`, { inputData }],
];
const search = (key: string, when: string, inputData: Record<string, unknown>): [string, Run] => [
  `${key} | ${when}`,
  [`searches.${key}.operation.perform`, { inputData }],
];

/** How each row of the table comes about. */
const runs: Record<string, Run> = Object.fromEntries([
  ['authentication | the connection is tested', ['authentication.test']],
  ['message_received | a Zap is turned on', ['triggers.message_received.operation.performSubscribe', { targetUrl }]],
  [
    'message_received | a Zap is turned off',
    ['triggers.message_received.operation.performUnsubscribe', { subscribeData }],
  ],
  [
    'message_received | a message is delivered',
    ['triggers.message_received.operation.perform', { subscribeData, ...signed(deliveryOf('message.received')) }],
  ],
  ...Object.values(app.triggers)
    .filter(({ operation }) => operation.type === 'hook')
    .map(({ key }) => testStep(key)),
  ['new_contact | a poll', ['triggers.new_contact.operation.perform']],
  ...['list_channels', 'list_templates', 'list_campaigns', 'list_contacts'].map(dropdown),
  [
    'send_message | the form, with a template chosen',
    ['creates.send_message.operation.inputFields', { inputData: send }],
  ],
  [
    'send_message | a send, with template variables',
    ['creates.send_message.operation.perform', { inputData: send, ...learnt }],
  ],
  create('send_message', "a send of `2:30 pm` from Zapier's test tools", {
    ...send,
    variable_parcel_id: 'PX-1',
    variable_arrival_time: '2:30 pm',
  }),
  create('send_message_and_wait', 'a send', send),
  [
    'send_message_and_wait | the reply',
    [
      'creates.send_message_and_wait.operation.performResume',
      { outputData: { webhook_id: 'wh_1', recipient: '+31612345678' }, cleanedRequest: deliveryOf('message.received') },
    ],
  ],
  create('trigger_campaign', 'the saved audience', { campaign: 'cmp_1', audience: 'saved' }),
  create('trigger_campaign', 'the saved audience, with Maximum Recipients', {
    campaign: 'cmp_1',
    audience: 'saved',
    max_recipients: 1_000,
  }),
  create('trigger_campaign', "`2:30 pm` for one recipient from Zapier's test tools", {
    campaign: 'cmp_1',
    audience: 'one',
    to: '+31612345678',
    variable_parcel_id: 'PX-1',
    variable_arrival_time: '2:30 pm',
  }),
  create('trigger_campaign', 'one recipient', { campaign: 'cmp_1', audience: 'one', to: '+31612345678' }),
  create('create_contact', 'a contact', { phone: '+31612345678' }),
  create('update_contact', 'a contact', { contact: 'con_1', first_name: 'Noor' }),
  create('delete_contact', 'a contact', { contact: 'con_1' }),
  create('api_request', 'a request', { method: 'GET', path: 'workspace' }),
  search('find_contact', 'by phone number', { phone: '+31612345678' }),
  search('find_contact', 'by email', { email: 'a@example.com' }),
  search('find_contact', 'by name', { name: 'Noor' }),
  search('find_conversation', '50 messages', { phone: '+31612345678' }),
  search('find_conversation', '150 messages', { phone: '+31612345678', message_limit: '150' }),
  search('find_message', 'a message', { message: 'msg_1' }),
  search('find_campaign', 'by name', { name: 'Summer' }),
  search('find_template', 'by name', { name: 'parcel' }),
] satisfies [string, Run][]);

const samples: Record<string, object> = {
  messages: { ...message, direction: 'inbound' },
  workspace: things.workspace.sample,
  channels: things.channel.sample,
  templates: things.template.sample,
  contacts: things.contact.sample,
  conversations: things.conversation.sample,
  campaigns: things.campaign.sample,
  trigger: things.campaignRun.sample,
  webhooks: { ...things.webhook.sample, filters: { from: ['+31612345678'] } },
};

/** A service that has as much of everything as is asked for, and counts. */
const countRequests = () => {
  const asked: string[] = [];
  const answer = (uri: string, method: string): object | undefined => {
    asked.push(uri);
    const url = new URL(uri, authData.base_url);
    const [, , thing = '', id, part] = url.pathname.split('/');
    const sample = samples[part ?? thing];
    if (method !== 'GET' || id ? part !== 'messages' : thing === 'workspace') return sample;
    const data = Array.from({ length: Number(url.searchParams.get('limit') ?? 20) }, (_, index) => ({
      ...sample,
      ...(part && { conversation_id: id }),
      ...(index > 0 && 'id' in (sample ?? {}) && { id: `id_${asked.length}_${index}` }),
    }));
    return { data, next_cursor: 'more' };
  };
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    service()
      .persist()
      .intercept(/.*/, method)
      .reply(200, (uri) => answer(uri, method));
  }
  return asked;
};

test.each(table)('%s: %s takes %s', async (step, when, promised) => {
  const [path, bundle] = runs[`${step} | ${when}`] ?? [];
  if (!path) throw new Error('This row of the table is not run. Add it to `runs`.');
  const asked = countRequests();
  await runStep(path, { authData, ...bundle });
  expect(asked).toHaveLength(Number(promised));
  nock.cleanAll();
});

test('every step that a person finds is in the table', () => {
  const steps = [app.triggers, app.creates, app.searches].flatMap((part) => Object.keys(part));
  expect([...new Set(table.map(([step]) => step))].sort()).toEqual(['authentication', ...steps].sort());
});

import * as z from 'zod/mini';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import app from '../src';
import { endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { newNumber, Running } from './support/running';
import { runStep, startZapier, type Zapier } from './support/zapier';

const running = new Running();
const printed: string[] = [];
const given: string[] = [];
let zapier: Zapier;
let authData: Record<string, string>;
let secret = 'not known yet';
let filledIn: Record<string, Record<string, unknown>>;

/** Keeps what a run gives or throws. What core logs of it is kept as it is printed. */
const keep = (value: unknown): void => {
  given.push(
    value instanceof Error ? `${value.name} ${value.message} ${JSON.stringify(value)}` : `${JSON.stringify(value)}`,
  );
};

const everything = (): string => [...printed, ...given].join('\n');

beforeAll(async () => {
  process.env.LOG_TO_STDOUT = 'true';
  process.env.DETAILED_LOG_TO_STDOUT = 'true';
  for (const method of ['log', 'error', 'warn', 'info'] as const) {
    jest.spyOn(console, method).mockImplementation((...parts) => void printed.push(parts.map(String).join(' ')));
  }
  authData = { base_url: running.url, api_token: running.sandbox.tokens.advanced };
  zapier = await startZapier({ authData });
  const { body } = await running.request('createContact', { body: { phone: newNumber() } });
  const campaigns = await running.read('listCampaigns', { query: { status: 'draft' } });
  const messages = await running.read('listMessages');
  filledIn = inputs(contact.schema.parse(body).id, String(campaigns.data[0]?.id), String(messages.data[0]?.id));
});

afterAll(async () => {
  delete process.env.LOG_TO_STDOUT;
  delete process.env.DETAILED_LOG_TO_STDOUT;
  jest.restoreAllMocks();
  await zapier.stop();
});

const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };
const variables = { parcel_id: 'PX-1', arrival_time: '14:30' };

/** What to fill in for a run that goes well, where there is something to fill in. */
const inputs = (contactId: string, campaignId: string, messageId: string) => ({
  send_message: { ...template, to: newNumber(), variables, deduplication_key: 'order 1' },
  send_message_and_wait: { ...template, to: newNumber(), variables },
  trigger_campaign: { campaign: campaignId, audience: 'one', to: newNumber() },
  create_contact: { phone: newNumber() },
  upsert_contact: { phone: newNumber() },
  update_contact: { contact: contactId, first_name: 'Noor' },
  delete_contact: { contact: contactId },
  api_request: { method: 'GET', path: 'webhooks' },
  find_contact: { name: 'Noor' },
  find_conversation: { phone: newNumber() },
  find_reply: { message: messageId },
  find_message: { message: messageId },
  find_campaign: { name: 'Summer' },
  find_template: { name: 'parcel' },
});

/** Every step but the instant triggers' own three, which the tests below run. */
const paths = [
  'authentication.test',
  ...Object.keys(app.creates).map((key) => `creates.${key}.operation.perform`),
  'creates.send_message_and_wait.operation.performResume',
  ...Object.keys(app.searches).map((key) => `searches.${key}.operation.perform`),
  ...Object.values(app.triggers).map(
    ({ key, operation }) => `triggers.${key}.operation.${operation.type === 'hook' ? 'performList' : 'perform'}`,
  ),
];

const runAll = async (bundle: Parameters<Zapier['run']>[1] = {}): Promise<void> => {
  const runs = paths.map((path) =>
    runStep(path, { authData, inputData: filledIn[path.split('.')[1] ?? ''] ?? {}, ...bundle }),
  );
  await Promise.all(runs.map((run) => run.then(keep, keep)));
};

test('no step shows the token or a webhook secret, when all goes well', async () => {
  const zap = await zapier.turnOn('message_received');
  secret = z.object({ secret: z.string() }).parse(zap.subscribeData).secret;
  await running.control('POST', '/messages', { from: newNumber(), text: 'Hello' });
  keep(await zap.nextRun());
  await runAll();
  await zap.turnOff();
  expect(printed.join('\n')).toContain(`POST ${running.url}${endpoints.createWebhook.path}`);
  expect(everything()).toContain('Harbor Parcels');
});

test('no step shows a token that is dead', async () => {
  await runAll({ authData: { base_url: running.url, api_token: 'tok_d34dd34dd34d' } });
  expect(everything()).toContain('missing, invalid or expired');
  expect(everything()).not.toContain('tok_d34dd34dd34d');
});

test('no refused number, opt-out or forged delivery shows them', async () => {
  for (const to of ['me', specialNumbers.optedOut, specialNumbers.unreachable]) {
    await zapier
      .run('creates.send_message.operation.perform', { inputData: { ...template, to, variables } })
      .then(keep, keep);
  }
  const subscribeData = { id: 'wh_1', secret };
  const rawRequest = { content: '{}', headers: { 'Http-Webhook-Signature': 'v1,AAAA' } };
  await zapier.run('triggers.message_received.operation.perform', { subscribeData, rawRequest }).then(keep, keep);
  expect(everything()).toContain('something that may not come from the messaging service');
});

afterEach(() => {
  expect(everything()).not.toContain(running.sandbox.tokens.advanced);
  expect(everything()).not.toContain(secret);
  expect(given.join('\n')).not.toMatch(/\n\s+at .+:\d+:\d+/);
});

/**
 * `npm start`: runs a Zap on Zapier's core against the sandbox. With `BASE_URL` and `API_TOKEN` in the environment it
 * connects to that service instead and only reads.
 */
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { startSandbox } from '../sandbox/sandbox';
import { endpoints } from '../src/api/endpoints';
import { type Message, message, workspace } from '../src/api/resources';
import { startZapier, type Zapier } from './zapier';

const operation = {
  connection: 'authentication.test',
  send: 'creates.send_message.operation.perform',
  findMessage: 'searches.find_message.operation.perform',
  templates: 'triggers.list_templates.operation.perform',
  recent: 'triggers.message_received.operation.performList',
};

const messages = z.array(message.schema);
const choices = z.array(z.object({ name: z.string() }));
const customer = '+12025550123';

let steps = 0;
const announce = (title: string): void => console.log(`\n${++steps}. ${title}`);
const show = (label: string, value: unknown): void => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  console.log(`   ${label.padEnd(14)} ${text}`);
};

const showConnection = async ({ run }: Zapier, address: string): Promise<void> => {
  announce('The account is connected: Zapier tests the API token.');
  show('API Base URL', address);
  const { name, plan, scopes } = workspace.schema.parse(await run(operation.connection));
  show('Workspace', `${name} (plan: ${plan})`);
  show('Token may', scopes?.join(', ') ?? 'not given');
};

/** Polls the sent message until it has the status. Throws when the message fails, or after 30 seconds. */
const waitForStatus = async ({ run }: Zapier, sent: Message, wanted: string): Promise<void> => {
  show('Status', `${sent.status}`);
  const seen = new Set([sent.status]);
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(20)) {
    const [found] = messages.parse(await run(operation.findMessage, { inputData: { message: sent.id } }));
    const status = found?.status ?? 'unknown';
    if (!seen.has(status)) show('Status', status);
    seen.add(status);
    if (status === wanted) return;
    if (status === 'failed') throw new Error(`The message failed: ${found?.error?.message}`);
  }
  throw new Error(`The message did not become "${wanted}" within 30 seconds.`);
};

const customerWrites = async (address: string, text: string): Promise<void> => {
  const response = await fetch(`${address}/sandbox/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: customer, text }),
  });
  if (!response.ok) throw new Error(`The sandbox refused the customer's message (status ${response.status}).`);
};

const showZap = async (): Promise<void> => {
  const sandbox = await startSandbox({ speed: 20 });
  const zapier = await startZapier({ base_url: sandbox.url, api_token: sandbox.tokens.advanced });
  try {
    console.log('A parcel shop builds a Zap: when a customer asks where a parcel is, send the delivery time.');
    await showConnection(zapier, sandbox.url);

    announce('The Zap is turned on: "New Inbound Message", containing the word "parcel".');
    const zap = await zapier.turnOn('message_received', { channel: 'whatsapp', contains: ['parcel'] });
    show('Delivers to', zap.targetUrl);
    show('Subscription', z.object({ id: z.string() }).parse(zap.subscribeData).id);

    const question = 'Hello, where is my parcel?';
    announce('A customer writes on WhatsApp.');
    show('From', customer);
    show('Text', question);
    await customerWrites(sandbox.url, question);

    announce('The service delivers the message, signed; the Zap checks it and starts.');
    const [received] = messages.parse(await zap.nextRun());
    if (!received) throw new Error('The delivery did not start the Zap.');
    show('Message', received.id);
    show('From', `${received.from}`);
    show('Text', `${received.text}`);

    announce('The Zap runs its action: "Send Template Message".');
    const inputData = {
      channel: received.channel,
      template: 'parcel_out_for_delivery',
      to: received.from,
      variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
      deduplication_key: received.id,
    };
    show('In', inputData);
    const sent = message.schema.parse(await zapier.run(operation.send, { inputData }));
    show('Out', { id: sent.id, to: sent.to, status: sent.status });
    show('Text sent', `${sent.text}`);

    announce('The Zap is replayed with the same Send Only Once Per: nothing is sent twice.');
    const again = message.schema.parse(await zapier.run(operation.send, { inputData }));
    show('Out', { id: again.id, to: again.to });
    if (again.id !== sent.id) throw new Error('The replay sent a second message.');

    announce('The message is followed with the search "Find Message".');
    await waitForStatus(zapier, sent, 'read');

    announce('The Zap is turned off: its webhook, and no other, is removed.');
    await zap.turnOff();
    show('Webhooks left', await countWebhooks(sandbox.url, sandbox.tokens.advanced));
  } finally {
    await zapier.stop();
    await sandbox.stop();
  }
};

const countWebhooks = async (address: string, token: string): Promise<number> => {
  const response = await fetch(address + endpoints.listWebhooks.path, {
    headers: { authorization: `Bearer ${token}` },
  });
  return z.object({ data: z.array(z.unknown()) }).parse(await response.json()).data.length;
};

const showLiveService = async (address: string, token: string): Promise<void> => {
  console.log('Connecting to your own service. Nothing is sent or changed.');
  const zapier = await startZapier({ base_url: address, api_token: token });
  try {
    await showConnection(zapier, address);
    announce('The templates that a person can choose from.');
    for (const { name } of choices.parse(await zapier.run(operation.templates)).slice(0, 10)) show('Template', name);
    announce('The most recent messages of customers.');
    for (const { created_at, text } of messages.parse(await zapier.run(operation.recent)).slice(0, 5)) {
      show(`${created_at}`, `${text}`);
    }
  } finally {
    await zapier.stop();
  }
};

/** The message of an error. Core wraps some messages in JSON. */
const messageOf = (error: unknown): string => {
  const { message: text } = z.object({ message: z.string() }).parse(error);
  return text.startsWith('{') ? z.object({ message: z.string() }).parse(JSON.parse(text)).message : text;
};

const main = async (): Promise<void> => {
  const { BASE_URL, API_TOKEN } = process.env;
  if (BASE_URL || API_TOKEN) await showLiveService(BASE_URL ?? '', API_TOKEN ?? '');
  else await showZap();
  console.log('\nAll of it worked.');
};

main().catch((error: unknown) => {
  console.error(`\nThis step failed: ${messageOf(error)}`);
  process.exitCode = 1;
});

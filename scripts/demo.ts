/** `npm run demo`: runs a Zap on Zapier's core against the sandbox. */
import '../lab/cli/sandboxed';
import '../lab/zapier/core/quiet-core';
import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';
import * as z from 'zod/mini';
import { parseFlags, runCommand } from '../lab/cli/command';
import { clearProgress, showProgress } from '../lab/cli/progress';
import { requireWebhooks } from '../lab/cli/require-webhooks';
import { printable, wrap } from '../lab/cli/text';
import { type LiveTrigger, startZapier, type Zapier } from '../lab/playground/service/zapier';
import { callApi, control } from '../lab/sandbox/client';
import { type Sandbox, startSandbox } from '../lab/sandbox/sandbox';
import { endpoints } from '../src/api/endpoints';
import { type Message, message, workspace } from '../src/api/resources';

const command = {
  name: 'npm run demo',
  summary: "Runs one Zap from a customer's question to the read receipt, with the sandbox and without an account.",
  options: {},
  examples: ['npm run demo'],
} as const;

const operation = {
  connection: 'authentication.test',
  send: 'creates.send_message.operation.perform',
  findMessageStatus: 'searches.find_message_status.operation.perform',
};

const oneMessage = z.tuple([message.schema]);
const customer = '+12025550123';

/** What a step shows: pairs of a label and a value. */
type Shown = [label: string, value: string | null | undefined][];

let steps = 0;

const step = async <T>(title: string, run: () => Promise<T>, show: (result: T) => Shown): Promise<T> => {
  const heading = `${++steps}. ${title}`;
  showProgress(heading);
  const result = await run().catch((error: unknown) => {
    clearProgress();
    console.log(`\n${styleText('red', `✗ ${heading}`)}`);
    throw error;
  });
  clearProgress();
  console.log(`\n${styleText('green', '✓')} ${styleText('bold', heading)}`);
  for (const [label, value] of show(result)) {
    console.log(`     ${wrap(printable(value ?? ''), { label, indent: 5, column: 22 })}`);
  }
  return result;
};

const showConnection = async ({ run }: Zapier, address: string): Promise<void> => {
  await step(
    'The account is connected: Zapier tests the API token.',
    async () => z.partial(workspace.schema).parse(await run(operation.connection)),
    ({ name, plan, scopes }) => [
      ['API Base URL', address],
      ['Workspace', `${name} (plan: ${plan ?? 'unknown'})`],
      ['Token scopes', scopes?.join(', ') ?? 'not given'],
    ],
  );
};

const findMessageStatus = async ({ run }: Zapier, id: string): Promise<Message> =>
  oneMessage.parse(await run(operation.findMessageStatus, { inputData: { message: id } }))[0];

/** Polls the sent message until it is read, and returns its statuses. Throws when the message fails, or after 30 seconds. */
const waitUntilRead = async (zapier: Zapier, sent: Message): Promise<string[]> => {
  const seen = new Set([`${sent.status}`]);
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(20)) {
    const { status, error } = await findMessageStatus(zapier, sent.id);
    seen.add(`${status}`);
    if (status === 'read') return [...seen];
    if (status === 'failed') throw new Error(`The message failed: ${error?.message}`);
  }
  throw new Error('The customer did not read the message within 30 seconds.');
};

const variables = { answer: 'We are open until 21:00, on Saturdays too.' };

const receiveQuestion = async (address: string, zap: LiveTrigger): Promise<Message> => {
  const text = 'Hello, when are you open?';
  await step(
    'A customer writes on WhatsApp.',
    () => control(address, 'POST', 'messages', { from: customer, text }),
    () => [
      ['From', customer],
      ['Text', text],
    ],
  );
  return step(
    'The service sends a signed webhook, and the Zap verifies it and starts.',
    async () => oneMessage.parse(await zap.nextRun())[0],
    ({ id, from, text: received }) => [
      ['Message', id],
      ['From', from],
      ['Text', received],
    ],
  );
};

/** Sends the opening hours twice for the same message, which the service carries out once. Returns what was sent. */
const sendOnce = async (zapier: Zapier, { id: deduplication_key, channel, from }: Message): Promise<Message> => {
  const inputData = { channel, template: 'answer_to_question', to: from, variables, deduplication_key };
  const send = async () => {
    const { id } = message.schema.parse(await zapier.run(operation.send, { inputData }));
    return findMessageStatus(zapier, id);
  };
  const sent = await step('The Zap runs its action: "Send Template Message".', send, ({ id, to, text }) => [
    ['Template', inputData.template],
    ...Object.entries(variables),
    ['Message', id],
    ['To', to],
    ['Text', text],
  ]);
  const again = await step(
    'The run is replayed with the same Send Once for Each value, so nothing is sent twice.',
    send,
    ({ id }) => [['Message', id]],
  );
  if (again.id !== sent.id) throw new Error('The replay sent a second message.');
  return sent;
};

const turnOff = async ({ url, tokens }: Sandbox, zap: LiveTrigger): Promise<number> => {
  await zap.turnOff();
  return (await callApi({ url, token: tokens.advanced }, endpoints.listWebhooks)).data.length;
};

const runZap = async (sandbox: Sandbox, zapier: Zapier): Promise<void> => {
  const zap = await step(
    'The Zap is turned on: "New Inbound Message", containing the word "open".',
    () => zapier.turnOn('message_received', { channel: 'whatsapp', contains: ['open'] }),
    ({ targetUrl }) => [['Webhook URL', targetUrl]],
  );
  const sent = await sendOnce(zapier, await receiveQuestion(sandbox.url, zap));
  await step(
    'The search "Find Message Status" follows the message until the customer reads it.',
    () => waitUntilRead(zapier, sent),
    (statuses) => [['Status', statuses.join(', then ')]],
  );
  await step(
    'The Zap is turned off and removes its own webhook.',
    () => turnOff(sandbox, zap),
    (left) => [['Webhooks left', String(left)]],
  );
};

const showZap = async (): Promise<void> => {
  requireWebhooks();
  const sandbox = await startSandbox({ speed: 20 });
  const zapier = await startZapier({ authData: { base_url: sandbox.url, api_token: sandbox.tokens.advanced } });
  try {
    console.log('A parcel shop builds a Zap that sends the opening hours when a customer asks for them.');
    await showConnection(zapier, sandbox.url);
    await runZap(sandbox, zapier);
  } finally {
    await zapier.stop();
    await sandbox.stop();
  }
};

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  const started = performance.now();
  await showZap();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n${styleText('green', `All ${steps} steps worked, in ${seconds} seconds.`)}`);
  console.log('Next, build Zaps yourself in the browser: npm start');
};

runCommand(command, main);

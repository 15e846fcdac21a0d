/** The sandbox's records follow the contract: a field can be deleted from it, or added, without a change of the sandbox. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../../../cli/environment';
import { type AnyInput, calls } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { Receiver } from '../../support/receiver';
import { type Answered, ask, eventually, fictionalNumber, parcelMessage, requestFrom } from '../../support/running';
import { startProcessIn } from '../../support/sandbox-process';

/** An optional field of a record: a line, or several that end where its indentation does. */
const optionalField =
  /^( +)(\w+): (?:nullish\.\w+|z\.nullish\(.*\)|person|personFields\.\w+),\n|^( +)\w+: z\.nullish\(\n(?:\3 .*\n)+\3\),\n/gm;

let folder: string;
let receiver: Receiver;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const part of ['package.json', 'src', 'sandbox', 'cli', 'zapier']) {
    cpSync(join(project, part), join(folder, part), { recursive: true });
  }
  receiver = await Receiver.start();
});

afterEach(async () => {
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const change = (edit: (contract: string) => string): void => {
  const file = join(folder, 'src/api/resources.ts');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
};

const withId = z.looseObject({ id: z.string() });
const lists = ['listMessages', 'listContacts', 'listTemplates', 'listChannels', 'listWebhooks'] as const;

/** Calls the sandbox of the copy, and keeps what it answers. */
class Client {
  readonly bodies: Record<string, unknown> = {};
  /** Answers that aren't successes. */
  readonly unexpected: unknown[] = [];
  readonly #account: { url: string; token: string };

  constructor(account: { url: string; token: string }) {
    this.#account = account;
  }

  #keep(name: string, { status, body }: Answered): unknown {
    if (status >= 300) this.unexpected.push({ name, status, body });
    this.bodies[name] = body;
    return body;
  }

  async call(name: EndpointName, input: AnyInput = {}): Promise<unknown> {
    return this.#keep(name, await requestFrom(this.#account, name, input));
  }

  async create(name: EndpointName, body: object, input: AnyInput = {}): Promise<string> {
    return withId.parse(await this.call(name, { ...input, body })).id;
  }

  async first(name: EndpointName, query: object = {}): Promise<string> {
    return z.object({ data: z.array(withId) }).parse(await this.call(name, { query })).data[0]?.id ?? '';
  }

  async control(path: string, body: object = {}): Promise<unknown> {
    return this.#keep(path, await ask(`${this.#account.url}/sandbox/${path}`, 'POST', body));
  }
}

/** Makes every call of the API, and the control calls for records. */
const makeEveryCall = async (client: Client): Promise<void> => {
  const phone = fictionalNumber(812, 0);
  const events = ['message.sent', 'conversation.closed'];
  const webhook = await client.create('createWebhook', { url: receiver.url, events });
  const contact = await client.create('createContact', { phone, tags: ['new'] });
  const message = await client.create('sendMessage', parcelMessage(phone));
  await client.control('messages', { from: phone, text: 'Hello' });
  const conversation = await client.first('listConversations', { contact_id: contact });
  await client.control(`conversations/${conversation}/messages`, { text: 'Hello' });
  await client.control('clock', { advance_seconds: 60 });
  await client.call('getMessage', { id: message });
  await client.call('getConversation', { id: conversation });
  await client.call('listConversationMessages', { id: conversation });
  await client.call('updateContact', { id: contact, body: { add_tags: ['newer'], attributes: { a: 'b' } } });
  await client.call('getContact', { id: contact });
  const campaign = await client.first('listCampaigns', { status: 'draft' });
  await client.create('triggerCampaign', {}, { id: campaign });
  await client.control('clock', { advance_seconds: 3600 });
  await client.call('getCampaign', { id: campaign });
  await client.control(`conversations/${conversation}/close`);
  for (const name of lists) await client.call(name);
  await client.call('getWorkspace');
  await eventually(() => expect(receiver.types).toEqual(expect.arrayContaining(events)));
  await client.control(`webhooks/${webhook}/rotate-secret`);
  await client.call('deleteWebhook', { id: webhook });
  await client.call('deleteContact', { id: contact });
};

/** Runs the sandbox of the copy. Returns what each call answered, and what went wrong. */
const runCopy = async () => {
  const { child, errors, ...account } = await startProcessIn(folder, '--speed', '100');
  const client = new Client(account);
  await makeEveryCall(client).finally(() => child.kill());
  const notMade = calls.map(([name]) => name).filter((name) => !(name in client.bodies));
  return { bodies: client.bodies, unexpected: client.unexpected, notMade, errors: await errors };
};

const whole = { unexpected: [], errors: '', notMade: [] };

test('every call works, and shows no optional field, when all of them are deleted from the contract', async () => {
  const deleted = new Set<string>();
  change((contract) => {
    const kept = contract.replace(optionalField, (field) => {
      deleted.add(field.trim().split(':')[0] ?? '');
      return '';
    });
    expect(kept).not.toMatch(/^ +\w+: (?:z\.)?nullish/m);
    // Requests have these fields too, and a contact is created by one of them.
    return kept.replace('personFields = {\n', 'personFields = {\n  phone: nullish.phone,\n');
  });
  expect([...deleted]).toEqual(expect.arrayContaining(['status', 'phone', 'contact', 'stats', 'variables', 'error']));
  const { bodies, ...problems } = await runCopy();
  expect(problems).toEqual(whole);
  expect(Object.keys(withId.parse(bodies.getMessage))).toEqual(['id']);
  expect(Object.keys(withId.parse(bodies.getContact))).toEqual(['id', 'phone']);
});

test('every call works, and shows null, when an optional field is added to each record of the contract', async () => {
  change((contract) => contract.replaceAll(/^( +)id: field\.id,\n/gm, '$1id: field.id,\n$1added: nullish.text,\n'));
  const { bodies, ...problems } = await runCopy();
  expect(problems).toEqual(whole);
  const added = { added: null };
  expect(bodies).toMatchObject({ getMessage: added, getContact: added, getConversation: added, getCampaign: added });
});

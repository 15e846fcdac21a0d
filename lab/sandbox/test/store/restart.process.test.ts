/** What is left of a sandbox when it starts again, also after it was killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { endProcess } from '../../../../test/support/processes';
import { Receiver } from '../../../../test/support/receiver';
import { ask, eventually, newNumber, requestFrom } from '../../../../test/support/running';
import { startSandboxProcess } from '../../../../test/support/sandbox-process';
import { writeSeeded } from '../../../../test/support/seeded';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';

let folder: string;
let database: string;
let receiver: Receiver;
let running: Sandbox | undefined;

const stop = async (): Promise<void> => {
  const sandbox = running;
  running = undefined;
  await sandbox?.stop();
};

/** Starts the sandbox of the database, and stops the one before. */
const start = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  await stop();
  running = await startSandbox({ database, ...options });
  return running;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  database = writeSeeded(folder);
  receiver = await Receiver.start();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await stop();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

const subscribe = async (url: string, token: string): Promise<void> => {
  const body = { url: receiver.url, events: ['message.received'] };
  expect(await requestFrom({ url, token }, 'createWebhook', { body })).toMatchObject({ status: 201 });
};

const written = z.object({ id: z.string(), created_at: z.string() });

/** A customer writes a message. */
const write = async ({ url }: { url: string }, from = newNumber()) =>
  written.parse((await ask(`${url}/sandbox/messages`, 'POST', { from, text: 'Hello' })).body);

const receivedNumbers = () => new Set(receiver.received.map(({ event }) => event.data.from));

test('delivers all of 40 events when killed halfway and restarted', async () => {
  const first = await startSandboxProcess('--database', database);
  await subscribe(first.url, first.token);
  const numbers = Array.from({ length: 40 }, newNumber);
  receiver.reply = (response, count) => count <= 10 && response.writeHead(200).end();
  await Promise.all(numbers.map((from) => write(first, from)));
  await receiver.wait(18);
  await endProcess(first.child, 'SIGKILL');
  const accepted = receiver.received.splice(0).slice(0, 10);
  const waiting = numbers.filter((from) => !accepted.some(({ event }) => event.data.from === from));

  receiver.reply = (response) => response.writeHead(200).end();
  await startSandboxProcess('--database', database);
  await eventually(() => expect([...receivedNumbers()]).toEqual(expect.arrayContaining(waiting)));
});

test('keeps tokens and data, and its time also when the clock of the machine is turned back', async () => {
  const day = 86_400_000;
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const before = await start();
  await ask(`${before.url}/sandbox/clock`, 'POST', { advance_seconds: 50 });
  const first = await write(before);
  now -= day;
  const second = await write(before);
  now -= day;
  const after = await start();
  expect(after.tokens).toEqual(before.tokens);
  const account = { url: after.url, token: after.tokens.advanced };
  expect(await requestFrom(account, 'getMessage', { id: first.id })).toMatchObject({ status: 200 });
  const times = [first, second, await write(after)].map(({ created_at }) => Date.parse(created_at));
  const steps = times.slice(1).map((each, index) => each - Number(times[index]));
  expect(steps.filter((step) => step < 0 || step > 60_000)).toEqual([]);
});

test('sends no earlier events to a webhook that was created after a restart', async () => {
  await write(await start());
  const after = await start();
  await subscribe(after.url, after.tokens.advanced);
  const from = newNumber();
  await write(after, from);
  await receiver.wait(1);
  expect(receivedNumbers()).toEqual(new Set([from]));
});

test('refuses a database that it cannot use, and says why', async () => {
  await start();
  await expect(startSandbox({ database })).rejects.toThrow('database is locked');
  await expect(startSandbox({ database: folder })).rejects.toThrow(`The database ${folder} cannot be used`);
  const older = join(folder, 'older.db');
  const connection = new DatabaseSync(older);
  connection.exec('PRAGMA user_version = 1');
  connection.close();
  await expect(startSandbox({ database: older })).rejects.toThrow('was made by another version of the sandbox');
});

test('accepts the key of a request that was running when the sandbox stopped', async () => {
  const body = { phone: newNumber() };
  const create = ({ url, tokens }: Sandbox, others = {}) => {
    const headers = { 'idempotency-key': 'k', ...others };
    return requestFrom({ url, token: tokens.advanced }, 'createContact', { body }, headers);
  };
  const before = await start();
  const slow = expect(create(before, { 'x-sandbox-fault': 'slow; delay_ms=60000' })).rejects.toThrow();
  await eventually(async () => expect(await create(before)).toMatchObject({ status: 409 }));
  const after = await start();
  await slow;
  expect(await create(after)).toMatchObject({ status: 201 });
});

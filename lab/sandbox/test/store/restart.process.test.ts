import { mkdtemp, rm } from 'node:fs/promises';
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
let receiver: Receiver;

const sandboxes = new Set<Sandbox>();

const start = async (options: SandboxOptions): Promise<Sandbox> => {
  const sandbox = await startSandbox(options);
  sandboxes.add(sandbox);
  return sandbox;
};

const stop = async (sandbox: Sandbox): Promise<void> => {
  sandboxes.delete(sandbox);
  await sandbox.stop();
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  receiver = await Receiver.start();
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const sandbox of sandboxes) await stop(sandbox);
  await receiver.stop();
  await rm(folder, { recursive: true });
});

const run = (database: string) => startSandboxProcess('--database', database);

const subscribe = async (url: string, token: string): Promise<void> => {
  const body = { url: receiver.url, events: ['message.received'] };
  const answer = await requestFrom({ url, token }, 'createWebhook', { body });
  expect(answer.status).toBe(201);
};

const write = (url: string, from: string) => ask(`${url}/sandbox/messages`, 'POST', { from, text: 'Hello' });

const receivedNumbers = () => new Set(receiver.received.map(({ event }) => event.data.from));

test('delivers all of 40 events when killed halfway and restarted', async () => {
  const database = writeSeeded(folder);
  const first = await run(database);
  await subscribe(first.url, first.token);
  const numbers = Array.from({ length: 40 }, newNumber);
  receiver.reply = (response, count) => count <= 10 && response.writeHead(200).end();
  await Promise.all(numbers.map((from) => write(first.url, from)));
  await receiver.wait(18);
  await endProcess(first.child, 'SIGKILL');
  const accepted = receiver.received.splice(0).slice(0, 10);
  const waiting = numbers.filter((from) => !accepted.some(({ event }) => event.data.from === from));

  receiver.reply = (response) => response.writeHead(200).end();
  await run(database);
  await eventually(() => expect([...receivedNumbers()]).toEqual(expect.arrayContaining(waiting)));
});

describe('in one process', () => {
  test('keeps tokens, data and the time', async () => {
    const database = writeSeeded(folder);
    const before = await start({ database, speed: 100 });
    const { body: written } = await write(before.url, newNumber());
    const { body: clock } = await ask(`${before.url}/sandbox/clock`, 'POST', { advance_seconds: 86_400 });
    await stop(before);

    const after = await start({ database, speed: 100 });
    expect(after.tokens).toEqual(before.tokens);
    const { id } = z.object({ id: z.string() }).parse(written);
    const account = { url: after.url, token: after.tokens.advanced };
    expect(await requestFrom(account, 'getMessage', { id })).toMatchObject({ status: 200 });
    const now = z.object({ now: z.string() });
    const later = await ask(`${after.url}/sandbox/clock`, 'POST', { advance_seconds: 0 });
    expect(Date.parse(now.parse(later.body).now)).toBeGreaterThanOrEqual(Date.parse(now.parse(clock).now));
    await stop(after);
  });

  test('keeps its time when the clock of the machine is turned back, while it runs and when it starts', async () => {
    const database = writeSeeded(folder);
    const written = z.object({ created_at: z.string() });
    const writtenAt = async ({ url }: Sandbox) =>
      Date.parse(written.parse((await write(url, newNumber())).body).created_at);
    const day = 86_400_000;
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const before = await start({ database });
    await ask(`${before.url}/sandbox/clock`, 'POST', { advance_seconds: 50 });
    const first = await writtenAt(before);
    now -= day;
    const second = await writtenAt(before);
    await stop(before);

    now -= day;
    const after = await start({ database });
    const third = await writtenAt(after);
    expect([second - first, third - second].filter((step) => step < 0 || step > 60_000)).toEqual([]);
    await stop(after);
  });

  test('sends no earlier events to a webhook that was created after a restart', async () => {
    const database = writeSeeded(folder);
    const before = await start({ database });
    await write(before.url, newNumber());
    await stop(before);

    const after = await start({ database });
    await subscribe(after.url, after.tokens.advanced);
    const from = newNumber();
    await write(after.url, from);
    await receiver.wait(1);
    expect(receivedNumbers()).toEqual(new Set([from]));
    await stop(after);
  });

  test('refuses a database of another version', async () => {
    const database = join(folder, 'sandbox.db');
    const other = new DatabaseSync(database);
    other.exec('PRAGMA user_version = 1');
    other.close();
    await expect(start({ database })).rejects.toThrow('was made by another version of the sandbox');
  });

  test('names a database that it cannot open', async () => {
    await expect(start({ database: folder })).rejects.toThrow(`The database ${folder} cannot be used`);
  });

  test('refuses a database that another sandbox has open', async () => {
    const database = writeSeeded(folder);
    const first = await start({ database });
    await expect(start({ database })).rejects.toThrow('database is locked');
    await stop(first);
  });

  test('accepts the key of a request that was running when the sandbox stopped', async () => {
    const database = writeSeeded(folder);
    const before = await start({ database });
    const headers = { 'idempotency-key': 'k' };
    const body = { phone: newNumber() };
    const create = ({ url, tokens }: Sandbox, others = {}) =>
      requestFrom({ url, token: tokens.advanced }, 'createContact', { body }, { ...headers, ...others });
    const slow = { 'x-sandbox-fault': 'slow; delay_ms=60000' };
    const running = expect(create(before, slow)).rejects.toThrow();
    await eventually(async () => expect(await create(before)).toMatchObject({ status: 409 }));
    await stop(before);
    await running;

    const after = await start({ database });
    expect(await create(after)).toMatchObject({ status: 201 });
    await stop(after);
  });
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { receiveMessage } from '../../sandbox/domain/messages';
import { workspaceOf } from '../../sandbox/domain/workspaces';
import { systemRandom } from '../../sandbox/engine/random';
import { type DeliveryFault, FaultList } from '../../sandbox/faults';
import { Database } from '../../sandbox/store/database';
import { fictionalNumber } from '../sandbox/running';
import { writeSeeded } from '../sandbox/seeded';
import { Client, count, textOf } from './client';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

/** Adds 500 chats with 4 messages each, and 40 in the newest one. */
const addChats = (path: string): void => {
  const database = new Database(path);
  const context = {
    database,
    clock: Date,
    random: systemRandom,
    deliveryFaults: new FaultList<DeliveryFault>(systemRandom),
  };
  const workspace = workspaceOf(database, 'advanced');
  database.transaction(() => {
    for (let chat = 0; chat < 500; chat += 1) {
      for (let message = 1; message <= (chat < 499 ? 4 : 40); message += 1) {
        const from = fictionalNumber(300, chat);
        receiveMessage(context, workspace, { from, text: `Message ${message}`, channel: 'whatsapp' });
      }
    }
  });
  database.close();
};

const database = writeSeeded(folder);
beforeAll(async () => {
  addChats(database);
  await client.start(['--database', database]);
});

const found = (html: string, pattern: RegExp): string => z.string().parse(html.match(pattern)?.[1]);

test('2,000 messages and 500 chats come in pages', async () => {
  const page = (await client.get('/')).html;
  expect(count(page, 'class="chat row"')).toBe(30);
  expect(page.length).toBeLessThan(60_000);
  const more = (await client.get('/phones?chats=600')).html;
  expect(count(more, 'class="chat row"')).toBeGreaterThanOrEqual(500);

  const chat = found(page, /id="chat-([^"]+)"/);
  const open = (await client.get(`/phones?chat=${chat}`)).html;
  expect(count(open, 'class="bubble')).toBe(30);
  expect(open).toContain('Earlier messages');
});

test('Zaps, runs, subscriptions and held runs survive a restart', async () => {
  await client.post('/zap/zap-1/1', { at: '1', 'f.variable_parcel_id': 'PX-kept' });
  await client.post('/zap/zap-1/on');
  const customer = fictionalNumber(814, 1);
  const { html } = await client.post('/phones', { from: customer, text: 'Where is my parcel?', channel: 'whatsapp' });
  const chat = found(html, /id="write-([^"]+)"/);
  const isSent = (runs: string) => textOf(runs).includes('Send Template Message: Success');
  await client.waitFor('/zap/zap-1/runs', isSent);
  await client.post('/simulate', { advance: '10000' });
  await client.post('/simulate', { token: 'rotate' });
  await client.post('/phones', { from: fictionalNumber(814, 2), text: 'My parcel?', channel: 'whatsapp' });
  await client.waitFor('/zap/zap-1/runs', (runs) => textOf(runs).includes('Send Template Message: Held'));

  await client.stop('SIGTERM');
  await client.start(['--database', database]);

  // The account is connected again, so the run that was held goes on.
  await client.waitFor('/zap/zap-1/runs', (runs) => count(textOf(runs), 'Send Template Message: Success') === 2);
  const zap = (await client.get('/zap/zap-1?step=1')).html;
  expect(zap).toContain('value="PX-kept"');
  expect(textOf(zap)).toContain('Turn off');
  expect(textOf((await client.get('/simulate')).html)).toMatch(/Clock is \d h/);
  expect((await client.get(`/phones?chat=${chat}`)).html).toContain('PX-kept');

  await client.post('/phones', { from: fictionalNumber(814, 3), text: 'The parcel?', channel: 'whatsapp' });
  await client.waitFor('/zap/zap-1/runs', (runs) => count(textOf(runs), 'Send Template Message: Success') === 3);
});

test('a process that was killed leaves a run that says so, and loses no Zap', async () => {
  await client.post('/simulate', { fault: 'slow', count: '100' });
  await client.post('/phones', { from: fictionalNumber(814, 4), text: 'A parcel?', channel: 'whatsapp' });
  await client.waitFor('/zap/zap-1/runs', (runs) => textOf(runs).includes('Running'));
  await client.stop('SIGKILL');
  await client.start(['--database', database]);
  const { html } = await client.get('/zap/zap-1/runs');
  expect(textOf(html)).toContain('The playground stopped during this step.');
});

test('a file that another program wrote is named, and stays as it is', async () => {
  await client.stop('SIGTERM');
  const file = `${database}.playground`;
  expect(existsSync(file)).toBe(true);
  writeFileSync(file, 'not a database'.repeat(500));
  await expect(client.start(['--database', database])).rejects.toThrow("The playground can't read");
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '../../playground/store';
import { zap as zapSchema } from '../../playground/zaps/zap';
import { endpoints } from '../../src/api/endpoints';
import { fictionalNumber } from '../sandbox/running';
import { writeSeeded } from '../sandbox/seeded';
import { Client, count, found, textOf } from './client';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

const database = writeSeeded(folder);
beforeAll(() => client.start(['--database', database]));

test('Zaps, runs, subscriptions and held runs survive a process that is killed', async () => {
  const runs = '/zap/zap-1/runs';
  const write = async (index: number) => {
    const from = fictionalNumber(814, index);
    return (await client.post('/phones', { from, text: 'Where is my parcel?', channel: 'whatsapp' })).html;
  };
  const waitFor = (text: string, times = 1) => client.waitFor(runs, (html) => count(textOf(html), text) === times);
  const sent = 'Send Template Message: Success';

  await client.post('/zap/zap-1/1', { at: '1', 'f.variable_parcel_id': 'PX-kept' });
  await client.post('/zap/zap-1/on');
  const chat = found(await write(1), /id="write-([^"]+)"/);
  await waitFor(sent);
  expect(textOf((await client.post('/simulate', { advance: '60' })).html)).toContain('Clock is 1 min ahead');
  await client.post('/simulate', { advance: '10000' });
  const addFault = async (fault: object) =>
    fetch(`${await client.serviceUrl()}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
  await addFault({ kind: '429', count: 1, path: endpoints.sendMessage.path, retry_after: 600 });
  await write(2);
  await waitFor('Send Template Message: Held');
  await addFault({ kind: 'slow', delay_ms: 60_000 });
  await write(3);
  // In the summary, and in the list.
  await waitFor('Running', 2);

  await client.post('/simulate', { fault: '503', count: '5' });
  await client.post('/simulate', { token: 'rotate', plan: 'growth', speed: '10' });

  await client.stop('SIGKILL');
  await client.start(['--database', database]);

  await client.waitFor(runs, (html) => textOf(html).includes('The playground stopped during this step.'));
  await client.post('/simulate', { advance: '600' });
  await waitFor(sent, 2);
  const zap = (await client.get('/zap/zap-1?step=1')).html;
  expect(zap).toContain('value="PX-kept"');
  expect(textOf(zap)).toContain('Turn off');
  // Nothing else is simulated any more.
  const banner = textOf(found((await client.get('/simulate')).html, /class="banner"([\s\S]*?)<\/p>/));
  expect(banner).toMatch(/Simulated: Clock is [\w ]+ ahead$/);
  expect((await client.get(`/phones?chat=${chat}`)).html).toContain('PX-kept');
  await write(4);
  await waitFor(sent, 3);
});

test('a file that another program or version wrote is named, and stays as it is', () => {
  const file = join(folder, 'other.playground');
  writeFileSync(file, 'not a database'.repeat(500));
  expect(() => new Store(file)).toThrow(`The playground can't read ${file}. Move the file away`);
  expect(readFileSync(file, 'utf8')).toBe('not a database'.repeat(500));

  const store = new Store(':memory:');
  store.put('zap', 'zap-1', { id: 'zap-1', steps: [] });
  expect(() => store.list('zap', zapSchema)).toThrow("The playground can't read :memory:.");
  // A second close would throw and hide the sentence.
  store.close();

  expect(() => new Store(folder)).toThrow("The playground can't read");
});

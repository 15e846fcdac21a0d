/** A step in the editor: its form, its dropdowns and its test, and the requests that each of them makes. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recipes } from '../../recipes';
import app from '../../src';
import { endpoints } from '../../src/api/endpoints';
import { Client, count, found, textOf } from '../support/playground-client';
import { fictionalNumber } from '../support/running';
import { writeSeeded } from '../support/seeded';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
beforeAll(() => client.start(['--database', writeSeeded(folder)]));
afterEach(async () => {
  await client.post('/simulate', { clear: 'faults' });
});
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

let customers = 0;
const newCustomer = (): string => fictionalNumber(816, customers++);

const write = (from: string, text: string) => client.post('/phones', { from, text, channel: 'whatsapp' });

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.from}}',
};

/** A Zap whose second step finds a customer who wrote. */
const newSearch = async (): Promise<string> => {
  const [zap, customer] = [await client.newZap(), newCustomer()];
  await write(customer, 'Hello');
  await client.fill(zap, 1, { operation: 'searches.find_contact' });
  await client.fill(zap, 1, { 'f.phone': customer });
  return zap;
};

/** Every API request of a step so far, oldest first. */
const requests = async (): Promise<string[]> => {
  const { html } = await client.get('/activity?kind=request&count=900');
  return [...html.matchAll(/class="title"[^>]*>([^<]*)</g)].map(([, title = '']) => title).reverse();
};

/** The API requests that something leads to, and no others. */
const requestsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
  const before = await requests();
  await act();
  await client.settled();
  return (await requests()).slice(before.length);
};

const result = (html: string): string => textOf(found(html, /id="result"([\s\S]*)/));

const contacts = `GET ${endpoints.listContacts.path}`;
const templates = `GET ${endpoints.listTemplates.path}`;

describe('a test of a step', () => {
  const newSend = async (): Promise<string> => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { ...sendForm, 'f.to': newCustomer() });
    return zap;
  };

  test.each([
    ['a search', newSearch, contacts],
    ['an action that sends', newSend, `POST ${endpoints.sendMessage.path}`],
  ])('makes only the requests of the step: %s', async (_, create, request) => {
    const zap = await create();
    for (const _ of ['the first test', 'another test']) {
      let html = '';
      const made = await requestsOf(async () => {
        ({ html } = await client.fill(zap, 1, { action: 'test' }));
      });
      expect(result(html)).toContain('Success');
      expect(made).toEqual([request]);
      expect(result(html)).toContain(request);
    }
  });

  test('is over in Activity when it is over', async () => {
    await client.fill(await newSearch(), 1, { action: 'test' });
    const { html } = await client.get('/activity?kind=run&count=1');
    expect(textOf(html)).toMatch(/Find Contact \(test\) Success /);
  });

  test('keeps its record when the step is saved meanwhile', async () => {
    const zap = await newSearch();
    await client.post(`/zap/${zap}/add`);
    const isSample = async () => (await client.get(`/zap/${zap}?step=2`)).html.includes('test step 2');
    expect(await isSample()).toBe(true);
    const before = await requests();
    await client.addFault({ kind: 'slow', user_agent: 'Zapier', delay_ms: 1500 });
    const tested = client.fill(zap, 1, { action: 'test' });
    await client.waitFor('/activity?kind=request&count=900', (html) => count(html, 'class="title"') > before.length);
    await client.fill(zap, 1, { 'f.first_name': 'Noor', action: '' });
    expect(result((await tested).html)).toContain('Success');
    expect(await isSample()).toBe(false);
  });

  test('shows the key of a request that sends', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { ...sendForm, 'f.to': newCustomer() });
    const { html } = await client.fill(zap, 1, { action: 'run' });
    expect(found(html, /POST [^<]*<\/td>(?:<td>[^<]*<\/td>){2}<td class="key">([^<]*)</)).toMatch(/^[\w:-]{8,}$/);
  });
});

describe('the form of a step', () => {
  test('is computed when the step opens first, when a value that alters it changes, and on Refresh', async () => {
    const zap = await client.newZap();
    const open = () => client.get(`/zap/${zap}?step=1`);
    await client.fill(zap, 1, sendForm);
    expect(await requestsOf(open)).toEqual([]);
    expect(await requestsOf(() => client.get(`/?zap=${zap}&step=1`))).toEqual([]);
    expect(await requestsOf(() => client.fill(zap, 1, { 'f.variable_parcel_id': 'PX-2' }))).toEqual([]);
    expect(await requestsOf(() => client.fill(zap, 1, { action: 'refresh' }))).toEqual([templates]);
    const other = () => client.fill(zap, 1, { 'f.template': 'opening_hours' });
    expect(await requestsOf(other)).toContain(templates);
    expect((await open()).html).not.toContain('name="f.variable_parcel_id"');
  });

  test('is computed for every step before a Zap is turned on', async () => {
    const { html } = await client.post('/zap/recipe', { recipe: '0' });
    const zap = found(html, /data-address="zap=([^&]+)/);
    await client.addRecord(zap);
    await client.settled();
    const runs = await client.get(`/zap/${zap}/runs`);
    expect(count(runs.html, 'id="run-')).toBe(1);
    expect(textOf(runs.html)).toContain('Success');
  });
});

test('the test of each instant trigger tells a Growth workspace of the plan, and what still works', async () => {
  const zap = await client.newZap();
  await client.post('/simulate', { plan: 'growth' });
  const instant = Object.keys(app.triggers).filter((key) => key !== 'new_contact');
  for (const key of instant) {
    await client.fill(zap, 0, { operation: `triggers.${key}` });
    const { html } = await client.fill(zap, 0, { action: 'test' });
    expect(result(html)).toMatch(/Instant triggers .* need the Advanced plan\. .* work on the Growth plan\./);
  }
  await client.fill(zap, 0, { operation: 'triggers.new_contact' });
  expect(result((await client.fill(zap, 0, { action: 'test' })).html)).toContain('Success');
  await client.post('/simulate', { plan: 'advanced' });
  expect(instant).toHaveLength(10);
});

describe('a failure of requests that read', () => {
  /** Fails every request that reads. With such a Retry-After, the app doesn't try again for half a minute. */
  const failReads = () =>
    client.addFault({ kind: '429', count: 1000, requests: 'reads', user_agent: 'Zapier', retry_after: 3600 });
  const banner = async () => textOf((await client.get('/simulate')).html);

  test('waits for the step, whatever the page reads meanwhile', async () => {
    const zap = await newSearch();
    await client.post('/simulate', { fault: 'reads-503', count: '1' });
    await client.get(`/?zap=${zap}&step=1`);
    await client.fill(zap, 1, { 'f.email': '' });
    await client.get('/activity');
    expect(await banner()).toContain('Service unavailable (503) for reads: next 1');
    const { html } = await client.fill(zap, 1, { action: 'test' });
    expect(result(html)).toMatch(new RegExp(`Success .* ${contacts}\\S* 503 .* ${contacts}\\S* 200 `));
    expect(await banner()).not.toContain('for reads: next');
  });

  test.each([
    ['a search', 1],
    ['a trigger', 0],
  ])('fails a test of %s', async (_, index) => {
    const zap = await newSearch();
    await client.get(`/zap/${zap}?step=${index}`);
    await failReads();
    const { html } = await client.fill(zap, index, { action: 'test' });
    expect(result(html)).toContain('On hold');
    await client.post('/simulate', { clear: 'faults' });
    expect(result((await client.fill(zap, index, { action: 'test' })).html)).toContain('Success');
  });

  test('fails a dropdown, which says so', async () => {
    const zap = await client.newZap();
    await failReads();
    const { html } = await client.post(`/zap/${zap}/1/choices/channel`);
    expect(html).toContain('class="problem"');
    await client.post('/simulate', { clear: 'faults' });
    expect((await client.post(`/zap/${zap}/1/choices/channel`)).html).toContain('WhatsApp');
  });

  test('fails a form, which Refresh repairs', async () => {
    const zap = await client.newZap();
    await failReads();
    const failed = await client.fill(zap, 1, { 'f.channel': 'whatsapp', 'f.template': 'parcel_out_for_delivery' });
    expect(failed.html).not.toContain('name="f.variable_parcel_id"');
    await client.post('/simulate', { clear: 'faults' });
    const { html } = await client.fill(zap, 1, { action: 'refresh' });
    expect(html).toContain('name="f.variable_parcel_id"');
  });

  test('fails polls, and the next one finds what they missed', async () => {
    const zap = await client.newZap();
    const customer = newCustomer();
    await client.fill(zap, 0, { operation: 'triggers.new_contact' });
    await client.fill(zap, 1, { operation: 'searches.find_contact' });
    await client.fill(zap, 1, { 'f.phone': '{{1.phone}}' });
    await client.post(`/zap/${zap}/on`);
    await failReads();
    await write(customer, 'Hello');
    const before = await requests();
    // The page doesn't hear of polls.
    while ((await requests()).length === before.length);
    await client.settled();
    expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).toContain('No runs yet.');
    await client.post('/simulate', { clear: 'faults' });
    await client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes('Find Contact: Success'));
    await client.post(`/zap/${zap}/off`);
  });

  test('leaves requests that write alone, and the other way round', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { operation: 'creates.update_contact' });
    const choices = (await client.post(`/zap/${zap}/1/choices/contact`)).html;
    const contact = found(choices, /&quot;value&quot;:&quot;([^&]+)&quot;/);
    await client.fill(zap, 1, { 'f.contact': contact, 'f.last_name': 'Visser' });
    await failReads();
    expect(result((await client.fill(zap, 1, { action: 'run' })).html)).toMatch(/Success .* PATCH \S+ 200 /);
    await client.post('/simulate', { clear: 'faults' });
    await client.post('/simulate', { fault: 'writes-503', count: '1' });
    expect(result((await client.fill(zap, 1, { action: 'run' })).html)).toMatch(/PATCH \S+ 503 /);
  });
});

describe('the choices of a step', () => {
  const choose = (zap: string, key: string, form: Record<string, string> = {}) =>
    client.post(`/zap/${zap}/1/choices/${key}`, form);

  test('are the templates of the chosen channel', async () => {
    const zap = await client.newZap();
    const onWhatsApp = (await choose(zap, 'template', { 'f.channel': 'whatsapp' })).html;
    const bySms = (await choose(zap, 'template', { 'f.channel': 'sms' })).html;
    expect(onWhatsApp).toContain('parcel_out_for_delivery');
    expect(onWhatsApp).not.toContain('parcel_sms');
    expect(bySms).toContain('parcel_sms');
    expect(bySms).not.toContain('parcel_out_for_delivery');
  });

  test('of a template go when another channel is chosen', async () => {
    const zap = await client.newZap();
    const shown = async (form: Record<string, string>) =>
      textOf(found((await client.fill(zap, 1, form)).html, /id="choose-template"[^>]*>([\s\S]*?)<\/button>/)).trim();
    const chosen = { 'f.channel': 'whatsapp', 'f.template': 'parcel_out_for_delivery' };
    expect(await shown(chosen)).not.toBe('Choose…');
    expect(await shown({ ...chosen, 'f.channel': 'sms' })).toBe('Choose…');
  });

  test('go on in pages until the last one', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { operation: 'creates.update_contact' });
    for (let written = 0; written < 101; written += 1) await write(newCustomer(), 'Hello');
    const listed = new Set<string>();
    for (let page = 0, from = ''; ; page += 1) {
      const { html } = await choose(zap, 'contact', { from });
      from = /&quot;from&quot;:&quot;([^&]+)&quot;/.exec(html)?.[1] ?? '';
      const values = [...html.matchAll(/&quot;value&quot;:&quot;([^&]+)&quot;/g)].map(([, value = '']) => value);
      for (const value of values) listed.add(value);
      expect({ page, hasMore: html.includes('Load more') }).toEqual({ page, hasMore: values.length === 100 });
      if (values.length < 100) break;
    }
    expect(listed.size).toBeGreaterThan(100);
  });
});

test('a run that is under way has no Replay, and a request for one sends nothing', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 0, { operation: 'other' });
  await client.fill(zap, 0, { 'f.json': JSON.stringify({ from: newCustomer() }) });
  await client.fill(zap, 1, sendForm);
  const send = `POST ${endpoints.sendMessage.path}`;
  const before = (await requests()).filter((each) => each === send).length;
  await client.addFault({ kind: 'slow', user_agent: 'Zapier', requests: 'writes', delay_ms: 2000 });
  await client.addRecord(zap);
  const running = await client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes('Running'));
  expect(running).not.toContain('Replay</button>');
  const run = found(running, /id="run-([^"]+)"/);
  const refused = await client.post(`/zap/${zap}/runs/${run}/replay`);
  expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('This run hasn') });
  await client.settled();
  expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).toContain('Send Template Message: Success');
  expect((await requests()).filter((each) => each === send)).toHaveLength(before + 1);
  expect((await client.get(`/zap/${zap}/runs`)).html).toContain(`replay-${run}`);
});

test('the steps of a Zap are the same after a restart, and open without a request', async () => {
  const [own, database] = [new Client(), join(folder, 'restarted.db')];
  await own.start(['--database', database]);
  const zap = await own.newZap();
  await own.fill(zap, 0, { operation: 'other' });
  await own.fill(zap, 0, { 'f.event': 'Shop: New Order', 'f.json': '{"phone": "+12025550123"}' });
  await own.fill(zap, 1, { ...sendForm, 'f.to': '{{1.phone}}' });
  await own.post(`/zap/${zap}/add`);
  await own.fill(zap, 2, { operation: 'other' });
  await own.fill(zap, 2, { 'f.event': 'Slack: Send Message', 'k.fields': 'Text', 'v.fields': 'Sent {{2.id}}' });
  await own.post(`/zap/${zap}/add`);
  await own.fill(zap, 3, { operation: 'delay' });
  const recipeZaps: string[] = [];
  for (const index of recipes.keys()) {
    const { html } = await own.post('/zap/recipe', { recipe: String(index) });
    recipeZaps.push(`${found(html, /data-address="zap=([^&]+)/)}?step=1`);
  }
  const show = () =>
    Promise.all(
      [...[0, 1, 2, 3].map((step) => `${zap}?step=${step}`), ...recipeZaps].map(
        async (step) => (await own.get(`/zap/${step}`)).html,
      ),
    );
  await show();
  const before = await show();
  expect(before[0]).toContain('value="Shop: New Order"');
  expect(before[2]).toContain('value="Sent {{2.id}}"');
  await own.stop('SIGTERM');
  await own.start(['--database', database]);
  const after = await show();
  const { html } = await own.get('/activity?kind=request');
  await own.stop();
  expect(after).toEqual(before);
  expect(textOf(html)).toContain('Nothing has happened yet.');
  expect(own.errors()).toBe('');
});

test('a new Zap offers ready examples of other apps before its own triggers, and after its own actions', async () => {
  const zap = await client.newZap();
  const setup = async (step: number) => {
    const { html } = await client.get(`/zap/${zap}?step=${step}&stage=setup`);
    return [...html.matchAll(/id="(operation|example-0)"/g)].map(([, id]) => id);
  };
  expect(await setup(0)).toEqual(['example-0', 'operation']);
  expect(await setup(1)).toEqual(['operation', 'example-0']);
});

test('a form that the browser stops sending is no failure', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 100 };
  const sending = request(`${client.url}/phones`, { method: 'POST', headers });
  sending.on('error', () => undefined).write('from=');
  await once(sending, 'socket');
  await client.get('/');
  sending.destroy();
  await client.get('/');
  expect(client.errors()).toBe('');
});

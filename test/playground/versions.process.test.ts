/** Nothing is lost: versions, drafts, values of other operations, and two tabs. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, found, textOf } from '../support/playground-client';
import { fictionalNumber } from '../support/running';
import { writeSeeded } from '../support/seeded';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
const database = writeSeeded(folder);
beforeAll(() => client.start(['--database', database]));
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

let customers = 0;
const newCustomer = (): string => fictionalNumber(817, customers++);

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.from}}',
};

const fieldValue = (html: string, field: string): string =>
  found(html, new RegExp(`id="field-${field}"[^>]*value="([^"]*)"`));

const show = async (zap: string, step: number): Promise<string> => (await client.get(`/zap/${zap}?step=${step}`)).html;

describe('the operation of a step', () => {
  test('keeps its values, labels and filled-in template while another one is chosen', async () => {
    const zap = await client.newZap();
    const { html: before } = await client.fill(zap, 1, sendForm);
    for (const operation of ['creates.create_contact', 'delay', 'other', 'searches.find_contact'])
      await client.fill(zap, 1, { operation });
    const { html } = await client.fill(zap, 1, { operation: 'creates.send_message' });
    expect(found(html, /(<form id="step"[\s\S]*)/)).toBe(found(before, /(<form id="step"[\s\S]*)/));
  });

  test('shares the values of its fields with another one that has them, also past one that lacks them', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, sendForm);
    await client.fill(zap, 1, { operation: 'creates.create_contact' });
    const { html } = await client.fill(zap, 1, { operation: 'creates.send_message_and_wait' });
    const fields = ['channel', 'template', 'variable_parcel_id', 'variable_arrival_time', 'to'];
    expect(fields.map((field) => fieldValue(html, field))).toEqual(Object.values(sendForm));
  });

  test('keeps what it maps when a step is added or removed meanwhile', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, sendForm);
    await client.fill(zap, 1, { operation: 'delay' });
    await client.post(`/zap/${zap}/add?before=1`);
    await client.fill(zap, 1, { action: 'remove' });
    await client.fill(zap, 1, { operation: 'creates.send_message' });
    expect(fieldValue(await show(zap, 1), 'to')).toBe('{{1.from}}');
  });
});

describe('Undo and Redo', () => {
  const undo = async (zap: string) => (await client.post(`/zap/${zap}/undo`)).html;
  const redo = async (zap: string) => (await client.post(`/zap/${zap}/redo`)).html;
  const can = (html: string, button: 'undo' | 'redo') =>
    new RegExp(`id="${button}"[^>]*aria-disabled="false"`).test(html);

  test('go through every change, one at a time, and a new change ends what can be redone', async () => {
    const zap = await client.newZap();
    expect(can(await show(zap, 1), 'undo')).toBe(false);
    await client.fill(zap, 1, sendForm);
    await client.fill(zap, 1, { 'f.to': '+12025550123' });
    await client.fill(zap, 1, { 'f.to': '+12025550123' });
    await client.fill(zap, 1, { operation: 'delay' });
    await undo(zap);
    expect(fieldValue(await undo(zap), 'to')).toBe('{{1.from}}');
    const empty = await undo(zap);
    expect([fieldValue(empty, 'channel'), can(empty, 'undo')]).toEqual(['', false]);
    await redo(zap);
    expect(fieldValue(await redo(zap), 'to')).toBe('+12025550123');
    await client.fill(zap, 1, { 'f.to': '+12025550124' });
    const { html } = await client.get(`/zap/${zap}?step=1`);
    expect([can(html, 'undo'), can(html, 'redo')]).toEqual([true, false]);
  });

  test('bring back a removed step, and what later steps map from it', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { operation: 'searches.find_contact' });
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 2, { ...sendForm, 'f.to': '{{2.phone}}' });
    await client.fill(zap, 1, { action: 'remove' });
    expect(fieldValue(await show(zap, 1), 'to')).toBe('{{removed.phone}}');
    expect(textOf(await undo(zap))).toContain('2. Find Contact');
    expect(fieldValue(await show(zap, 2), 'to')).toBe('{{2.phone}}');
  });

  test('keep a tested record, and a test is no change', async () => {
    const zap = await client.newZap();
    const customer = newCustomer();
    await client.post('/phones', { from: customer, text: 'Hello', channel: 'whatsapp' });
    await client.fill(zap, 1, { operation: 'searches.find_contact' });
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 1, { 'f.phone': customer });
    await client.fill(zap, 1, { action: 'test' });
    await undo(zap);
    const { html } = await client.get(`/zap/${zap}?step=2`);
    expect(html).toContain(customer);
    expect(fieldValue(await show(zap, 1), 'phone')).toBe('');
  });

  test('survive a restart', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, sendForm);
    await client.fill(zap, 1, { 'f.to': '+12025550123' });
    await client.stop('SIGTERM');
    await client.start(['--database', database]);
    expect(fieldValue(await undo(zap), 'to')).toBe('{{1.from}}');
  });
});

test('a Zap is renamed, duplicated, deleted and restored, and runs only while it is there', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': ['deleted'], 'f.match': 'contains' });
  await client.fill(zap, 1, sendForm);
  expect(textOf((await client.post(`/zap/${zap}/rename`, { title: ' Ask <b>Noor</b> ' })).html)).toContain(
    'Ask <b>Noor</b>',
  );
  expect((await client.post(`/zap/${zap}/rename`, { title: ' ' })).status).toBe(422);
  const copy = found((await client.post(`/zap/${zap}/duplicate`)).html, /data-address="zap=([^&]+)/);
  expect(copy).not.toBe(zap);
  expect(textOf(await show(copy, 1))).toContain('Copy of Ask <b>Noor</b>');
  expect(fieldValue(await show(copy, 1), 'to')).toBe('{{1.from}}');
  await client.post(`/zap/${zap}/on`);
  const { html } = await client.post(`/zap/${zap}/delete`);
  expect(textOf(html)).toContain('Ask <b>Noor</b> is deleted.');
  expect(html).not.toContain(`<option value="${zap}"`);
  expect((await client.get(`/zap/${zap}?step=0`)).status).toBe(422);
  await client.post('/phones', { from: newCustomer(), text: 'deleted', channel: 'whatsapp' });
  const restored = (await client.post(`/zap/${zap}/restore`)).html;
  expect(textOf(restored)).toContain('No runs yet.');
  expect(textOf(restored)).toContain('Turn on');
  const undone = await client.post(`/zap/${zap}/undo`);
  expect(undone.html).toMatch(/<span id="zap-title" dir="auto">Zap/);
});

test('the parts of a page that shows a Zap refresh without an error after another tab deleted it', async () => {
  const zap = await client.newZap();
  await client.post(`/zap/${zap}/delete`);
  const parts = [`/zap/${zap}/runs?step=0`, `/zap/${zap}/0/result`, `/windows/${zap}`];
  const shown = await Promise.all(parts.map((path) => client.get(path)));
  expect(shown.map(({ status }) => status)).toEqual([200, 204, 200]);
});

test('a recipe still makes its event happen after its Zap was renamed', async () => {
  const { html } = await client.post('/zap/recipe', { recipe: '0' });
  const zap = found(html, /data-address="zap=([^&]+)/);
  const renamed = await client.post(`/zap/${zap}/rename`, { title: 'Mine' });
  expect(renamed.html.includes('Simulate this event')).toBe(html.includes('Simulate this event'));
});

describe('two tabs', () => {
  /** What the form of a step posts, as a browser does. */
  const formOf = (html: string): Record<string, string> => {
    const form = found(html, /<form id="step"([\s\S]*)/);
    const inputs = [...form.matchAll(/<input[^>]* name="(f\.[^"]+|at|step|fields-of|version)"[^>]* value="([^"]*)"/g)];
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const operation = found(form, /<option value="([^"]+)" selected=""/);
    return Object.fromEntries(
      [...hidden, ...inputs].map(([, name = '', value = '']) => [name, value]).concat([['operation', operation]]),
    );
  };

  test('ask what to keep when both changed a step, save nothing, and do nothing else', async () => {
    const zap = await client.newZap();
    const tab = formOf((await client.fill(zap, 1, sendForm)).html);
    await client.fill(zap, 1, { ...tab, 'f.to': '+12025550123' });
    const mine = { ...tab, 'f.variable_parcel_id': 'PX-2', 'f.to': '+12025550124' };
    for (const action of ['reload', 'run', 'remove', 'test']) {
      const { status, headers, html } = await client.fill(zap, 1, { ...mine, action });
      expect([status, headers.get('hx-retarget')]).toEqual([409, '#version']);
      expect(textOf(html)).toContain("Another tab changed this step, so yours isn't saved. Load it Keep mine");
    }
    expect((await client.post(`/zap/${zap}/add`, { ...mine, at: '1' })).status).toBe(409);
    await client.settled();
    expect((await client.get(`/zap/${zap}/runs`)).html).not.toContain('id="run-');
    const html = await show(zap, 1);
    expect([fieldValue(html, 'to'), fieldValue(html, 'variable_parcel_id')]).toEqual(['+12025550123', 'PX-1']);
  });

  test('keep mine over what the other one saved, but not over what it saves after that', async () => {
    const zap = await client.newZap();
    const tab = formOf((await client.fill(zap, 1, sendForm)).html);
    await client.fill(zap, 1, { ...tab, 'f.to': '+12025550123' });
    const mine = { ...tab, ...sendForm, 'f.variable_parcel_id': 'PX-2' };
    const over = found((await client.fill(zap, 1, mine)).html, /over&quot;:&quot;([^&]+)/);
    const kept = await client.fill(zap, 1, { ...mine, over });
    expect([fieldValue(kept.html, 'to'), fieldValue(kept.html, 'variable_parcel_id')]).toEqual(['{{1.from}}', 'PX-2']);
    expect((await client.fill(zap, 1, { ...mine, 'f.to': '+12025550125', over })).status).toBe(409);
  });

  test('save the same tab again and again, by the version of each answer', async () => {
    const zap = await client.newZap();
    let tab = formOf((await client.fill(zap, 1, sendForm)).html);
    for (const to of ['+12025550123', '+12025550124', '{{1.from}}']) {
      const saved = await client.post(`/zap/${zap}/1`, { ...tab, 'f.to': to });
      expect([saved.status, saved.headers.get('hx-retarget')]).toEqual([200, '#version']);
      tab = { ...tab, version: found(saved.html, /name="version" value="([^"]+)"/) };
    }
    expect(fieldValue(await show(zap, 1), 'to')).toBe('{{1.from}}');
  });

  test('save what both of them changed in the same way, and what names no version', async () => {
    const zap = await client.newZap();
    const tab = formOf((await client.fill(zap, 1, sendForm)).html);
    await client.fill(zap, 1, { 'f.to': '+12025550123' });
    expect((await client.fill(zap, 1, { ...tab, 'f.to': '+12025550123' })).status).toBe(200);
  });

  test('ask too when the other one chose another action, and keep mine with its action', async () => {
    const zap = await client.newZap();
    const tab = formOf((await client.fill(zap, 1, sendForm)).html);
    await client.fill(zap, 1, { operation: 'delay' });
    const mine = { ...tab, 'f.to': '+12025550123' };
    const { status, html } = await client.fill(zap, 1, mine);
    expect(status).toBe(409);
    expect(await show(zap, 1)).toContain('value="delay" selected=""');
    const kept = await client.fill(zap, 1, { ...mine, over: found(html, /over&quot;:&quot;([^&]+)/) });
    expect(kept.html).toContain('value="creates.send_message" selected=""');
    expect(fieldValue(kept.html, 'to')).toBe('+12025550123');
  });
});

test('the error of a field stays until the field changes', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 1, { ...sendForm, 'f.to': '12' });
  const problem = (html: string) => html.includes('id="problem-to"');
  expect(problem((await client.fill(zap, 1, { action: 'run' })).html)).toBe(true);
  expect(problem((await client.fill(zap, 1, { 'f.variable_parcel_id': 'PX-4' })).html)).toBe(true);
  expect(problem(await show(zap, 1))).toBe(true);
  expect(problem((await client.fill(zap, 1, { 'f.to': '+12025550123' })).html)).toBe(false);
});

test('the error of a phone number goes when the Default Country that it names changes', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 1, { ...sendForm, 'f.to': '(202) 555-0123', 'f.default_country': 'NL' });
  const problem = (html: string) => html.includes('id="problem-to"');
  expect(problem((await client.fill(zap, 1, { action: 'run' })).html)).toBe(true);
  expect(problem((await client.fill(zap, 1, { 'f.default_country': 'US' })).html)).toBe(false);
});

test('half a mapped value keeps a step from running, named at its field', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 1, { ...sendForm, 'f.variable_parcel_id': '{{1.Row Number}', 'f.to': newCustomer() });
  const { html } = await client.fill(zap, 1, { action: 'run' });
  expect(textOf(html)).toContain('Parcel Number has only part of a mapped value, "{{1.Row Number}".');
  expect(html).not.toContain('id="result"');
});

test('the default database is a file in a folder of its own, which keeps Zaps', async () => {
  const own = new Client();
  const start = () => own.start(['--database', join('.playground', 'playground.db')], folder);
  await start();
  const zap = await own.newZap();
  await own.stop('SIGTERM');
  await start();
  const { status } = await own.get(`/zap/${zap}`);
  await own.stop();
  expect([status, existsSync(join(folder, '.playground'))]).toEqual([200, true]);
});

test('Start over empties the files, also while a run is under way', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 0, { operation: 'other' });
  await client.fill(zap, 1, { ...sendForm, 'f.to': newCustomer() });
  await client.addFault({ kind: 'slow', user_agent: 'Zapier', requests: 'writes', delay_ms: 2000 });
  await client.addRecord(zap);
  await client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes('Running'));
  await Promise.all([client.post('/start-over'), client.post('/start-over')]);
  expect((await client.get(`/zap/${zap}`)).status).toBe(422);
  expect(textOf((await client.get('/zap/zap-1/runs')).html)).toContain('No runs yet.');
  await client.stop('SIGTERM');
  await client.start(['--database', database]);
  expect((await client.get(`/zap/${zap}`)).status).toBe(422);
});

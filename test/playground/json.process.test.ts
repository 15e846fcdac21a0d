/** The JSON of another app's step, whatever somebody pastes there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Store } from '../../playground/service/store';
import { Client, count, found, textOf } from '../support/playground-client';
import { fictionalNumber } from '../support/running';
import { writeSeeded } from '../support/seeded';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const database = writeSeeded(folder);
const client = new Client();

const nestedLists = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const nestedObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const tooComplex =
  'This JSON is nested more than 100 levels deep, or has more than 200,000 values. Shorten it and try again.';

/** Writes a Zap and its run as an earlier version did, which kept any JSON. */
const writeEarlier = (json: string): void => {
  const file = `${database}.playground`;
  const store = new Store(file);
  store.put('zap', 'zap-1', {
    id: 'zap-1',
    title: 'Earlier',
    steps: [
      { type: 'other', id: 'first', app: 'Shop', event: 'New Order', fields: {}, json },
      { type: 'other', id: 'second', app: 'Slack', event: 'Send Message', fields: { Text: 'For {{1.a}}' }, json: '{}' },
    ],
    isOn: false,
    seen: [],
  });
  store.close();
  const run = `{"id":"run-1","zapId":"zap-1","title":"Earlier","type":"live","startedAt":"2026-11-22T10:00:00.000Z","status":"success","steps":[{"title":"Shop: New Order","status":"success","input":{},"output":${json},"requests":[]}],"trigger":${json}}`;
  const raw = new DatabaseSync(file);
  raw.prepare("INSERT INTO records (kind, id, document) VALUES ('run', 'run-1', ?)").run(run);
  raw.close();
};

beforeAll(() => {
  writeEarlier(nestedLists(50_000));
  return client.start(['--database', database]);
});
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

const post = (zap: string, index: number, form: Record<string, string>) =>
  client.post(`/zap/${zap}/${index}`, { at: String(index), action: 'reload', ...form });

/** Adds a Zap of two steps of other apps, the second of which maps data of the first. */
const newZap = async (mapped = '{{1.a}}'): Promise<string> => {
  const zap = found((await client.post('/zap/new')).html, /hx-post="\/zap\/([^/]+)\/on"/);
  for (const index of [0, 1]) await post(zap, index, { operation: 'other' });
  await post(zap, 1, { 'f.event': 'Slack: Send Message', 'k.fields': 'Text', 'v.fields': mapped });
  return zap;
};

const open = (zap: string, step: number) => client.get(`/zap/${zap}?step=${step}`);

/** Runs a Zap by the next record of its first app, and shows its runs. */
const runOnce = async (zap: string) => {
  await client.addRecord(zap);
  await client.settled();
  return client.get(`/zap/${zap}/runs`);
};

/** Opens the first step with its data as JSON. */
const openJson = (zap: string) => post(zap, 0, { as: 'json' });

const entities: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

/** What the field for the JSON has. A browser leaves out a line break at its start. */
const typed = (html: string): string =>
  found(html, /<textarea name="f.json"[^>]*>\n?([^<]*)</).replaceAll(/&(#?\w+);/g, (_, name) => entities[name] ?? '');

const problem = (html: string): string => textOf(found(html, /id="problem-json"[^>]*>([^<]*)/));

describe('JSON that is too complex', () => {
  test.each([
    ['lists, 101 levels deep', nestedLists(101)],
    ['objects, 101 levels deep', nestedObjects(101)],
    ['lists, 5,000 levels deep', nestedLists(5000)],
    ['objects, 5,000 levels deep', nestedObjects(5000)],
    ['lists, 90,000 levels deep', nestedLists(90_000)],
  ])('is named at its field and stays as it was typed: %s', async (_, json) => {
    const zap = await newZap();
    const saved = await post(zap, 0, { 'f.json': json });
    expect(problem(saved.html)).toBe(tooComplex);
    expect(typed(saved.html)).toBe(json);
    expect(typed((await openJson(zap)).html)).toBe(json);
    const later = await open(zap, 1);
    expect(textOf(later.html)).toContain('uses step 1, whose JSON has a problem. Open that step and correct it.');
    expect((await client.get(`/?zap=${zap}&step=1`)).status).toBe(200);
    const turnedOn = await client.post(`/zap/${zap}/on`, { at: '0' });
    expect(textOf(turnedOn.html)).toContain(`Step 1: ${tooComplex}`);
    await client.settled();
    expect(count((await client.get(`/zap/${zap}/runs`)).html, 'id="run-')).toBe(0);
  });

  test('is named as invalid when it never ends', async () => {
    const json = `{"a":${'['.repeat(5000)}`;
    const { html } = await post(await newZap(), 0, { 'f.json': json });
    expect(problem(html)).toContain("This isn't valid JSON.");
    expect(typed(html)).toBe(json);
  });

  test('is refused by name when it is very long, and replaces nothing', async () => {
    const zap = await newZap();
    await post(zap, 0, { 'f.json': '{"a":1}' });
    const { status, html, headers } = await post(zap, 0, { 'f.json': JSON.stringify({ a: 'x'.repeat(200_000) }) });
    expect([status, html]).toEqual([
      422,
      'The JSON has more than 200,000 characters, so nothing was saved. Shorten it and try again.',
    ]);
    // The sentence is all that changes in the page, so the form keeps what was typed.
    expect(headers.get('hx-retarget')).toBe('#failure');
    expect(typed((await openJson(zap)).html)).toBe('{"a":1}');
  });

  test('no longer stops the Zap once it is corrected', async () => {
    const zap = await newZap();
    await post(zap, 0, { 'f.json': nestedLists(5000) });
    expect((await post(zap, 0, { 'f.json': '{"a":"x"}' })).html).not.toContain('problem-json');
    expect(textOf((await runOnce(zap)).html)).toContain('Send Message: Success. Text: x');
  });
});

describe('what an earlier version stored', () => {
  test('opens, with the sentence at the field', async () => {
    const { html } = await open('zap-1', 0);
    expect(problem(html)).toBe(tooComplex);
    expect(typed(html)).toBe(nestedLists(50_000));
    expect((await open('zap-1', 1)).status).toBe(200);
    expect((await client.get('/?zap=zap-1&step=1')).status).toBe(200);
  });

  test('is in the list of runs, where its data is left out', async () => {
    const { status, html } = await client.get('/activity?kind=run&open=run-1');
    expect(status).toBe(200);
    expect(textOf(html)).toContain('This data is nested too deeply to show.');
    expect((await client.get(`/activity?customer=${encodeURIComponent(fictionalNumber(815, 1))}`)).status).toBe(200);
    expect((await client.get('/zap/zap-1/runs')).status).toBe(200);
  });
});

test('a Zap that is on sends nothing with empty variables when the JSON of a step gets a problem, which Publish names', async () => {
  const zap = found((await client.post('/zap/new')).html, /hx-post="\/zap\/([^/]+)\/on"/);
  await post(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': 'empty', 'f.match': 'contains' });
  await post(zap, 1, { operation: 'other' });
  await client.post(`/zap/${zap}/add`);
  await post(zap, 2, {
    'f.channel': 'whatsapp',
    'f.template': 'parcel_out_for_delivery',
    'f.variable_parcel_id': 'PX-1',
    'f.variable_arrival_time': '{{2.id}}:30',
    'f.to': '{{1.from}}',
  });
  expect(textOf((await client.post(`/zap/${zap}/on`)).html)).toContain('Turn off');
  await post(zap, 1, { 'f.json': nestedLists(5000) });
  expect(textOf((await client.post(`/zap/${zap}/publish`)).html)).toContain(`Step 2: ${tooComplex}`);
  const { html } = await client.post('/phones', { from: fictionalNumber(815, 3), text: 'empty', channel: 'whatsapp' });
  await client.waitFor(`/zap/${zap}/runs`, (shown) => textOf(shown).includes('Send Template Message: Success'));
  const phone = `/phones?chat=${found(html, /id="write-([^"]+)"/)}`;
  await client.waitFor(phone, (shown) => textOf(shown).includes('1:30'));
  await client.post(`/zap/${zap}/off`);
});

test.each([
  ['100 levels deep', nestedObjects(100)],
  ['with a list of 90,000 values', JSON.stringify({ a: Array(90_000).fill(1) })],
  [
    'with 12,000 names',
    JSON.stringify({ a: 1, ...Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`k${at}`, at])) }),
  ],
  ['with a text of 190,000 characters', JSON.stringify({ a: 'x'.repeat(190_000) })],
])('JSON %s opens and runs, and the page stays small', async (_, json) => {
  const zap = await newZap();
  expect((await post(zap, 0, { 'f.json': json })).html).not.toContain('problem-json');
  for (const path of [`/zap/${zap}?step=1`, '/activity']) {
    const { status, html } = await client.get(path);
    expect(status).toBe(200);
    expect(html.length).toBeLessThan(200_000);
  }
  const { html } = await runOnce(zap);
  expect(textOf(html)).toContain('Send Message: Success. Text: ');
  expect(html.length).toBeLessThan(200_000);
});

test('only data that a reference can lead to is offered', async () => {
  const zap = await newZap();
  const record = { a: 1, 'b}c': 2, '{{1.a}}': 3, 'd.e': 4, '': 5, [`f${'g'.repeat(200)}`]: 6, h: { i: 7 }, 'é 漢': 8 };
  await post(zap, 0, { 'f.json': JSON.stringify(record) });
  const { html } = await open(zap, 1);
  const offered = [...html.matchAll(/data-map="([^"]*)"/g)].map(([, reference]) => reference);
  expect(offered).toEqual(['{{1.a}}', '{{1.h.i}}', '{{1.é 漢}}']);
});

test("another app's data that looks like a message is on no phone", async () => {
  const { html } = await client.post('/phones', { from: fictionalNumber(815, 2), text: 'Hello', channel: 'whatsapp' });
  const chat = found(html, /id="write-([^"]+)"/);
  const zap = await newZap('fake');
  const message = {
    id: 'msg_1',
    conversation_id: chat,
    direction: 'outbound',
    status: 'read',
    text: 'Not from the service',
  };
  await post(zap, 1, { 'f.json': JSON.stringify(message) });
  expect(textOf((await runOnce(zap)).html)).toContain('Send Message: Success');
  await post(zap, 1, { action: 'run' });
  await client.settled();
  expect((await client.get(`/phones?chat=${chat}`)).html).not.toContain('Not from the service');
});

test('any text opens, saves and stays as it was typed', async () => {
  const zap = await newZap();
  const wrapped = fc
    .tuple(fc.json(), fc.array(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[1,', ',2]']), { maxLength: 300 }))
    .map(([json, around]) => around.reduce((inside, [start, end]) => `${start}${inside}${end}`, json));
  const text = fc.oneof(wrapped, fc.json(), fc.string({ unit: 'grapheme', maxLength: 2000 }));
  await fc.assert(
    fc.asyncProperty(text, async (json) => {
      expect((await post(zap, 0, { 'f.json': json })).status).toBe(200);
      expect(typed((await openJson(zap)).html)).toBe(json);
      expect((await open(zap, 1)).status).toBe(200);
    }),
    { numRuns: 100 },
  );
});

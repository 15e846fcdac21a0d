/** The steps of a Zap in another order, filters and paths, over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, count, found, textOf } from '../support/playground-client';
import { writeSeeded } from '../support/seeded';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
beforeAll(() => client.start(['--database', writeSeeded(folder)]));
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

const row = { id: 1, Phone: '+12025550123', Count: 3, price: { 'per.unit': 5 } };

/** Adds a Zap with a row, which names of apps after it receive. Returns its id. */
const zapWith = async (...apps: readonly string[]): Promise<string> => {
  const zap = await client.newZap();
  await client.fill(zap, 1, { operation: 'other' });
  await client.fill(zap, 0, { operation: 'other' });
  await client.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': JSON.stringify(row) });
  for (const [at, app] of apps.entries()) {
    if (at > 0) await client.post(`/zap/${zap}/add?operation=other`);
    await client.fill(zap, at + 1, {
      'f.event': `${app}: Send`,
      'k.fields': 'Text',
      'v.fields': `{{1.Count}} {{${at + 1}.id}}`,
    });
  }
  return zap;
};

const show = async (zap: string, step: number): Promise<string> => (await client.get(`/zap/${zap}?step=${step}`)).html;

const titlesOf = (html: string): string[] =>
  [...html.matchAll(/class="step-card [^"]*" title="(\d+\. [^"]*)"/g)].map(([, title = '']) => title);

const act = (zap: string, index: number, action: string) => client.fill(zap, index, { action });

/** Fills in the rules of a filter or a path: data, condition and text of each. */
const fillRules = (zap: string, index: number, ...rules: readonly [string, string, string][]) =>
  client.fill(
    zap,
    index,
    Object.fromEntries(
      rules.flatMap(([value, condition, text], at) => [
        [`f.value-${at}`, value],
        [`f.condition-${at}`, condition],
        [`f.text-${at}`, text],
      ]),
    ),
  );

/** The version of a step that a form says it shows. */
const shownBy = (html: string): Record<string, string> => ({ version: found(html, /name="version" value="([^"]+)"/) });

const run = async (zap: string): Promise<string> => {
  await client.addRecord(zap);
  return client.waitFor(`/zap/${zap}/runs`, (html) => html.includes('id="run-') && !html.includes('"status running"'));
};

const statusOf = (runs: string): string => found(runs, /<summary>[\s\S]*?class="status (\w+)"/);

test('a step that moves takes its data along, and so do the steps that use it', async () => {
  const zap = await zapWith('Slack', 'Gmail');
  await client.post(`/zap/${zap}/add?operation=other`);
  const texts = ['{{2.id}} {{3.id}}', '{{1.price.per.unit}}'];
  await client.fill(zap, 2, { 'k.fields': 'Text', 'v.fields': '{{1.Count}}' });
  await client.fill(zap, 3, { 'f.event': 'Last: Send', 'k.fields': ['Text', 'Price'], 'v.fields': texts });
  expect(titlesOf((await act(zap, 1, 'down')).html).slice(1, 3)).toEqual(['2. Gmail: Send', '3. Slack: Send']);
  const last = await show(zap, 3);
  expect(last).toContain('value="{{3.id}} {{2.id}}"');
  expect(last).toContain('value="{{1.price.per.unit}}"');
  expect(await show(zap, 2)).toContain('value="{{1.Count}} {{1.id}}"');
  await client.post(`/zap/${zap}/undo`);
  expect(await show(zap, 3)).toContain('value="{{2.id}} {{3.id}}"');
});

test('a step stays after the one that it uses, and the trigger stays first', async () => {
  const zap = await zapWith('Slack', 'Gmail');
  for (const [index, action] of [
    [1, 'down'],
    [2, 'up'],
  ] as const) {
    const { html } = await act(zap, index, action);
    expect(textOf(html)).toContain('Step 3, Gmail: Send, uses data of step 2, Slack: Send, and has to come after');
    expect(titlesOf(html)).toEqual(['1. Sheets: New Row', '2. Slack: Send', '3. Gmail: Send']);
  }
  for (const action of ['up', 'down', 'copy', 'remove']) {
    expect(titlesOf((await act(zap, 0, action)).html)).toHaveLength(3);
  }
  expect(textOf((await act(zap, 2, 'down')).html)).toContain('The step is at the end of its Zap, so nothing moved.');
  expect(textOf((await act(zap, 1, 'up')).html)).toContain('nothing moved');
});

test('a copy of a step follows it with the same data, and later steps keep what they map', async () => {
  const zap = await zapWith('Slack', 'Gmail');
  const { html } = await act(zap, 1, 'copy');
  expect(titlesOf(html)).toEqual(['1. Sheets: New Row', '2. Slack: Send', '3. Slack: Send', '4. Gmail: Send']);
  expect(html).toContain('value="{{1.Count}} {{1.id}}"');
  expect(await show(zap, 3)).toContain('value="{{1.Count}} {{2.id}}"');
});

test('a step has the name that a person gives it, until it has none', async () => {
  const zap = await zapWith('Slack');
  const rename = (name: string) => client.fill(zap, 1, { action: 'rename', name });
  expect(titlesOf((await rename(' Tell the <b>team</b> ')).html)[1]).toBe('2. Tell the &lt;b&gt;team&lt;/b&gt;');
  expect(textOf(await run(zap))).toContain('Tell the <b>team</b>: Success. Text: 3 2');
  expect(titlesOf((await rename('')).html)[1]).toBe('2. Slack: Send');
});

test('a Zap takes at most 20 steps, and no step that Zapier does not have', async () => {
  const zap = await zapWith('Slack');
  const added = await client.post(`/zap/${zap}/add?operation=loop`);
  expect([added.status, added.html]).toEqual([422, expect.stringContaining('A Zap has no such step.')]);
  for (let steps = 2; steps < 20; steps += 1) await client.post(`/zap/${zap}/add?operation=delay`);
  expect((await show(zap, 1)).includes('id="add-step"')).toBe(false);
  for (const send of [client.post(`/zap/${zap}/add?operation=filter`), act(zap, 1, 'copy')]) {
    expect(titlesOf((await send).html)).toHaveLength(20);
  }
});

test('a filter that stops ends the run as Filtered, also after a step that ran', async () => {
  const zap = await zapWith('Slack', 'Gmail');
  await client.post(`/zap/${zap}/add?operation=filter&before=2`);
  const { html } = await fillRules(
    zap,
    2,
    ['{{1.Count}}', '(Number) Greater than', '3'],
    ['{{1.Phone}}', 'Exists', ''],
  );
  expect(textOf(html)).toMatch(/Would stop\s*: "3" \(Number\) Greater than "3"\s*, which doesn't match/);
  const runs = await run(zap);
  expect(statusOf(runs)).toBe('filtered');
  expect(textOf(runs)).toMatch(/Slack: Send: Success.* Filter: Filtered.* Gmail: Send: Filtered/);
  await fillRules(zap, 2, ['{{1.Count}}', '(Number) Greater than', '2']);
  const again = await run(zap);
  expect(statusOf(again)).toBe('success');
  expect(textOf(again)).toContain('Gmail: Send: Success. Text: 3');
});

test('a Zap with a rule that is not filled in does not run, and names it', async () => {
  const zap = await zapWith('Slack');
  await client.post(`/zap/${zap}/add?operation=filter&before=1`);
  const { html } = await client.post(`/zap/${zap}/on`);
  expect(textOf(html)).toContain('Step 2: Rule 1 has no data to check.');
  const filled = textOf((await fillRules(zap, 1, ['{{1.Count}}', '(Text) Contains', ''])).html);
  expect(filled).toContain('Rule 1 has no text to compare with');
  await client.fill(zap, 1, { 'remove-rule': '0' });
  expect(textOf((await act(zap, 1, 'test')).html)).toContain('The filter has no rule. Add one and try again.');
});

test('a step on a path takes no data of another path', async () => {
  const zap = await zapWith('Slack');
  await client.post(`/zap/${zap}/add?operation=path&before=1`);
  expect(titlesOf(await show(zap, 1))).toEqual(['1. Sheets: New Row', '2. Path A', '3. Slack: Send', '4. Path B']);
  await client.post(`/zap/${zap}/add?operation=other`);
  await client.fill(zap, 4, { 'k.fields': 'Text', 'v.fields': '{{3.id}}' });
  const html = await show(zap, 4);
  expect(textOf(html)).toContain('The field Text uses step 3, which is on another path. Choose other data.');
  const mappings = found(html, /<div id="mappings"[^>]*>([\s\S]*)<div class="stage"/);
  expect(textOf(mappings)).not.toContain('3. Slack: Send');
});

test('a ready example of another app brings its fields and data along', async () => {
  const zap = await client.newZap();
  const trigger = await client.fill(zap, 0, { example: '0', to: 'configure' });
  expect(titlesOf(trigger.html)[0]).toBe('1. Google Sheets: New Spreadsheet Row');
  expect(textOf(trigger.html)).toContain('PX-20418');
  const action = await client.fill(zap, 1, { example: '0', to: 'configure' });
  expect(titlesOf(action.html)[1]).toBe('2. Slack: Send Channel Message');
  expect(count(action.html, 'value="Message Text"')).toBe(1);
  await client.post(`/zap/${zap}/undo`);
  expect(titlesOf(await show(zap, 1))[1]).toBe('2. Send Template Message');
});

test('a tab that shows removed rules removes no other rule', async () => {
  const zap = await zapWith('Slack');
  await client.post(`/zap/${zap}/add?operation=filter`);
  for (const _ of ['second', 'third']) await client.fill(zap, 2, { 'add-rule': '1' });
  await fillRules(zap, 2, ['A', 'Exists', ''], ['B', 'Exists', ''], ['C', 'Exists', '']);
  const was = shownBy(await show(zap, 2));
  const form = Object.fromEntries(
    ['A', 'B', 'C'].flatMap((value, at) => [
      [`f.value-${at}`, value],
      [`f.condition-${at}`, 'Exists'],
      [`f.text-${at}`, ''],
    ]),
  );
  await client.fill(zap, 2, { ...was, ...form, 'remove-rule': '0' });
  await client.fill(zap, 2, { ...was, ...form, 'remove-rule': '0' });
  const html = await show(zap, 2);
  expect(['A', 'B', 'C'].map((value) => count(html, `value="${value}"`))).toEqual([0, 1, 1]);
});

test('a path is removed with the steps on it, and Undo brings them back', async () => {
  const zap = await zapWith('Slack');
  await client.post(`/zap/${zap}/add?operation=path`);
  await client.post(`/zap/${zap}/add?operation=other&before=3`);
  const before = titlesOf(await show(zap, 2));
  expect(before).toHaveLength(5);
  await act(zap, 2, 'remove');
  expect(titlesOf(await show(zap, 1))).toEqual([before[0], before[1], '3. Path B']);
  await client.post(`/zap/${zap}/undo`);
  expect(titlesOf(await show(zap, 2))).toEqual(before);
});

test('a replay of a Zap that is off does not run a draft that cannot run, or one that was deleted', async () => {
  const zap = await zapWith('Slack');
  const done = await run(zap);
  const [, replay = ''] = /hx-post="([^"?]*\/replay)[?"]/.exec(done) ?? [];
  await client.post(`/zap/${zap}/off`);
  await client.post(`/zap/${zap}/add?operation=filter`);
  const refused = await client.post(replay);
  expect(textOf(refused.html)).toContain('Nothing was replayed. Step 3: Rule 1 has no data to check.');
  await client.post(`/zap/${zap}/delete`);
  expect(textOf((await client.post(replay)).html)).toContain('This Zap no longer exists, so nothing changed.');
  await client.settled();
  expect(count((await client.get(`/zap/${zap}/runs`)).html, 'id="run-')).toBe(1);
});

test('a crafted table or field is refused with a sentence, and the Zap can still be saved', async () => {
  const zap = await zapWith('Slack');
  const junk = await client.fill(zap, 1, { 'record.row': 'junk', 'record.name': 'a', 'record.value': 'b' });
  expect(textOf(junk.html)).toContain('The table arrived incomplete, so nothing was saved.');
  await client.fill(zap, 1, { operation: 'creates.create_contact' });
  await client.fill(zap, 1, { 'f.constructor': 'x', 'f.__proto__': 'x' });
  const { status } = await client.fill(zap, 1, { 'f.first_name': 'Noor' });
  expect(status).toBe(200);
  expect(await show(zap, 1)).toContain('Noor');
});

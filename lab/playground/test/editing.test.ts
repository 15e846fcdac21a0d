/** What a person does to a Zap: steps and their order, versions, two tabs, and the JSON of other apps. */
import { once } from 'node:events';
import { request } from 'node:http';
import { brand } from '../../../src/brand';
import { newNumber } from '../../../test/support/running';
import { maxSteps } from '../../zapier/zap/zap';
import { count, found, sendForm, textOf, usePage } from './playground-client';

const nestedLists = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

const tooComplex =
  'This JSON is nested more than 100 levels deep, or has more than 200,000 values. Shorten it and try again.';

const { client, database } = usePage();

const result = (html: string): string => textOf(found(html, /id="result"([\s\S]*)/));
const show = async (zap: string, step: number): Promise<string> => (await client.get(`/zap/${zap}?step=${step}`)).html;
const fieldValue = (html: string, field: string): string =>
  found(html, new RegExp(`id="field-${field}"[^>]*value="([^"]*)"`));
const titlesOf = (html: string): string[] =>
  [...html.matchAll(/class="step-card [^"]*" title="(\d+\. [^"]*)"/g)].map(([, title = '']) => title);

/** Adds a Zap that a row starts, whose second step gives Slack this text. */
const newOther = async (mapped = '{{1.a}}', json = '{"a":1}'): Promise<string> => {
  const zap = await client.newZap();
  for (const index of [0, 1]) await client.fill(zap, index, { operation: 'other' });
  await client.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': json });
  await client.fill(zap, 1, { 'f.event': 'Slack: Send Message', 'k.fields': 'Text', 'v.fields': mapped });
  return zap;
};

/** Runs a Zap by the next record of its first app, and shows what its second step did. */
const runOnce = async (zap: string): Promise<string> => {
  await client.addRecord(zap);
  await client.settled();
  return (await client.get(`/zap/${zap}/1/result`)).html;
};

describe('a step', () => {
  test('a dropdown and a form that the service refuses say so, and load again later', async () => {
    const zap = await client.newZap();
    await client.addFault({ kind: '429', count: 1000, requests: 'reads', user_agent: 'Zapier', retry_after: 3600 });
    expect((await client.post(`/zap/${zap}/1/choices/channel`)).html).toContain('class="problem"');
    const chosen = { 'f.channel': 'whatsapp', 'f.template': 'parcel_out_for_delivery' };
    expect(textOf((await client.fill(zap, 1, chosen)).html)).toContain('Some fields may be missing');
    await client.post('/simulate', { clear: 'faults' });
    expect((await client.post(`/zap/${zap}/1/choices/channel`)).html).toContain('WhatsApp');
    expect((await client.fill(zap, 1, { action: 'refresh' })).html).toContain('name="f.variable_parcel_id"');
  });

  test('a run that is under way has no Replay, and a request for one sends nothing', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { operation: 'other' });
    await client.fill(zap, 0, { 'f.json': JSON.stringify({ from: newNumber() }) });
    await client.fill(zap, 1, sendForm);
    await client.addFault({ kind: 'slow', user_agent: 'Zapier', requests: 'writes', delay_ms: 1000 });
    await client.addRecord(zap);
    await client.waitFor(`/activity/${zap}`, (html) => textOf(html).includes('Zap is running'));
    const [run] = await client.runsOf(zap);
    expect((await client.get(`/activity/${zap}`)).html).not.toContain(`id="replay-${run}"`);
    const refused = await client.post(`/zap/${zap}/runs/${run}/replay`);
    expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('This run hasn') });
    await client.settled();
    expect(await client.runsOf(zap)).toHaveLength(1);
  });

  test('a new Zap offers ready triggers of other apps before its own, and a click changes what a step does', async () => {
    const zap = await client.newZap();
    const { html } = await client.get(`/zap/${zap}?step=0&stage=setup`);
    expect([...html.matchAll(/id="(operation|example-0)"/g)].map(([, id]) => id)).toEqual(['example-0', 'operation']);
    /** Chooses from the list for what a step does instead. */
    const change = async (step: number, name: string) => {
      const list = (await client.get(`/zap/${zap}/additions?instead=${step}`)).html;
      const address = found(list, new RegExp(`id="add-${name}"[^>]*hx-post="([^"]+)"`)).replaceAll('&amp;', '&');
      return client.post(address, { at: `${step}` });
    };
    const started = await client.post(`/zap/${zap}/add?instead=0&step=example.0`);
    expect(titlesOf(started.html)[0]).toBe('1. Google Sheets: New Spreadsheet Row');
    expect(textOf(started.html)).toContain('PX-20418');

    await client.fill(zap, 1, sendForm);
    const waits = (await change(1, 'creates-send_message_and_wait')).html;
    expect(titlesOf(waits)[1]).toBe('2. Send Message and Wait for Reply');
    expect(waits).toContain('id="stage-configure" class="quiet" aria-current="true"');
    // What both have stays, and what only the other one had comes back with it.
    expect(fieldValue(waits, 'variable_parcel_id')).toBe('PX-1');
    expect(titlesOf((await change(1, 'example-0')).html)[1]).toBe('2. Slack: Send Channel Message');
    const back = (await change(1, 'creates-send_message_and_wait')).html;
    expect(fieldValue(back, 'variable_parcel_id')).toBe('PX-1');
    // A path is more than a step, and nothing but an event starts a Zap.
    expect((await client.get(`/zap/${zap}/additions?instead=1`)).html).not.toContain('id="add-path"');
    expect((await client.post(`/zap/${zap}/add?instead=0&step=filter`)).status).toBe(422);
  });

  test('a row that is added while the Zap is off runs nothing, and the test of the trigger offers it', async () => {
    const zap = await newOther('x', '{"Name":"Noor"}');
    await client.post(`/windows/${zap}/records`, { cell: 'Ada Test' });
    await client.settled();
    expect(await client.runsOf(zap)).toEqual([]);
    expect(textOf((await client.get(`/zap/${zap}/0/records`)).html)).toContain('Ada Test');
    expect(result((await client.post(`/zap/${zap}/0/records`, { record: '0' })).html)).toContain('Ada Test');
  });

  test('a form that the browser stops sending is no failure', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 100 };
    const sending = request(`${client.url}/phones`, { method: 'POST', headers });
    sending.on('error', () => undefined).write('from=');
    await once(sending, 'socket');
    await client.get('/');
    sending.destroy();
    await client.get('/');
  });

  test('a step is found by the names of apps and actions, and a rule offers the values of its field', async () => {
    const zap = await client.newZap();
    const list = (await client.get(`/zap/${zap}/additions?before=2`)).html;
    const labels = [...list.matchAll(/<li data-label="([^"]*)"/g)].map(([, label]) => label);
    for (const label of [
      `${brand.name} Find Contacts`,
      'Slack Send Channel Message',
      'Google Calendar Update Event',
      'Zapier Human in the Loop Request Approval',
      'Formatter Date / Time: Format',
    ])
      expect(labels).toContain(label);
    const addDate = found(list, /id="add-formatter-date"[^>]*hx-post="([^"]+)"/).replaceAll('&amp;', '&');
    expect(titlesOf((await client.post(addDate)).html)[2]).toBe('3. Date / Time: Format');
    await client.fill(zap, 2, { action: 'remove' });
    expect(textOf((await client.get(`/zap/${zap}?step=0&stage=setup`)).html)).toContain(
      'Schedule by Zapier: Every Day',
    );
    const add = found(list, /id="add-example-0"[^>]*hx-post="([^"]+)"/).replaceAll('&amp;', '&');
    expect(titlesOf((await client.post(add)).html)[2]).toBe('3. Slack: Send Channel Message');
    await client.post(`/zap/${zap}/add?step=path`);
    const { html } = await client.fill(zap, 3, {
      'f.value-0': '{{1.channel}}',
      'f.condition-0': '(Text) Exactly matches',
    });
    expect(textOf(found(html, /id="value-0-([\s\S]*?)<\/p>/))).toMatch(/whatsapp.*sms/);
    const picked = await client.fill(zap, 3, {
      'f.value-0': '{{1.channel}}',
      pick: 'text-0',
      value: 'sms',
      label: 'sms',
    });
    expect(fieldValue(picked.html, 'text-0')).toBe('sms');

    // The text of a reply may be that of a button.
    const reminder = { operation: 'creates.send_message_and_wait', 'f.channel': 'whatsapp' };
    await client.fill(zap, 1, { ...reminder, 'f.template': 'appointment_reminder' });
    for (const data of ['{{2.reply_text}}', '{{2.reply.button.text}}']) {
      const asked = textOf((await client.fill(zap, 3, { 'f.value-0': data })).html);
      expect(asked).toMatch(/ Confirm Cancel .*Remove rule/);
    }
  });

  test('what Formatter makes of the data before it is offered before anybody tests it', async () => {
    const zap = await client.newZap();
    await client.post(`/zap/${zap}/add?before=1&step=formatter`);
    const form = { 'f.transform': 'split', 'f.input': '{{1.text}}', 'f.segment': 'first' };
    const filled = textOf((await client.fill(zap, 1, form)).html);
    expect(filled).toContain('Input required Reads Can you leave it with the neighbors?');
    const { html } = await client.get(`/zap/${zap}?step=2`);
    expect(found(html, /data-map="\{\{2\.output\}\}"[^>]*data-example="([^"]*)"/)).toBe('Can');
  });

  test('the trigger stays first, and a step on a path is offered no data of another path', async () => {
    const zap = await newOther();
    for (const action of ['up', 'down', 'copy', 'remove'])
      expect(titlesOf((await client.fill(zap, 0, { action })).html)).toHaveLength(2);
    await client.post(`/zap/${zap}/add?step=path&before=1`);
    await client.post(`/zap/${zap}/add?step=other`);
    const html = await show(zap, 4);
    expect(titlesOf(html).slice(1, 4)).toEqual(['2. Path A', '3. Slack: Send Message', '4. Path B']);
    const mappings = textOf(found(html, /<div id="mappings"[^>]*>([\s\S]*)<div class="stage"/));
    expect(mappings).toContain('1. Sheets: New Row');
    expect(mappings).not.toContain('3. Slack');
  });

  test('a Zap that has as many steps as it can says so, and so does a copy of a step', async () => {
    const zap = await newOther();
    for (let steps = 2; steps < maxSteps; steps += 1) await client.post(`/zap/${zap}/add?step=delay`);
    expect(textOf(await show(zap, 1))).toContain('A Zap has at most 20 steps here.');
    const copied = await client.fill(zap, 1, { action: 'copy' });
    expect(textOf(found(copied.html, /<div class="news">([\s\S]*?)<section/))).toContain(
      'A Zap has at most 20 steps here.',
    );
    expect(titlesOf(copied.html)).toHaveLength(maxSteps);
  });

  test('a Zap with a rule that is not filled in does not run, and neither does a replay of it or of a deleted one', async () => {
    const zap = await newOther();
    await runOnce(zap);
    const [run] = await client.runsOf(zap);
    const replay = `/zap/${zap}/runs/${run}/replay`;
    await client.post(`/zap/${zap}/off`);
    await client.post(`/zap/${zap}/add?step=filter`);
    expect(textOf((await client.post(`/zap/${zap}/on`)).html)).toContain('Step 3: Rule 1 has no data to check.');
    const refused = await client.post(replay);
    expect(textOf(refused.html)).toContain('Nothing was replayed. Step 3: Rule 1 has no data to check.');
    const rule = { 'f.value-0': '{{1.a}}', 'f.condition-0': '(Text) Contains', 'f.text-0': '' };
    expect(textOf((await client.fill(zap, 2, rule)).html)).toContain('Rule 1 has no text to compare with');
    await client.fill(zap, 2, { 'remove-rule': '0' });
    const tested = await client.fill(zap, 2, { action: 'test' });
    expect(textOf(tested.html)).toContain('The filter has no rule. Add one and try again.');
    await client.settled();
    expect(await client.runsOf(zap)).toHaveLength(1);
    await client.post(`/zap/${zap}/delete`);
    expect(textOf((await client.post(replay)).html)).toContain('This Zap no longer exists, so nothing changed.');
  });

  test('a crafted step or field is refused with a sentence, and the Zap can still be saved', async () => {
    const zap = await newOther();
    for (const step of ['teleport', 'formatter.constructor', 'example.999']) {
      const added = await client.post(`/zap/${zap}/add?step=${step}`);
      expect([added.status, added.html]).toEqual([422, expect.stringContaining('A Zap has no such step.')]);
    }
    await client.fill(zap, 1, { operation: 'creates.create_contact' });
    await client.fill(zap, 1, { 'f.constructor': 'x', 'f.__proto__': 'x' });
    await client.fill(zap, 1, { 'f.first_name': 'Noor' });
    expect(await show(zap, 1)).toContain('Noor');
  });

  test('an error goes as soon as its field, another field that it names, or the data of a step before changes', async () => {
    const zap = await newOther('x', '{"phone":"12"}');
    await client.fill(zap, 1, { operation: 'creates.send_message' });
    await client.fill(zap, 1, { ...sendForm, 'f.to': '{{1.phone}}' });
    await client.fill(zap, 1, { action: 'test' });
    await client.fill(zap, 1, { 'f.variable_parcel_id': 'PX-6' });
    const isWrong = async () => /class="(problem|step-card (failed|incomplete))"/.test(await show(zap, 1));
    expect(await isWrong()).toBe(true);
    await client.fill(zap, 0, { 'f.json': '{"phone":"+12025550123"}' });
    expect(await isWrong()).toBe(false);
    await client.fill(zap, 1, { operation: 'creates.create_contact' });
    await client.fill(zap, 1, { action: 'test' });
    expect(await isWrong()).toBe(true);
    const copy = found((await client.post(`/zap/${zap}/duplicate`)).html, /data-address="zap=([^&]+)/);
    const { html } = await client.fill(copy, 1, { 'f.email': 'noor@example.com' });
    expect(html).not.toContain('class="problem"');
    const saved = await client.post(`/zap/${zap}/1`, { at: '1', refused: 'phone', 'f.email': 'noor@example.com' });
    expect([saved.html.includes('id="panel"'), await isWrong()]).toEqual([true, false]);
  });

  test('another channel takes the template away, and an empty text of another app is named and keeps the Zap off', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, sendForm);
    const chosen = await client.fill(zap, 1, { pick: 'channel', value: 'sms', label: 'SMS' });
    expect(['channel', 'template'].map((field) => fieldValue(chosen.html, field))).toEqual(['sms', '']);
    const other = await newOther('');
    const { html } = await client.fill(other, 1, { action: 'continue' });
    expect(textOf(found(html, /id="problem-fields"([^<]*)/))).toContain('Text is empty. Fill it in');
    expect(textOf((await client.post(`/zap/${other}/on`)).html)).toContain('Step 2: Text is empty. Fill it in');
  });

  test('filters and paths say what they would do with the data, and a test and a run do so', async () => {
    const zap = await newOther('x', '{"Count":3}');
    /** Fills in the rule of a step, and returns what it would do. */
    const rule = async (step: number, condition: string, text: string): Promise<string> => {
      const form = { 'f.value-0': '{{1.Count}}', 'f.condition-0': condition, 'f.text-0': text };
      return textOf(found((await client.fill(zap, step, form)).html, /id="would"([\s\S]*?<\/p>)/));
    };
    await client.post(`/zap/${zap}/add?step=path`);
    expect(await rule(2, '(Text) Exactly matches', '4')).toContain(`Would skip this path : "3" isn't "4" .`);
    expect(await rule(3, '(Number) Greater than', '2')).toContain('Would take this path : "3" is greater than "2"');
    await client.post(`/zap/${zap}/add?step=other&before=3`, { at: '2' });
    await client.fill(zap, 3, { 'k.fields': 'Text', 'v.fields': 'Order' });
    await client.post(`/zap/${zap}/add?step=filter&before=2`, { at: '1' });
    expect(await rule(2, 'Does not exist', '')).toContain('Would stop : "3" has a value');
    expect(result((await client.fill(zap, 2, { action: 'test' })).html)).toMatch(/Filtered .* so the run stops here/);
    expect(await rule(2, 'Exists', '')).toContain('Would continue : "3" has a value');
    expect(textOf(await show(zap, 2))).toContain('The step changed since its last run.');
    await runOnce(zap);
    const cards = (await client.get(`/zap/${zap}/runs`)).html;
    const looks = [...cards.matchAll(/class="step-card (\w+)/g)].map(([, look]) => look);
    expect(looks.slice(3)).toEqual(['filtered', 'filtered', 'passed']);
    await rule(2, 'Does not exist', '');
    await client.addRecord(zap);
    await client.settled();
    const { html } = await client.get(`/windows/${zap}`);
    expect([count(html, 'The Zap ran'), count(html, 'The run stopped as planned')]).toEqual([1, 1]);
  });
});

describe('versions', () => {
  test('an operation keeps its values while another one is chosen, which takes over those that it has too', async () => {
    const zap = await client.newZap();
    const { html: before } = await client.fill(zap, 1, sendForm);
    for (const operation of ['creates.create_contact', 'delay', 'searches.find_contact'])
      await client.fill(zap, 1, { operation });
    const { html: shared } = await client.fill(zap, 1, { operation: 'creates.send_message_and_wait' });
    const fields = ['channel', 'template', 'variable_parcel_id', 'variable_arrival_time', 'to'];
    expect(fields.map((field) => fieldValue(shared, field))).toEqual(Object.values(sendForm));
    const { html } = await client.fill(zap, 1, { operation: 'creates.send_message' });
    expect(found(html, /(<form id="step"[\s\S]*)/)).toBe(found(before, /(<form id="step"[\s\S]*)/));
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
      const html = await show(zap, 1);
      expect([can(html, 'undo'), can(html, 'redo')]).toEqual([true, false]);
    });

    test('bring back a removed step and what later steps map from it, and keep a tested record', async () => {
      const [zap, customer] = [await client.newZap(), newNumber()];
      await client.write(customer, 'Hello');
      await client.fill(zap, 1, { operation: 'searches.find_contact' });
      await client.post(`/zap/${zap}/add`);
      await client.fill(zap, 2, { ...sendForm, 'f.to': '{{2.phone}}' });
      await client.fill(zap, 1, { 'f.phone': customer });
      await client.fill(zap, 1, { action: 'test' });
      await client.fill(zap, 1, { action: 'remove' });
      expect(fieldValue(await show(zap, 1), 'to')).toBe('{{removed.phone}}');
      expect(textOf(await undo(zap))).toContain('2. Find Contact');
      await undo(zap);
      expect(fieldValue(await show(zap, 1), 'phone')).toBe('');
      const html = await show(zap, 2);
      expect([fieldValue(html, 'to'), html.includes(customer)]).toEqual(['{{2.phone}}', true]);
    });
  });

  test('a Zap is renamed, duplicated, deleted and restored, and runs only while it is there', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': ['deleted'], 'f.match': 'contains' });
    await client.fill(zap, 1, sendForm);
    const renamed = await client.post(`/zap/${zap}/rename`, { title: ' Ask <b>Noor</b> ' });
    expect(textOf(renamed.html)).toContain('Ask <b>Noor</b>');
    expect((await client.post(`/zap/${zap}/rename`, { title: ' ' })).status).toBe(422);
    const copy = found((await client.post(`/zap/${zap}/duplicate`)).html, /data-address="zap=([^&]+)/);
    const copied = await show(copy, 1);
    expect(textOf(copied)).toContain('Copy of Ask <b>Noor</b>');
    expect(fieldValue(copied, 'to')).toBe('{{1.from}}');
    await client.post(`/zap/${zap}/on`);
    expect(textOf((await client.fill(zap, 1, { 'f.variable_parcel_id': 'PX-2' })).html)).toContain('Draft');
    expect(textOf((await client.post(`/zap/${zap}/publish`)).html)).not.toContain('Draft');
    expect(textOf((await client.post(`/zap/${zap}/delete`)).html)).toContain('Ask <b>Noor</b> is deleted.');
    expect((await client.get(`/zap/${zap}?step=0`)).status).toBe(422);
    // A page that shows it may refresh its parts.
    const parts = [`/zap/${zap}/runs?step=0`, `/zap/${zap}/0/result`, `/windows/${zap}`];
    const shown = await Promise.all(parts.map((path) => client.get(path)));
    expect(shown.map(({ status }) => status)).toEqual([200, 204, 200]);
    await client.write(newNumber(), 'deleted');
    const restored = textOf((await client.post(`/zap/${zap}/restore`)).html);
    expect(restored).toContain('Turn on');
    expect(await client.runsOf(zap)).toEqual([]);
  });

  test('a recipe still makes its event happen after its Zap was renamed', async () => {
    const { html } = await client.post('/zap/recipe', { recipe: '5' });
    const zap = found(html, /data-address="zap=([^&]+)/);
    await client.turnOn(zap);
    const renamed = await client.post(`/zap/${zap}/rename`, { title: 'Mine' });
    expect(renamed.html).toContain('Simulate this event');
  });

  describe('two tabs', () => {
    /** The version of a step that the page says it shows. */
    const shownBy = (html: string) => ({ version: found(html, /name="version" value="([^"]+)"/) });

    test('ask what to keep when both changed a step, save nothing, and do nothing else', async () => {
      const zap = await client.newZap();
      const tab = shownBy((await client.fill(zap, 1, sendForm)).html);
      await client.fill(zap, 1, { 'f.to': '+12025550123' });
      const mine = { ...sendForm, ...tab, 'f.variable_parcel_id': 'PX-2', 'f.to': '+12025550124' };
      for (const action of ['reload', 'test', 'remove']) {
        const { status, headers, html } = await client.fill(zap, 1, { ...mine, action });
        expect([status, headers.get('hx-retarget')]).toEqual([409, '#version']);
        expect(textOf(html)).toContain("Another tab changed this step, so yours isn't saved. Load it Keep mine");
      }
      expect((await client.post(`/zap/${zap}/add`, { ...mine, at: '1' })).status).toBe(409);
      await client.settled();
      expect(await client.runsOf(zap)).toEqual([]);
      const html = await show(zap, 1);
      expect([fieldValue(html, 'to'), fieldValue(html, 'variable_parcel_id')]).toEqual(['+12025550123', 'PX-1']);
      // What both changed in the same way is no conflict.
      expect((await client.fill(zap, 1, { ...sendForm, ...tab, 'f.to': '+12025550123' })).status).toBe(200);
    });

    test('keep mine with its action over what the other one saved, but not over what it saves after that', async () => {
      const zap = await client.newZap();
      const tab = shownBy((await client.fill(zap, 1, sendForm)).html);
      await client.fill(zap, 1, { operation: 'delay' });
      const own = { operation: 'creates.send_message', 'fields-of': 'creates.send_message' };
      const mine = { ...sendForm, ...tab, ...own, 'f.variable_parcel_id': 'PX-2' };
      const over = found((await client.fill(zap, 1, mine)).html, /over&quot;:&quot;([^&]+)/);
      expect(await show(zap, 1)).toContain('name="fields-of" value="delay"');
      const kept = await client.fill(zap, 1, { ...mine, over });
      expect([fieldValue(kept.html, 'to'), fieldValue(kept.html, 'variable_parcel_id')]).toEqual([
        '{{1.from}}',
        'PX-2',
      ]);
      expect((await client.fill(zap, 1, { ...mine, 'f.to': '+12025550125', over })).status).toBe(409);
    });

    test('save the same tab again and again, by the version of each answer', async () => {
      const zap = await client.newZap();
      let tab = shownBy((await client.fill(zap, 1, sendForm)).html);
      for (const to of ['+12025550123', '{{1.from}}']) {
        const saved = await client.post(`/zap/${zap}/1`, { ...sendForm, ...tab, 'f.to': to });
        expect([saved.status, saved.headers.get('hx-retarget')]).toEqual([200, '#version']);
        tab = shownBy(saved.html);
      }
      expect(fieldValue(await show(zap, 1), 'to')).toBe('{{1.from}}');
    });
  });
});

describe('the JSON of another app', () => {
  test('that is too complex stops the Zap until it is corrected', async () => {
    const zap = await newOther();
    await client.fill(zap, 0, { 'f.json': nestedLists(5000) });
    expect(textOf(await show(zap, 1))).toContain(
      'uses step 1, whose JSON has a problem. Open that step and correct it.',
    );
    const turnedOn = await client.post(`/zap/${zap}/on`, { at: '0' });
    expect(textOf(turnedOn.html)).toContain(`Step 1: ${tooComplex}`);
    expect(await client.runsOf(zap)).toEqual([]);
    await client.fill(zap, 0, { 'f.json': '{"a":"x"}' });
    expect(textOf(await runOnce(zap))).toMatch(/Success Data in Text x /);
  });

  test('with 3,000 names, a list of 5,000 values and a long text opens and runs, and the page stays small', async () => {
    const json = JSON.stringify({ a: Array(5000).fill(1), ...Array(3000).fill(1), b: 'x'.repeat(150_000) });
    const zap = await newOther('{{1.a}}', json);
    for (const path of [`/zap/${zap}?step=1`, `/activity/${zap}`]) {
      const { status, html } = await client.get(path);
      expect([status, html.length < 200_000]).toEqual([200, true]);
    }
    const html = await runOnce(zap);
    expect(textOf(html)).toContain('Success Data in Text ');
    expect(html.length).toBeLessThan(200_000);
  });

  test('a long text keeps its column in the window of its app, and the next record has it', async () => {
    const note = 'Leave it with the neighbors. '.repeat(10).trim();
    const zap = await newOther('{{1.Note}}', JSON.stringify({ Name: 'Noor', Note: note }));
    const { html } = await client.get(`/windows/${zap}`);
    expect([count(html, '<th scope="col">Note</th>'), count(html, `<td dir="auto">${note}</td>`)]).toEqual([1, 1]);
    expect(html).toContain(`value="${note}"`);
    expect(textOf(await runOnce(zap))).toContain(`Success Data in Text ${note}`);
  });

  test('only data that a reference can lead to is offered', async () => {
    const names = { a: 1, 'b}c': 2, '{{1.a}}': 3, 'd.e': 4, '': 5, [`f${'g'.repeat(200)}`]: 6, h: { i: 7 }, 'é 漢': 8 };
    const html = await show(await newOther('x', JSON.stringify(names)), 1);
    const offered = [...html.matchAll(/data-map="([^"]*)"/g)].map(([, reference]) => reference);
    expect(offered).toEqual(['{{1.a}}', '{{1.h.i}}', '{{1.é 漢}}']);
  });

  test('that looks like a message is on no phone', async () => {
    const chat = found((await client.write(newNumber(), 'Hello')).html, /id="write-([^"]+)"/);
    const text = 'Not from the service';
    const message = { id: 'msg_1', conversation_id: chat, direction: 'outbound', status: 'read', text };
    const zap = await newOther('fake');
    await client.fill(zap, 1, { 'f.json': JSON.stringify(message) });
    expect(textOf(await runOnce(zap))).toContain('Success');
    expect((await client.get(`/phones?chat=${chat}`)).html).not.toContain(text);
  });
});

describe('at the end', () => {
  test('the steps of a Zap and its Undo are the same after a restart', async () => {
    const zap = await newOther('Sent {{1.a}}');
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 2, { ...sendForm, 'f.to': '{{1.phone}}' });
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 3, { operation: 'delay' });
    const { html: recipe } = await client.post('/zap/recipe', { recipe: '5' });
    const steps = [
      `${zap}?step=0`,
      `${zap}?step=2`,
      `${zap}?step=3`,
      `${found(recipe, /data-address="zap=([^&]+)/)}?step=1`,
    ];
    const showAll = () => Promise.all(steps.map(async (step) => (await client.get(`/zap/${step}`)).html));
    await showAll();
    const before = await showAll();
    await client.stop();
    await client.startHere(database);
    expect(await showAll()).toEqual(before);
    expect(titlesOf((await client.post(`/zap/${zap}/undo`)).html)[3]).toContain('Send Template Message');
  });

  test('Start over empties the files, also while a run is under way', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { operation: 'other' });
    await client.fill(zap, 1, { ...sendForm, 'f.to': newNumber() });
    await client.addFault({ kind: 'slow', user_agent: 'Zapier', requests: 'writes', delay_ms: 1000 });
    await client.addRecord(zap);
    await client.waitFor(`/activity/${zap}`, (html) => textOf(html).includes('Zap is running'));
    await Promise.all([client.post('/start-over'), client.post('/start-over')]);
    expect((await client.get(`/zap/${zap}`)).status).toBe(422);
    await client.stop();
    await client.startHere(database);
    expect((await client.get(`/zap/${zap}`)).status).toBe(422);
    expect(textOf((await client.get('/')).html)).toContain("This Zap hasn't run yet.");
  });
});

/** What a person does to a Zap: steps and their order, filters and paths, versions, two tabs, and JSON. */
import { once } from 'node:events';
import { request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Store } from '../../playground/service/store';
import { control } from '../../sandbox/client';
import app from '../../src';
import { endpoints } from '../../src/api/endpoints';
import { count, found, sendForm, textOf, usePage } from '../support/playground-client';
import { newNumber } from '../support/running';

describe('a step', () => {
  const { client } = usePage();

  /** A Zap whose second step finds a customer who wrote. */
  const newSearch = async (): Promise<string> => {
    const [zap, customer] = [await client.newZap(), newNumber()];
    await client.write(customer, 'Hello');
    await client.fill(zap, 1, { operation: 'searches.find_contact' });
    await client.fill(zap, 1, { 'f.phone': customer });
    return zap;
  };

  const latest = '/activity?kind=request&count=20';

  /** The ids of the latest API requests of steps, newest first. */
  const idsIn = (html: string): string[] => [...html.matchAll(/id="activity-(req_\w+)"/g)].map(([, id = '']) => id);
  const newest = async (): Promise<string | undefined> => idsIn((await client.get(latest)).html)[0];

  /** The API requests since the one with this id, oldest first. */
  const requestsSince = async (id: string | undefined): Promise<string[]> => {
    const { html } = await client.get(latest);
    const titles = [...html.matchAll(/class="beat-text"[^>]*>([^<]*)</g)].map(([, title = '']) => title);
    const ids = idsIn(html);
    expect(ids).toHaveLength(titles.length);
    return titles.slice(0, id ? ids.indexOf(id) : titles.length).reverse();
  };

  /** The API requests that something leads to, and no others. */
  const requestsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    const before = await newest();
    await act();
    await client.settled();
    return requestsSince(before);
  };

  const result = (html: string): string => textOf(found(html, /id="result"([\s\S]*)/));

  const contacts = `GET ${endpoints.listContacts.path}`;
  const templates = `GET ${endpoints.listTemplates.path}`;

  describe('a test of a step', () => {
    const newSend = async (): Promise<string> => {
      const zap = await client.newZap();
      await client.fill(zap, 1, { ...sendForm, 'f.to': newNumber() });
      return zap;
    };

    test.each([
      ['a search', newSearch, [contacts]],
      ['an action that sends', newSend, [templates, `POST ${endpoints.sendMessage.path}`]],
    ])('makes only the requests of the step: %s', async (_, create, requests) => {
      const zap = await create();
      for (const _ of ['the first test', 'another test']) {
        let html = '';
        const made = await requestsOf(async () => {
          ({ html } = await client.fill(zap, 1, { action: 'test' }));
        });
        expect(result(html)).toContain('Success');
        expect(made).toEqual(requests);
        for (const request of requests) expect(result(html)).toContain(request);
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
      const before = await newest();
      await client.addFault({ kind: 'slow', user_agent: 'Zapier', delay_ms: 1500 });
      const tested = client.fill(zap, 1, { action: 'test' });
      await client.waitFor(latest, (html) => idsIn(html)[0] !== before);
      await client.fill(zap, 1, { 'f.first_name': 'Noor', action: '' });
      expect(result((await tested).html)).toContain('Success');
      expect(await isSample()).toBe(false);
    });

    test('shows the key of a request that sends', async () => {
      const zap = await client.newZap();
      await client.fill(zap, 1, { ...sendForm, 'f.to': newNumber() });
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
    const instant = Object.entries(app.triggers).flatMap(([key, { operation }]) =>
      operation.type === 'hook' ? key : [],
    );
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
      const customer = newNumber();
      await client.fill(zap, 0, { operation: 'triggers.new_contact' });
      await client.fill(zap, 1, { operation: 'searches.find_contact' });
      await client.fill(zap, 1, { 'f.phone': '{{1.phone}}' });
      await client.post(`/zap/${zap}/on`);
      await failReads();
      await client.write(customer, 'Hello');
      const before = await newest();
      // The page doesn't hear of polls.
      while ((await newest()) === before);
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
      const url = await client.serviceUrl();
      for (let written = 0; written < 101; written += 1) {
        await control(url, 'POST', 'messages', { from: newNumber(), text: 'Hello' });
      }
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
    await client.fill(zap, 0, { 'f.json': JSON.stringify({ from: newNumber() }) });
    await client.fill(zap, 1, sendForm);
    const before = await newest();
    await client.addFault({ kind: 'slow', user_agent: 'Zapier', requests: 'writes', delay_ms: 2000 });
    await client.addRecord(zap);
    const running = await client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes('Running'));
    expect(running).not.toContain('Replay</button>');
    const run = found(running, /id="run-([^"]+)"/);
    const refused = await client.post(`/zap/${zap}/runs/${run}/replay`);
    expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('This run hasn') });
    await client.settled();
    expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).toContain('Send Template Message: Success');
    const send = `POST ${endpoints.sendMessage.path}`;
    expect((await requestsSince(before)).filter((each) => each === send)).toHaveLength(1);
    expect((await client.get(`/zap/${zap}/runs`)).html).toContain(`replay-${run}`);
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
  });
});

describe('a restart', () => {
  const { client, database } = usePage();

  test('the steps of a Zap are the same after a restart, and open without a request', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { operation: 'other' });
    await client.fill(zap, 0, { 'f.event': 'Shop: New Order', 'f.json': '{"phone": "+12025550123"}' });
    await client.fill(zap, 1, { ...sendForm, 'f.to': '{{1.phone}}' });
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 2, { operation: 'other' });
    await client.fill(zap, 2, { 'f.event': 'Slack: Send Message', 'k.fields': 'Text', 'v.fields': 'Sent {{2.id}}' });
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 3, { operation: 'delay' });
    const recipeZaps: string[] = [];
    for (const index of [0, 5, 10]) {
      const { html } = await client.post('/zap/recipe', { recipe: String(index) });
      recipeZaps.push(`${found(html, /data-address="zap=([^&]+)/)}?step=1`);
    }
    const show = () =>
      Promise.all(
        [...[0, 1, 2, 3].map((step) => `${zap}?step=${step}`), ...recipeZaps].map(
          async (step) => (await client.get(`/zap/${step}`)).html,
        ),
      );
    await show();
    const before = await show();
    expect(before[0]).toContain('value="Shop: New Order"');
    expect(before[2]).toContain('value="Sent {{2.id}}"');
    await client.stop();
    await client.startHere(database);
    const after = await show();
    const { html } = await client.get('/activity?kind=request');
    expect(after).toEqual(before);
    expect(textOf(html)).toContain('Nothing has happened yet.');
  });
});

describe('the order of steps', () => {
  const { client } = usePage();

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

  const show = async (zap: string, step: number): Promise<string> =>
    (await client.get(`/zap/${zap}?step=${step}`)).html;

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
  const shownBy = (html: string): Record<string, string> => ({
    version: found(html, /name="version" value="([^"]+)"/),
  });

  const run = async (zap: string): Promise<string> => {
    await client.addRecord(zap);
    return client.waitFor(
      `/zap/${zap}/runs`,
      (html) => html.includes('id="run-') && !html.includes('"status running"'),
    );
  };

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

  test('a step has the name that a person gives it, until it has none', async () => {
    const zap = await zapWith('Slack');
    const rename = (name: string) => client.fill(zap, 1, { action: 'rename', name });
    expect(titlesOf((await rename(' Tell the <b>team</b> ')).html)[1]).toBe('2. Tell the &lt;b&gt;team&lt;/b&gt;');
    expect(textOf(await run(zap))).toContain('Tell the <b>team</b>: Success. Text: 3 2');
    expect(titlesOf((await rename('')).html)[1]).toBe('2. Slack: Send');
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

  test('a crafted step, table or field is refused with a sentence, and the Zap can still be saved', async () => {
    const zap = await zapWith('Slack');
    const added = await client.post(`/zap/${zap}/add?operation=teleport`);
    expect([added.status, added.html]).toEqual([422, expect.stringContaining('A Zap has no such step.')]);
    const junk = await client.fill(zap, 1, { 'record.row': 'junk', 'record.name': 'a', 'record.value': 'b' });
    expect(textOf(junk.html)).toContain('The table arrived incomplete, so nothing was saved.');
    await client.fill(zap, 1, { operation: 'creates.create_contact' });
    await client.fill(zap, 1, { 'f.constructor': 'x', 'f.__proto__': 'x' });
    const { status } = await client.fill(zap, 1, { 'f.first_name': 'Noor' });
    expect(status).toBe(200);
    expect(await show(zap, 1)).toContain('Noor');
  });
});

describe('versions', () => {
  const { client, database } = usePage();

  const fieldValue = (html: string, field: string): string =>
    found(html, new RegExp(`id="field-${field}"[^>]*value="([^"]*)"`));

  const show = async (zap: string, step: number): Promise<string> =>
    (await client.get(`/zap/${zap}?step=${step}`)).html;

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
      const customer = newNumber();
      await client.write(customer, 'Hello');
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
      await client.stop();
      await client.startHere(database);
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
    await client.write(newNumber(), 'deleted');
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
      const inputs = [
        ...form.matchAll(/<input[^>]* name="(f\.[^"]+|at|step|fields-of|version)"[^>]* value="([^"]*)"/g),
      ];
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
      expect([fieldValue(kept.html, 'to'), fieldValue(kept.html, 'variable_parcel_id')]).toEqual([
        '{{1.from}}',
        'PX-2',
      ]);
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

  test('the error of a field goes when another field that it names changes', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { operation: 'creates.create_contact' });
    const problem = (html: string) => html.includes('id="problem-phone"');
    expect(problem((await client.fill(zap, 1, { action: 'run' })).html)).toBe(true);
    expect(problem((await client.fill(zap, 1, { 'f.email': 'noor@example.com' })).html)).toBe(false);
  });

  test('Start over empties the files, also while a run is under way', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { operation: 'other' });
    await client.fill(zap, 1, { ...sendForm, 'f.to': newNumber() });
    await client.addFault({ kind: 'slow', user_agent: 'Zapier', requests: 'writes', delay_ms: 2000 });
    await client.addRecord(zap);
    await client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes('Running'));
    await Promise.all([client.post('/start-over'), client.post('/start-over')]);
    expect((await client.get(`/zap/${zap}`)).status).toBe(422);
    expect(textOf((await client.get('/zap/zap-1/runs')).html)).toContain('No runs yet.');
    await client.stop();
    await client.startHere(database);
    expect((await client.get(`/zap/${zap}`)).status).toBe(422);
  });
});

describe('the JSON of another app', () => {
  const nestedLists = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const nestedObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  const tooComplex =
    'This JSON is nested more than 100 levels deep, or has more than 200,000 values. Shorten it and try again.';

  /** Writes a Zap and its run as an earlier version did, which kept any JSON. */
  const writeEarlier = (database: string): void => {
    const json = nestedLists(50_000);
    const file = `${database}.playground`;
    const store = new Store(file);
    store.put('zap', 'zap-1', {
      id: 'zap-1',
      title: 'Earlier',
      steps: [
        { type: 'other', id: 'first', app: 'Shop', event: 'New Order', fields: {}, json },
        {
          type: 'other',
          id: 'second',
          app: 'Slack',
          event: 'Send Message',
          fields: { Text: 'For {{1.a}}' },
          json: '{}',
        },
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

  const { client } = usePage(writeEarlier);

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
      expect((await client.get(`/activity?customer=${encodeURIComponent(newNumber())}`)).status).toBe(200);
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
    const { html } = await client.write(newNumber(), 'empty');
    await client.waitFor(`/zap/${zap}/runs`, (shown) => textOf(shown).includes('Send Template Message: Success'));
    const phone = `/phones?chat=${found(html, /id="write-([^"]+)"/)}`;
    await client.waitFor(phone, (shown) => textOf(shown).includes('1:30'));
    await client.post(`/zap/${zap}/off`);
  });

  test.each([
    ['100 levels deep', nestedObjects(100)],
    ['with a list of 20,000 values', JSON.stringify({ a: Array(20_000).fill(1) })],
    [
      'with 3,000 names',
      JSON.stringify({ a: 1, ...Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, at])) }),
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
    const record = {
      a: 1,
      'b}c': 2,
      '{{1.a}}': 3,
      'd.e': 4,
      '': 5,
      [`f${'g'.repeat(200)}`]: 6,
      h: { i: 7 },
      'é 漢': 8,
    };
    await post(zap, 0, { 'f.json': JSON.stringify(record) });
    const { html } = await open(zap, 1);
    const offered = [...html.matchAll(/data-map="([^"]*)"/g)].map(([, reference]) => reference);
    expect(offered).toEqual(['{{1.a}}', '{{1.h.i}}', '{{1.é 漢}}']);
  });

  test("another app's data that looks like a message is on no phone", async () => {
    const { html } = await client.write(newNumber(), 'Hello');
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
});

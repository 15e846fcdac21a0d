/** Zaps that run in the playground: what the phones and Activity show, failures, and what the page refuses. */
import { once } from 'node:events';
import { request } from 'node:http';
import * as z from 'zod/mini';
import { recipes } from '../../recipes';
import { approvedAnswer } from '../../recipes/approved-answer';
import { mailchimpSubscriber } from '../../recipes/mailchimp-subscriber';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import app from '../../src';
import { endpoints } from '../../src/api/endpoints';
import { deadlineMs } from '../support/deadline';
import { withoutPauses } from '../support/pauses';
import { count, found, sendForm, textOf, usePage } from '../support/playground-client';
import { eventually, newNumber } from '../support/running';
import { definition } from '../support/zapier';

describe('Zaps', () => {
  const { client } = usePage();

  /** Lets a customer write, and returns the id of the chat. */
  const write = async (from: string, text: string): Promise<string> =>
    found((await client.write(from, text)).html, /id="write-([^"]+)"/);

  const countBubbles = (html: string): number => count(html, 'class="bubble theirs"');

  /** Waits for the only bubble of a chat. It appears when the service sends the message, if not before. */
  const waitForBubble = (chat: string) => client.waitFor(`/phones?chat=${chat}`, (html) => countBubbles(html) === 1);

  const newZap = () => client.newZap();

  const fill = (zap: string, index: number, form: Record<string, string | string[]>) => client.fill(zap, index, form);

  const runsOf = (zap: string) => client.get(`/zap/${zap}/runs`);
  const field = z.looseObject({
    label: z.string(),
    required: z.optional(z.boolean()),
    helpText: z.optional(z.string()),
  });
  const formDefinition = z.record(
    z.string(),
    z.looseObject({ operation: z.looseObject({ inputFields: z.optional(z.array(z.unknown())) }) }),
  );
  const definitions = formDefinition.parse({ ...app.triggers, ...app.creates, ...app.searches });

  /** What the form shows of each field that doesn't depend on others: label, required mark and help text. */
  const textsOf = (key: string): string[] =>
    (definitions[key]?.operation.inputFields ?? []).flatMap((each) => {
      const { data } = field.safeParse(each);
      if (!data) return [];
      // The page renders the Markdown of a help text.
      const help = (data.helpText ?? '').replaceAll(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1');
      return [`${data.label}${data.required ? ' required' : ''}`, help];
    });

  const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

  describe('an operation', () => {
    let zap: string;
    beforeAll(async () => {
      zap = await newZap();
    });

    test.each(definition.operations)(
      '$label opens its form, with the labels, required marks and help texts of the app',
      async ({ path, kind, description }) => {
        const { html } = await fill(zap, kind === 'triggers' ? 0 : 1, { operation: path });
        const shown = withoutSpaces(textOf(html));
        for (const text of [description, ...textsOf(path.split('.')[1] ?? '')])
          expect(shown).toContain(withoutSpaces(text));
      },
    );
  });

  test('a test of a campaign never reaches its audience', async () => {
    const zap = await newZap();
    await fill(zap, 1, { operation: 'creates.start_campaign' });
    const choices = await client.post(`/zap/${zap}/1/choices/campaign`);
    const campaign = found(
      choices.html,
      /&quot;value&quot;:&quot;([^&]+)&quot;,&quot;label&quot;:&quot;[^&]*\(draft, /,
    );
    const { html } = await fill(zap, 1, {
      'f.campaign': campaign,
      'f.audience': 'saved',
      'f.max_recipients': '100000',
      action: 'test',
    });
    const result = textOf(found(html, /id="result"([\s\S]*)/));
    expect(result).toContain('Success');
    expect(result).not.toContain('POST');
  });

  test('the page tells a browser without JavaScript what it needs', async () => {
    const { html } = await client.get('/');
    expect(found(html, /<noscript[^>]*>([^<]*)/)).toContain('This page needs JavaScript.');
  });

  test('a queued message is on the phone at once, before the service delivers an event about it', async () => {
    const zap = await newZap();
    const customer = newNumber();
    const chat = await write(customer, 'Hello');
    await fill(zap, 1, { ...sendForm, 'f.to': customer, 'f.deduplication_key': '' });
    await client.addFault({ kind: 'delivery_dropped', count: 1000 });
    const { html } = await client.post(`/zap/${zap}/1`, { at: '1', action: 'run' });
    const phone = (await client.get(`/phones?chat=${chat}`)).html;
    await client.post('/simulate', { clear: 'faults' });
    expect(textOf(found(html, /id="result"([\s\S]*)/))).toContain('Success');
    // With a service that responds with an id alone, the message appears when it's sent.
    const isWhole = html.includes('title="conversation_id"');
    expect(count(phone, 'class="ticks queued"')).toBe(isWhole ? 1 : 0);
  });

  test('a delivery that is sent again, or twice, starts no further run', async () => {
    const zap = await client.turnOnFor('repeated');
    const customer = newNumber();
    await write(customer, 'repeated');
    await client.waitForRun(zap, 'Send Template Message: Success');
    const path = `/activity?kind=delivery&customer=${encodeURIComponent(customer)}`;
    const list = await client.waitFor(path, (html) => textOf(html).includes('delivered'));
    const id = found(list, /activity-delivery-(\d+)/);
    await client.post('/activity', { delivery: id, times: '1' });
    await client.post('/activity', { delivery: id, times: '2' });
    const open = await client.waitFor(
      `${path}&open=delivery-${id}`,
      (html) => textOf(html).includes('"outcome": "Started a run"') && count(textOf(html), '"seen before"') === 4,
    );
    expect(count(textOf(open), '"seen before": "yes"')).toBe(3);
    expect(count(textOf(open), '"signature": "valid"')).toBe(4);
    await client.settled();
    expect(count((await runsOf(zap)).html, 'id="run-')).toBe(1);
  });

  test('a delivery that does not exist is named', async () => {
    const { status, html, headers } = await client.post('/activity', { delivery: '987654', times: '1' });
    expect(status).toBe(422);
    expect(html).toContain('This delivery doesn');
    expect(headers.get('hx-retarget')).toBe('#failure');
  });

  test('a simulated failure reaches the next send, not the requests that load the form', async () => {
    const zap = await newZap();
    await fill(zap, 1, { ...sendForm, 'f.to': newNumber(), 'f.deduplication_key': '' });
    await client.post('/simulate', { fault: 'writes-503', count: '1' });
    await fill(zap, 1, {});
    const { html } = await client.post(`/zap/${zap}/1`, { at: '1', action: 'run' });
    const sends = `POST ${endpoints.sendMessage.path}`;
    expect(textOf(html)).toMatch(new RegExp(`Success .* ${sends} 503 .* ${sends} 202 `));
    // Zapier passes what the form knows of the template.
    expect(html).not.toContain(endpoints.listTemplates.path);
  });

  test('the result of a throttled step becomes a success when its retry succeeds', async () => {
    const zap = await newZap();
    await fill(zap, 1, { ...sendForm, 'f.to': newNumber(), 'f.deduplication_key': '' });
    // On a busy machine, a short pause would be over before the page shows it.
    await client.addFault({ kind: '429', requests: 'writes', retry_after: 1800 });
    const { html } = await client.post(`/zap/${zap}/1`, { at: '1', action: 'run' });
    const result = found(html, /id="result"[^>]*hx-get="([^"]+)" hx-trigger="runs from:body"/);
    expect(textOf((await client.get(result)).html)).toContain('(On hold) and tries again in');
    await client.post('/simulate', { advance: '3600' });
    const retried = await client.waitFor(result, (shown) => textOf(shown).includes('Success'));
    expect(textOf(retried)).not.toContain('On hold');
  });

  test('a recipe makes what starts its Zap happen', async () => {
    // One that changes nobody, since the tests share their customers.
    const inSlack = recipes.findIndex(({ name }) => name === 'Inbound messages in Slack');
    const { html } = await client.post('/zap/recipe', { recipe: String(inSlack) });
    const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
    await client.turnOn(zap);
    expect(textOf((await client.post(`/zap/${zap}/event`)).html)).toContain('writes "Where is my parcel?".');
    await client.waitForRun(zap, 'Send Channel Message: Success');
    await client.settled();
    expect(count((await runsOf(zap)).html, 'id="run-')).toBe(1);
  });

  test('a draft waits in its window until a person approves it, goes out as edited, and is decided once', async () => {
    const { html } = await client.post('/zap/recipe', { recipe: String(recipes.indexOf(approvedAnswer)) });
    const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
    expect(textOf((await client.get(`/windows/${zap}`)).html)).toContain('Nothing waits for approval yet.');
    await client.turnOn(zap);
    await client.post(`/zap/${zap}/event`);
    const waiting = await client.waitFor(`/windows/${zap}`, (shown) => shown.includes('value="approved"'));
    expect(textOf(waiting)).toContain('1 to review');
    expect(textOf((await runsOf(zap)).html)).toContain('Waits for a person to approve it.');
    const path = found(waiting, /hx-post="(\/windows\/[^"]+\/approvals\/[^"]+)"/);
    const review = { name: 'Answer', text: 'Yes, bring the code & your ID.', decision: 'approved' };
    await client.post(path, review);
    await client.waitForRun(zap, 'Send Template Message: Success');
    const decided = await client.waitFor(`/windows/${zap}`, (shown) => !shown.includes('value="approved"'));
    expect(textOf(decided)).toContain('Approved');
    expect(decided).toContain('Yes, bring the code &amp; your ID.');
    expect(textOf((await client.post(path, review)).html)).toContain('Somebody has decided this already');
  });

  const addRecipe = async (name: string): Promise<string> => {
    const recipe = recipes.findIndex((each) => each.name === name);
    const { html } = await client.post('/zap/recipe', { recipe: String(recipe) });
    const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
    await client.turnOn(zap);
    return zap;
  };

  /** The rows of the window that has some, without the one to add. */
  const rowsOf = async (zap: string): Promise<string[]> => {
    const { html } = await client.get(`/windows/${zap}`);
    return [...html.matchAll(/<tr id="record-[\s\S]*?<\/tr>/g)].map(([row]) => row);
  };

  test('a sheet shows the ticks of the message that a row led to, by the Zap that sends and the one that writes them', async () => {
    const zap = await addRecipe('Sent, delivered and read in your sheet');
    expect(await rowsOf(zap)).toHaveLength(1);
    await client.post(`/zap/${zap}/event`);
    await client.settled();
    expect((await rowsOf(zap))[1]).toContain('Grace Foster');
    expect((await rowsOf(zap))[1]).toContain('class="ticks queued"');
    await client.post('/simulate', { advance: '120' });
    await client.settled();
    expect((await rowsOf(zap))[1]).toContain('class="ticks read"');
    expect((await rowsOf(zap))[0]).not.toContain('class="ticks');
  });

  /** Presses a button of the reminder that a patient got. */
  const press = async (from: string, text: string): Promise<void> => {
    const chat = found((await client.get(`/phones?${new URLSearchParams({ to: from })}`)).html, /id="write-([^"]+)"/);
    const message = found((await client.get(`/phones?chat=${chat}`)).html, /id="press-([^"]+)-0"/);
    await client.post(`/phones/acts?chat=${chat}`, { act: 'press', from, channel: 'whatsapp', message, text });
  };

  test('a calendar shows who confirmed and who canceled, and a click skips the wait', async () => {
    const zap = await addRecipe('Google Calendar reminder with Confirm and Cancel');
    for (const [phone, button] of [
      ['+12025550141', 'Confirm'],
      ['+12025550142', 'Cancel'],
    ] as const) {
      await client.addRecord(zap);
      await client.settled();
      await press(phone, button);
    }
    const { html } = await client.get('/activity?line=1');
    await client.post('/simulate', { until: found(html, /&quot;until&quot;:(\d+)/) });
    await client.settled();
    const [example, confirmed, canceled] = await rowsOf(zap);
    expect(example).not.toMatch(/Confirmed|removed/);
    expect(confirmed).toContain('Confirmed: Grace Foster, check-up');
    expect(canceled).toMatch(/class="removed".*Mateo Rivera, check-up/s);
    const { html: windows } = await client.get(`/windows/${zap}`);
    expect(textOf(windows)).toMatch(/#front-desk .* Canceled: Mateo Rivera, check-up, .* The slot is free again\./);
  });

  test('the token is rotated and the account connected again from the page, and the held run goes on', async () => {
    const zap = await client.turnOnFor('expired');
    expect(textOf((await client.post('/simulate', { token: 'rotate' })).html)).toContain('The API token was rotated');
    const chat = await write(newNumber(), 'expired');
    await client.waitForRun(zap, 'Send Template Message: On hold');
    await client.post('/simulate', { token: 'reconnect' });
    await client.waitForRun(zap, 'Send Template Message: Success');
    await client.settled();
    await waitForBubble(chat);
  });

  test('a Zap whose draft has data of a removed step is not published, and runs as before', async () => {
    const zap = await client.turnOnFor('removed');
    await client.post(`/zap/${zap}/add`);
    await fill(zap, 2, { ...sendForm, 'f.variable_parcel_id': '{{2.id}}' });
    await fill(zap, 1, { action: 'remove' });
    const chat = await write(newNumber(), 'removed');
    const { html } = await client.post(`/zap/${zap}/publish`);
    expect(textOf(html)).toContain('Step 2: Parcel Number uses data of a step that was removed');
    await client.waitForRun(zap, 'Send Template Message: Success');
    await client.settled();
    await waitForBubble(chat);
  });

  describe('bad input', () => {
    test('a sample that is not a JSON object is named, with what was typed', async () => {
      const zap = await newZap();
      await fill(zap, 0, { operation: 'other' });
      for (const json of ['{ not json', '[1]', '"text"', '']) {
        const { html } = await client.post(`/zap/${zap}/on`, {
          at: '0',
          'f.event': 'Shop: New Order',
          'f.json': json,
        });
        expect(html).toMatch(/id="problem-json"/);
        expect(textOf(html)).toMatch(/valid JSON|not an object/);
        expect(found(html, /<textarea name="f.json"[^>]*>([^<]*)</)).toBe(json.replaceAll('"', '&quot;'));
      }
      await client.settled();
      expect(count((await runsOf(zap)).html, 'id="run-')).toBe(0);
      expect((await client.get(`/zap/${zap}?step=0`)).html).toMatch(/id="problem-json"/);
    });

    test('rows with the same name are refused, and replace nothing', async () => {
      const zap = await newZap();
      await fill(zap, 1, { operation: 'other' });
      await fill(zap, 1, { 'k.fields': ['Text', ''], 'v.fields': ['First', ''] });
      const { status, html } = await fill(zap, 1, { 'k.fields': ['Text', 'Text '], 'v.fields': ['First', 'Second'] });
      expect(status).toBe(422);
      expect(textOf(html)).toContain('Two rows have the name "Text", so nothing was saved.');
      expect((await client.get(`/zap/${zap}?step=1`)).html).toContain('value="First"');
    });

    test('an operation that the app does not have is named, and the step stays', async () => {
      const zap = await newZap();
      await fill(zap, 1, sendForm);
      for (const [operation, problem] of [
        ['creates.send_pigeon', 'There is no operation "creates.send_pigeon". Choose one from the list.'],
        ['triggers.message_received', "New Inbound Message can't be step 2."],
      ] as const) {
        const { html } = await fill(zap, 1, { ...sendForm, operation });
        expect(textOf(found(html, /id="problem-operation"[^>]*>([^<]*)/))).toContain(problem);
        expect(html).toContain('value="{{1.from}}"');
      }
    });

    test('another operation begins with the fields that both have, also when the form is posted twice', async () => {
      const zap = await newZap();
      const step = found((await fill(zap, 1, sendForm)).html, /name="step" value="([^"]+)"/);
      const form = {
        ...sendForm,
        step,
        operation: 'searches.find_message_status',
        'fields-of': 'creates.send_message',
      };
      await Promise.all([fill(zap, 1, { ...form, action: '' }), fill(zap, 1, form)]);
      const { html } = await client.get(`/zap/${zap}?step=1`);
      expect(html).toContain('value="searches.find_message_status" selected=""');
      expect(html).not.toContain('value="{{1.from}}"');
    });

    test('a number that is none is named, with what was typed', async () => {
      const zap = await newZap();
      await fill(zap, 1, { operation: 'creates.start_campaign' });
      await fill(zap, 1, { 'f.audience': 'saved' });
      const { html } = await fill(zap, 1, { 'f.max_recipients': 'many', action: 'test' });
      expect(textOf(html)).toContain('Maximum Recipients must be a number, not "many".');
      expect(html).toMatch(/id="field-max_recipients"[^>]*value="many"/);
      for (const typed of ['many', '0', '101', '1.5', '']) {
        const simulate = await client.post('/simulate', { fault: 'writes-503', count: typed });
        expect(textOf(simulate.html)).toContain(`How many must be a number from 1 to 100, not "${typed}".`);
        expect(simulate.html).toMatch(new RegExp(`id="fault-count"[^>]*value="${typed}"`));
        expect(simulate.html).not.toContain('Clear failures');
      }
      expect(textOf((await client.post('/simulate', { advance: 'soon' })).html)).toContain('whole seconds');
      expect(textOf((await client.post('/simulate', { fault: 'flood', count: '1' })).html)).toContain(
        'There is no failure "flood".',
      );
    });

    test('a step, Zap, run or recipe that no longer exists changes nothing', async () => {
      const zap = await newZap();
      const { html } = await fill(zap, 1, sendForm);
      const step = found(html, /name="step" value="([^"]+)"/);
      await client.post(`/zap/${zap}/add`);
      await fill(zap, 1, { action: 'remove' });
      for (const [path, form, sentence] of [
        [`/zap/${zap}/1`, { step, 'f.to': '+12025550199' }, 'This step was changed or removed in another tab'],
        [`/zap/${zap}/2`, { 'f.to': '+12025550199' }, 'This step was changed or removed in another tab'],
        [`/zap/${zap}/on`, { at: '5', 'f.to': '+12025550199' }, 'This step was changed or removed in another tab'],
        ['/zap/zap-999/0', {}, 'This Zap no longer exists'],
        [`/zap/${zap}/runs/none/replay`, {}, 'This run no longer exists'],
        ['/zap/recipe', { recipe: '999' }, 'There is no such recipe'],
        [`/zap/${zap}/1`, { 'f.to': 'x'.repeat(200_001) }, 'more than 200,000 characters'],
      ] as const) {
        const response = await client.post(path, form);
        expect(response).toMatchObject({ status: 422, html: expect.stringContaining(sentence) });
        expect(response.headers.get('hx-retarget')).toBe('#failure');
      }
      expect((await client.get(`/zap/${zap}?step=1`)).html).not.toContain('+12025550199');
    });

    test('a customer who hides the number has a chat under the username, in which each message lands', async () => {
      for (const text of ['Where is it?', 'Hello?']) {
        const { html } = await client.post('/phones', { from: '@nina.b', text });
        expect(html).toContain('aria-label="Chat of @nina.b"');
        expect(html).toMatch(/name="from" value="@nina\.b"/);
        expect(textOf(html)).toContain(text);
      }
      const { html } = await client.post('/phones/acts', { act: 'three-lines', from: '@nina.b' });
      expect(textOf(html).match(/@nina\.b/g)).toHaveLength(1);
    });

    test('a phone number that is none is named at the form', async () => {
      const { html } = await client.post('/phones', { from: 'Noor', text: 'Hello' });
      expect(html).toMatch(/id="new-from"[^>]*aria-invalid="true"/);
      expect(textOf(html)).toContain("isn't a complete phone number");
    });
  });

  /** Sends a request on a connection of its own. Returns the status. */
  const send = async (method: 'GET' | 'POST', headers: Record<string, string>, body = ''): Promise<number> => {
    const path = method === 'GET' ? '/' : '/zap/new';
    const asked = request(client.url + path, { method, headers, agent: false }).end(body);
    const [response] = await once(asked, 'response');
    response.resume();
    return response.statusCode;
  };

  test('what is no form or no delivery is refused, and so is an operation that there is none of', async () => {
    const zap = await client.newZap();
    const statusOf = async (path: string, type: string, body: string) =>
      (await fetch(client.url + path, { method: 'POST', headers: { 'content-type': type }, body })).status;
    const form = 'application/x-www-form-urlencoded';
    for (const path of [
      '/zap/new',
      `/zap/${zap}/0`,
      `/zap/${zap}/on`,
      '/phones',
      '/simulate',
      '/zap/recipe',
      '/start-over',
    ]) {
      expect(await statusOf(path, 'application/json', '{"at": 0}')).toBe(400);
      expect(await statusOf(path, 'multipart/form-data; boundary=x', '--x junk')).toBe(400);
      expect(await statusOf(path, 'text/plain', 'at=0')).toBe(400);
    }
    for (const junk of ['', '{', '[]', '{"a": 1}'])
      expect(await statusOf('/observer', 'application/json', junk)).toBe(400);
    expect(await statusOf(`/zap/${zap}/1/choices/channel`, form, 'at=1&operation=__proto__')).toBe(400);
    expect(await statusOf(`/message/${zap}/1`, form, 'at=1&operation=__proto__')).toBe(400);
  });

  test('more than a megabyte is refused', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await send('POST', type, 'x'.repeat(1_100_000))).toBe(413);
  });

  describe('a request that another page may have sent', () => {
    test('is refused when its Host, Origin or Sec-Fetch-Site is foreign', async () => {
      expect(await send('POST', {})).toBe(200);
      expect(await send('POST', { origin: client.url, 'sec-fetch-site': 'same-origin' })).toBe(200);
      const foreign: Record<string, string>[] = [
        { host: 'evil.example' },
        { origin: 'https://evil.example' },
        { origin: 'http://127.0.0.1:1' },
        // Browsers send this for a page without an address.
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        // Another port of this machine is the same site.
        { 'sec-fetch-site': 'same-site' },
        { origin: client.url, 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of foreign) {
        expect([headers, await send('POST', headers)]).toEqual([headers, 403]);
        expect([headers, await send('GET', headers)]).toEqual([headers, 403]);
      }
    });

    test('opens the page when it follows a link, but changes nothing', async () => {
      const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
      expect(await send('GET', link)).toBe(200);
      expect(await send('GET', { ...link, host: 'evil.example' })).toBe(403);
      expect(await send('GET', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
      expect(await send('POST', link)).toBe(403);
    });
  });

  test('the simulated failures, plan and speed are in the banner', async () => {
    const banner = async (form: Record<string, string>) =>
      textOf(found((await client.post('/simulate', form)).html, /class="banner"([\s\S]*?)<\/div>/));
    expect(await banner({ fault: 'writes-half_json', count: '2' })).toContain('Half of the JSON for writes: next 2');
    expect(await banner({ speed: '10' })).toContain('Clock runs 10 times faster');
    expect(await banner({ plan: 'growth' })).toContain('Growth plan');
    await client.post('/simulate', { clear: 'faults', fault: 'writes-503', count: '3' });
    await client.post('/simulate', { speed: '1', plan: 'advanced' });
    expect(textOf((await client.get('/simulate')).html)).not.toMatch(/Growth plan,|next \d|times faster/);
  });

  /** Does something while a page is open. Returns its result when the page has heard that a part changed. */
  const untilHeard = async <T>(topic: string, act: () => Promise<T>): Promise<T | undefined> => {
    const { body } = await fetch(`${client.url}/live`, { signal: AbortSignal.timeout(deadlineMs) });
    let heard = '';
    let acting: Promise<T> | undefined;
    for await (const chunk of body ?? []) {
      heard += Buffer.from(chunk).toString();
      // A page that connects hears of all four parts.
      if (heard.includes('event: simulation')) acting ??= act();
      if (count(heard, `event: ${topic}`) > 1) break;
    }
    return acting;
  };

  test('the page hears that a Zap was not turned on, so that its banner counts the failure', async () => {
    const zap = await newZap();
    await fill(zap, 1, { ...sendForm, 'f.to': newNumber() });
    await client.post('/simulate', { fault: 'writes-429', count: '1' });
    const response = await untilHeard('runs', () => client.post(`/zap/${zap}/on`));
    expect(textOf(response?.html ?? '')).toContain('The messaging service is receiving too many requests.');
    expect((await client.get('/simulate')).html).not.toContain('(429) for writes: next');
  });

  test.each([
    [{ fault: 'writes-lost', count: '1' }],
    [{ clear: 'faults' }],
    [{ plan: 'growth' }],
    [{ plan: 'advanced' }],
  ])('another tab hears of %j at once', async (form) => {
    const response = await untilHeard('simulation', () => client.post('/simulate', form));
    expect(response?.status).toBe(200);
  });

  test('a webhook that the service keeps, and a trigger that it refuses, are named at the Zap', async () => {
    const kept =
      /The service didn't remove the webhook \w+: .* need(s|) the Advanced plan\..* starts no runs while the Zap is off,/;
    const zap = await client.turnOnFor('kept');
    const onGrowth = async (path: string) => {
      await client.post('/simulate', { plan: 'growth' });
      const { html } = await client.post(`/zap/${zap}/${path}`);
      await client.post('/simulate', { plan: 'advanced' });
      return textOf(html);
    };
    const off = await onGrowth('off');
    expect(off).toMatch(kept);
    expect(off).toContain('Turn on');
    await client.turnOn(zap);
    await fill(zap, 0, { 'l.contains': ['another word'] });
    const refused = await onGrowth('publish');
    expect(refused).toMatch(/Draft.* need(s|) the Advanced plan|need(s|) the Advanced plan.* Draft/);
    expect(refused).toContain('Turn off');
  });

  test('a failure of deliveries applies to the Zaps that are on', async () => {
    const zap = await client.turnOnFor('doubled');
    const { html } = await client.post('/simulate', { fault: 'delivery_twice', count: '1' });
    expect(textOf(html)).toMatch(/Deliveries arrive twice: next 1 to Zap \d+ /);
    const customer = newNumber();
    const chat = await write(customer, 'doubled');
    const path = `/activity?kind=delivery&customer=${encodeURIComponent(customer)}`;
    await client.waitFor(path, (html) => textOf(html).includes('delivered, 2 times'));
    await client.waitForRun(zap, 'Send Template Message: Success');
    await client.settled();
    await waitForBubble(chat);
  });

  test('activity is filtered by kind and customer, and comes in pages', async () => {
    const customer = newNumber();
    await write(customer, 'Only once');
    const own = `customer=${encodeURIComponent(customer)}`;
    await client.waitFor(`/activity?kind=event&${own}`, (html) => html.includes('message.received'));
    const { html } = await client.get(`/activity?kind=event&${own}`);
    expect(count(html, 'class="event"')).toBeGreaterThan(0);
    expect(html).not.toMatch(/class="(request|delivery|run)"/);
    expect(textOf((await client.get('/activity?customer=nobody')).html)).toContain('Nothing has happened yet.');
    for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) await write(newNumber(), text);
    const page = await client.waitFor('/activity?count=5', (html) => html.includes('Earlier activity'));
    expect(count(page, 'class="line row"')).toBe(5);
  });

  test('the webhook of the page is renewed when it expires, however far the clock jumps', async () => {
    await client.post('/simulate', { advance: String(31 * 86_400) });
    const customer = newNumber();
    await write(customer, 'Hello');
    await client.waitFor(`/activity?kind=event&customer=${encodeURIComponent(customer)}`, (list) =>
      list.includes('message.received'),
    );
    expect(textOf((await client.get('/simulate')).html)).toMatch(/Clock is 31 d/);
  });
});

describe('Activity', () => {
  const { client, database } = usePage();

  const storiesOf = (customer: string, open = '') =>
    `/activity?${new URLSearchParams({ customer, ...(open && { open }) })}`;

  /** The story of a customer, open. */
  const openStory = async (customer: string): Promise<string> => {
    const story = found((await client.get(storiesOf(customer))).html, /id="(story-[^"]+)"/);
    return (await client.get(storiesOf(customer, story))).html;
  };

  const send = `POST ${endpoints.sendMessage.path}`;

  test('a story goes from the question to the answer, with no effect before its cause', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('why');
    await client.write(customer, 'why so late?');
    await client.waitForRun(zap, 'Send Template Message: Success');
    await client.post('/simulate', { advance: '60' });
    const shown = await client.waitFor(storiesOf(customer), (html) => textOf(html).includes('answered, read'));
    expect(textOf(shown)).toMatch(/asked → Zap \d+ ran → answered, read \((under 1|\d+) s\) \S+: "why so late\?"/);
    const lines = textOf(await openStory(customer));
    const numbers = [...lines.matchAll(/#(\d+) (?:after #(\d+) )?(?=Event|Webhook|Zap run)/g)];
    const order = numbers.map(([, number]) => Number(number));
    expect(order.length).toBeGreaterThanOrEqual(4);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    for (const [, number, cause] of numbers) expect(Number(cause ?? 0)).toBeLessThan(Number(number));
    expect(count(lines, 'after #')).toBeGreaterThanOrEqual(3);
  });

  test('a run that a failed message started comes after that message', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { operation: 'triggers.message_failed' });
    await client.fill(zap, 1, { operation: 'searches.find_contact' });
    await client.fill(zap, 1, { 'f.phone': '{{1.to}}' });
    await client.turnOn(zap);
    const sending = await client.newZap();
    await client.fill(sending, 1, { ...sendForm, 'f.to': specialNumbers.failsLater, 'f.deduplication_key': '' });
    await client.fill(sending, 1, { action: 'run' });
    await client.post('/simulate', { advance: '60' });
    await client.waitForRun(zap, 'Find Contact:');
    const story = textOf(await openStory(specialNumbers.failsLater));
    expect(story).toMatch(/ → sent a message, failed \([^)]*\) → Zap \d+ /);
    const lines = [...story.matchAll(/#(\d+) (?:after #(\d+) )?(?=Event|Webhook|Zap run)/g)];
    expect(lines.map(([, , cause]) => cause)).toEqual([undefined, ...lines.slice(0, -1).map(([, number]) => number)]);
  });

  test('the card, the panel and the story say the same of a run that stopped, until the step is corrected', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('too long', { 'f.variable_parcel_id': '{{1.text}}' });
    await client.write(customer, `too long ${'x'.repeat(1300)}`);
    const shown = await client.waitForRun(zap, 'Safely halted');
    const card = found(shown, /id="step-1" class="step-card failed"([\s\S]*?)<\/button>/);
    const told = 'Safely halted, and nothing was sent';
    expect(textOf(card)).toContain(`${told}: Parcel Number`);
    const opened = (await client.get(found(card, /hx-get="([^"]+)"/).replaceAll('&amp;', '&'))).html;
    expect(opened).toContain('id="stage-test" class="quiet" aria-current="true"');
    expect(textOf(found(opened, /id="result"([\s\S]*)/))).toMatch(
      new RegExp(`${told} Parcel Number.* Go to Parcel Number`),
    );
    expect(opened).toContain('id="problem-variable_parcel_id"');
    const stories = (await client.get(`/activity?line=1&customer=${encodeURIComponent(customer)}`)).html;
    expect(textOf(stories)).toMatch(/Safely halted at step 2, and nothing was sent: Parcel Number.* Open step 2/);
    const saved = await client.post(`/zap/${zap}/1`, { at: '1', 'f.variable_parcel_id': 'PX-1' });
    expect(saved.html).toContain('id="panel"');
    expect(saved.html).not.toContain('id="problem-variable_parcel_id"');
    expect(saved.html).not.toContain('step-card failed');
  });

  test('a test of a Zap that is off keeps nothing on, and shows its values as they are sent, in the order of the form', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { ...sendForm, 'f.variable_arrival_time': '2:30 pm', 'f.to': '12' });
    const tested = found((await client.fill(zap, 1, { action: 'test' })).html, /id="result"([\s\S]*)/);
    expect(textOf(tested)).toMatch(/Zapier stops this run \(Safely halted\)\. /);
    const labels = [
      'Channel',
      'WhatsApp',
      'Template',
      'Parcel out for delivery.*',
      'Parcel Number',
      'PX-1',
      'Arrival Time',
      '14:30',
    ];
    expect(textOf(tested)).toMatch(new RegExp(`What it tried ${labels.join(' ')} .*Phone Number 12 `));
    await client.fill(zap, 1, { 'f.to': newNumber(), 'f.deduplication_key': '{{1.id}} 216898725633' });
    const sent = textOf(found((await client.fill(zap, 1, { action: 'test' })).html, /id="result"([\s\S]*)/));
    expect(sent).not.toContain('What it tried');
    expect(sent).toMatch(/Data in .* 216898725633/);
  });

  test('a message that was sent before is named with a link to its bubble, and every request shows its key', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('A-1042');
    await client.write(customer, 'A-1042');
    const run = found(await client.waitForRun(zap, 'Send Template Message: Success'), /id="run-([^"]+)"/);
    const { html } = await client.post(`/zap/${zap}/runs/${run}/replay`);
    expect(textOf(html)).toMatch(
      /got this message at \d\d:\d\d \(Send Once for Each: A-1042\)\. Nothing new was sent\. Show the message/,
    );
    expect(count(textOf(html), 'Nothing new was sent')).toBe(1);
    expect(textOf(html)).toMatch(/Success Replay \S+: "A-1042"/);
    const link = found(html, /hx-get="(\/phones\?chat=[^"]+)"/).replaceAll('&amp;', '&');
    expect((await client.get(link)).html).toMatch(/class="bubble theirs linked"/);
    const story = await openStory(customer);
    expect(textOf(story)).toContain('→ replayed, nothing new was sent');
    const id = found(html, /id="run-([^"]+)"/);
    const open = found(story, /id="(story-[^"]+)"/);
    const details = textOf((await client.get(storiesOf(customer, `${open},${id}`))).html);
    expect(details).toMatch(
      new RegExp(`${send}: 202, \\d+ ms Idempotency-Key [0-9a-f]+ Idempotent-Replayed true JSON`),
    );
    expect(details).toContain('"content-type": "application/json"');
  });

  test('a run that repeats one message and sends another is not said to send nothing', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('one of two');
    await client.write(customer, 'one of two');
    await client.waitForRun(zap, 'Send Template Message: Success');
    await client.post(`/zap/${zap}/add?operation=app`);
    await client.fill(zap, 2, { operation: 'creates.send_message' });
    await client.fill(zap, 2, { ...sendForm, 'f.deduplication_key': '{{1.id}}', 'f.template': 'opening_hours' });
    await client.post(`/zap/${zap}/publish`);
    await client.write(customer, 'one of two');
    await client.waitFor(`/zap/${zap}/runs`, (html) => count(textOf(html), 'Send Template Message: Success') === 3);
    await client.settled();
    const story = textOf(await openStory(customer));
    expect(story).not.toContain('ran, nothing new was sent');
  });

  test('a replay says how many messages it sent, and a Zap that it was turned on and off', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('sent again', { 'f.deduplication_key': '' });
    await client.write(customer, 'sent again');
    const shown = await client.waitForRun(zap, 'Send Template Message: Success');
    expect(textOf(shown)).toMatch(/On Starts when a contact sends you a message\b.* Webhook details/);
    await client.post(`/zap/${zap}/runs/${found(shown, /id="run-([^"]+)"/)}/replay`);
    expect(textOf((await client.get(storiesOf(customer))).html)).toContain('→ replayed, sent 1 message →');
    await client.post(`/zap/${zap}/off`);
    const activity = textOf((await client.get('/activity')).html);
    expect(activity).toContain('The Zap was turned on');
    expect(activity).toContain('The Zap was turned off');
  });

  test('a phone says when a Zap of the page sent a message', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('whose');
    const chat = found((await client.write(customer, 'whose')).html, /id="write-([^"]+)"/);
    await client.waitForRun(zap, 'Send Template Message: Success');
    expect(textOf((await client.get(`/phones?chat=${chat}`)).html)).toContain('Your Zap Your parcel PX-1');
  });

  for (const kind of ['503', 'lost']) {
    test(`a message that a run sends at its second try, after "${kind}", is not called sent before`, async () => {
      const customer = newNumber();
      const zap = await client.turnOnFor(`try again after ${kind}`);
      await client.post('/simulate', { fault: `writes-${kind}`, count: '1' });
      await client.write(customer, `try again after ${kind}`);
      await client.waitForRun(zap, 'Send Template Message: Success');
      await client.settled();
      expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).not.toContain('Nothing new was sent');
    });
  }

  test('a run that waits names who must reply, and leads to that phone', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('ask me', { operation: 'creates.send_message_and_wait' });
    const chat = found((await client.write(customer, 'ask me')).html, /id="write-([^"]+)"/);
    const html = await client.waitForRun(zap, `Waits for a reply from ${customer}.`);
    expect(found(html, /hx-get="\/phones\?chat=([^&"]+)/)).toBe(chat);
    expect(textOf((await client.get(storiesOf(customer))).html)).toContain(`waits for a reply from ${customer}`);
    await client.write(customer, 'Yes');
    await client.waitForRun(zap, 'Wait for Reply: Success');
    await client.settled();
    expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).not.toContain('Waits for');
  });

  test('a phone draws the header, the footer and the buttons of a message, and a pressed button answers exactly that one', async () => {
    const customer = newNumber();
    const reminder = {
      operation: 'creates.send_message_and_wait',
      'f.template': 'appointment_reminder',
      'f.variable_picture': 'https://files.example.com/lakeside-dental.jpg',
      'f.variable_first_name': 'Noor',
      'f.variable_appointment': 'Friday, June 12, 2:30 PM',
    };
    const [first, second] = [
      await client.turnOnFor('clinic one', reminder),
      await client.turnOnFor('clinic two', reminder),
    ];
    const chat = found((await client.write(customer, 'clinic one')).html, /id="write-([^"]+)"/);
    await client.waitForRun(first, `Waits for a reply from ${customer}.`);
    await client.write(customer, 'clinic two');
    await client.waitForRun(second, `Waits for a reply from ${customer}.`);
    const { html } = await client.get(`/phones?chat=${chat}`);
    expect(html).toContain('alt="Picture: lakeside-dental.jpg"');
    expect(textOf(html)).toMatch(
      /seeing you on Friday, June 12, 2:30 PM\. Can you come\? Lakeside Dental Confirm Cancel/,
    );
    const message = found(html, /id="press-([^"]+)-0"/);
    const pressed = { act: 'press', from: customer, channel: 'whatsapp', message, text: 'Confirm' };
    expect(textOf((await client.post(`/phones/acts?chat=${chat}`, pressed)).html)).toContain('Confirm');
    await client.waitForRun(first, 'Wait for Reply: Success');
    await client.waitForRun(second, 'replied to another message by quoting it, so the Zap stopped waiting');
  });

  test('an internal note of a colleague is on no phone and starts no Zap', async () => {
    const customer = newNumber();
    const chat = found((await client.write(customer, 'is it open today?')).html, /id="write-([^"]+)"/);
    const noted = { act: 'note', from: customer, channel: 'whatsapp', conversation: chat };
    await client.post(`/phones/acts?chat=${chat}`, noted);
    await client.post('/simulate/settled', {});
    expect((await client.get(`/phones?chat=${chat}`)).html).not.toContain('Call back tomorrow');
  });

  test('a reply that a run waited for is in the story of the run', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('does it suit you', { operation: 'creates.send_message_and_wait' });
    await client.write(customer, 'does it suit you?');
    await client.waitForRun(zap, `Waits for a reply from ${customer}.`);
    await client.write(customer, 'It does.');
    await client.waitForRun(zap, 'Wait for Reply: Success');
    const told = /asked → Zap \d+ ran → answered, \w+ \([^)]*\) → \S+ replied/;
    await client.waitFor(storiesOf(customer), (html) => told.test(textOf(html)));
    await client.settled();
    expect(count((await client.get(storiesOf(customer))).html, 'class="story"')).toBe(1);
    const lines = textOf(await openStory(customer));
    const run = found(lines, /#(\d+) after #\d+ Zap run/);
    expect(lines).toMatch(new RegExp(`#\\d+ after #${run} Event (?:· .{1,20} later )?\\S+ replied: "It does\\."`));
  });

  test('a story is the same after a restart', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('still there');
    await client.write(customer, 'still there?');
    await client.waitForRun(zap, 'Send Template Message: Success');
    await client.post('/simulate', { advance: '60' });
    await client.waitFor(storiesOf(customer), (html) => textOf(html).includes('answered, read'));
    const before = textOf(await openStory(customer));
    await client.stop();
    await client.startHere(database);
    expect(textOf(await openStory(customer))).toBe(before);
  });

  test('a replay as Autoreplay would goes on at the failed step, and repeats none before it', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('again', { 'f.deduplication_key': '' });
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 2, { operation: 'searches.find_contact' });
    await client.fill(zap, 2, { 'f.phone': '{{1.from}}' });
    await client.post(`/zap/${zap}/publish`);
    await client.addFault({ kind: '503', count: 1000, requests: 'reads', path: endpoints.listContacts.path });
    const failed = await withoutPauses(async () => {
      await client.write(customer, 'again');
      return client.waitForRun(zap, 'Find Contact: Errored');
    });
    const run = found(failed, /id="autoreplay-([^"]+)"/);
    await client.post('/simulate', { clear: 'faults' });
    const { html } = await client.post(`/zap/${zap}/runs/${run}/autoreplay`);
    expect(textOf(html)).toContain('Send Template Message: Success Find Contact: Success');
    await client.settled();
    const runs = (await client.get(`/zap/${zap}/runs`)).html;
    expect(runs).not.toContain('autoreplay-');
    expect(count(runs, 'id="run-')).toBe(1);
    expect(await client.post(`/zap/${zap}/runs/${run}/autoreplay`)).toMatchObject({
      status: 422,
      html: expect.stringContaining('This run has no failed step'),
    });
    await client.settled();
    const story = await openStory(customer);
    expect(count(textOf(story), 'Your parcel PX-1 arrives')).toBe(1);
  });

  test('a story is saved as one file without secrets', async () => {
    const customer = newNumber();
    const zap = await client.turnOnFor('saved');
    await client.write(customer, 'saved');
    await client.waitForRun(zap, 'Send Template Message: Success');
    const path = found(await openStory(customer), /href="(\/activity\/stories\/[^"]+)"/);
    const { status, html, headers } = await client.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(html).toContain(customer);
    expect(html).toContain('Idempotent-Replayed');
    expect(html).not.toMatch(/Bearer (?!\*{3})|"secret": "(?!\*{3})/);
    expect((await client.get('/activity/stories/none')).status).toBe(404);
  });

  test('requests that fill forms are in no story, and in the list of requests', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { 'f.channel': 'whatsapp', 'f.template': 'opening_hours' });
    const { path } = endpoints.listTemplates;
    await client.settled();
    expect((await client.get('/activity')).html).not.toContain(path);
    expect((await client.get('/activity?kind=request')).html).toContain(path);
  });

  test('polls without news are one line', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 0, { operation: 'triggers.new_contact' });
    await client.fill(zap, 1, { operation: 'searches.find_contact' });
    await client.fill(zap, 1, { 'f.phone': '{{1.phone}}' });
    await client.turnOn(zap);
    await eventually(async () => {
      const { html } = await client.get('/activity');
      expect(html).toMatch(/checked \d+ times, nothing new/);
      expect(count(html, 'times, nothing new')).toBe(1);
    });
    await client.write(newNumber(), 'Hello');
    await client.waitForRun(zap, 'Find Contact: Success');
  });

  test('a run whose filter lets no step run is filtered', async () => {
    const mailchimp = recipes.indexOf(mailchimpSubscriber);
    const { html } = await client.post('/zap/recipe', { recipe: String(mailchimp) });
    const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
    await client.turnOn(zap);
    // A customer who only writes has given no consent.
    await client.write(newNumber(), 'Hello');
    const runs = await client.waitFor(`/zap/${zap}/runs`, (shown) => shown.includes('id="run-'));
    expect(found(runs, /<summary>([\s\S]*?)<\/summary>/)).toContain('>Filtered<');
    expect(textOf(runs)).toMatch(/Filter: Filtered\. Rule 1: .*, which doesn't match/);
  });

  test('a message of the Growth workspace is on no phone, and its story says what became of it', async () => {
    const customer = newNumber();
    const zap = await client.newZap();
    await client.post('/simulate', { plan: 'growth' });
    await client.fill(zap, 1, { ...sendForm, 'f.to': customer, 'f.deduplication_key': '' });
    const { html } = await client.fill(zap, 1, { action: 'run' });
    await client.post('/simulate', { plan: 'advanced' });
    expect(textOf(found(html, /id="result"([\s\S]*)/))).toContain('Success');
    await client.settled();
    expect((await client.get('/phones')).html).not.toContain(customer);
    await client.post('/simulate', { advance: '60' });
    const own = `/activity?customer=${encodeURIComponent(customer)}`;
    const story = found((await client.get(own)).html, /id="(story-[^"]+)"/);
    const { html: opened } = await client.get(`${own}&open=${story}`);
    expect(textOf(opened)).toMatch(/Your parcel PX-1 .*" (delivered|read)/);
    await client.post('/simulate', { clock: 'now' });
  });

  test('the clock goes back to now, and what is due later waits', async () => {
    const customer = newNumber();
    const ahead = textOf((await client.post('/simulate', { advance: '86400' })).html);
    expect(ahead).toMatch(/Clock is 1 d[ \w]* ahead Back to now/);
    expect(textOf((await client.post('/simulate', { clock: 'now' })).html)).not.toContain('ahead');
    const zap = await client.turnOnFor('back');
    await client.write(customer, 'back');
    await client.waitForRun(zap, 'Send Template Message: Success');
  });
});

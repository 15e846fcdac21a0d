import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { recipes } from '../../recipes';
import app from '../../src';
import { endpoints } from '../../src/api/endpoints';
import { deadlineMs } from '../support/deadline';
import { Client, count, found, textOf } from '../support/playground-client';
import { fictionalNumber } from '../support/running';
import { writeSeeded } from '../support/seeded';
import { definition } from '../support/zapier';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
beforeAll(() => client.start(['--database', writeSeeded(folder)]));
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

let customers = 0;
const newCustomer = (): string => fictionalNumber(813, customers++);

/** Lets a customer write, and returns the id of the chat. */
const write = async (from: string, text: string): Promise<string> => {
  const { html } = await client.post('/phones', { from, text, channel: 'whatsapp' });
  return found(html, /id="write-([^"]+)"/);
};

const countBubbles = (html: string): number => count(html, 'class="bubble theirs"');

/** Waits for the only bubble of a chat. It appears when the service sends the message, if not before. */
const waitForBubble = (chat: string) => client.waitFor(`/phones?chat=${chat}`, (html) => countBubbles(html) === 1);

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.from}}',
  'f.deduplication_key': '{{1.id}}',
};

const newZap = () => client.newZap();

const fill = (zap: string, index: number, form: Record<string, string | string[]>) => client.fill(zap, index, form);

const turnedOn: string[] = [];
afterEach(async () => {
  for (const zap of turnedOn.splice(0)) await client.post(`/zap/${zap}/off`);
  await client.post('/simulate', { clear: 'faults' });
  await client.post('/simulate', { plan: 'advanced', speed: '1' });
});

const turnOn = async (zap: string): Promise<void> => {
  const { html } = await client.post(`/zap/${zap}/on`);
  turnedOn.push(zap);
  expect(textOf(html)).toMatch(/Subscription \w+ until/);
};

/** Turns on a Zap that sends the parcel message to customers who write the word. Returns its id. */
const turnOnFor = async (word: string, form: Record<string, string> = {}): Promise<string> => {
  const zap = await newZap();
  await fill(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': [word], 'f.match': 'contains' });
  await fill(zap, 1, { ...sendForm, ...form });
  await turnOn(zap);
  return zap;
};

const addFault = (fault: object) => client.addFault(fault);

const runsOf = (zap: string) => client.get(`/zap/${zap}/runs`);
const waitForRun = (zap: string, text: string) =>
  client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes(text));

const field = z.looseObject({ label: z.string(), required: z.optional(z.boolean()), helpText: z.optional(z.string()) });
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
  await fill(zap, 1, { operation: 'creates.trigger_campaign' });
  const choices = await client.post(`/zap/${zap}/1/choices/campaign`);
  const campaign = found(choices.html, /&quot;value&quot;:&quot;([^&]+)&quot;,&quot;label&quot;:&quot;[^&]*\(draft, /);
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
  const customer = newCustomer();
  const chat = await write(customer, 'Hello');
  await fill(zap, 1, { ...sendForm, 'f.to': customer, 'f.deduplication_key': '' });
  await addFault({ kind: 'delivery_dropped', count: 1000 });
  const { html } = await client.post(`/zap/${zap}/1`, { at: '1', action: 'run' });
  const phone = (await client.get(`/phones?chat=${chat}`)).html;
  await client.post('/simulate', { clear: 'faults' });
  expect(textOf(found(html, /id="result"([\s\S]*)/))).toContain('Success');
  // With a service that responds with an id alone, the message appears when it's sent.
  const isWhole = html.includes('title="conversation_id"');
  expect(count(phone, 'class="ticks queued"')).toBe(isWhole ? 1 : 0);
});

test('a delivery that is sent again, or twice, starts no further run', async () => {
  const zap = await turnOnFor('repeated');
  const customer = newCustomer();
  await write(customer, 'repeated');
  await waitForRun(zap, 'Send Template Message: Success');
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
  await fill(zap, 1, { ...sendForm, 'f.to': newCustomer(), 'f.deduplication_key': '' });
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
  await fill(zap, 1, { ...sendForm, 'f.to': newCustomer(), 'f.deduplication_key': '' });
  // On a busy machine, a short pause would be over before the page shows it.
  await addFault({ kind: '429', requests: 'writes', retry_after: 1800 });
  const { html } = await client.post(`/zap/${zap}/1`, { at: '1', action: 'run' });
  const result = found(html, /id="result"[^>]*hx-get="([^"]+)" hx-trigger="runs from:body"/);
  expect(textOf((await client.get(result)).html)).toContain('(On hold) and tries again in');
  await client.post('/simulate', { advance: '3600' });
  const retried = await client.waitFor(result, (shown) => textOf(shown).includes('Success'));
  expect(textOf(retried)).not.toContain('On hold');
});

test('a recipe makes what starts its Zap happen', async () => {
  const stop = recipes.findIndex(({ title }) => title.includes('STOP'));
  const { html } = await client.post('/zap/recipe', { recipe: String(stop) });
  const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
  await turnOn(zap);
  expect(textOf((await client.post(`/zap/${zap}/event`)).html)).toContain('writes "Stop".');
  await waitForRun(zap, 'Update Contact: Success');
  await client.settled();
  expect(count((await runsOf(zap)).html, 'id="run-')).toBe(1);
});

test('the token is rotated and the account connected again from the page, and the held run goes on', async () => {
  const zap = await turnOnFor('expired');
  expect(textOf((await client.post('/simulate', { token: 'rotate' })).html)).toContain('The API token was rotated');
  const chat = await write(newCustomer(), 'expired');
  await waitForRun(zap, 'Send Template Message: On hold');
  await client.post('/simulate', { token: 'reconnect' });
  await waitForRun(zap, 'Send Template Message: Success');
  await client.settled();
  await waitForBubble(chat);
});

test('later steps keep what they map when a step before them is removed', async () => {
  const zap = await newZap();
  await fill(zap, 1, { operation: 'searches.find_contact' });
  await client.post(`/zap/${zap}/add`);
  await client.post(`/zap/${zap}/add`);
  await fill(zap, 3, { ...sendForm, 'f.variable_parcel_id': '{{3.id}} {{2.first_name}}' });
  await client.post(`/zap/${zap}/add`);
  await fill(zap, 4, { operation: 'other' });
  await fill(zap, 4, { 'k.fields': 'Name', 'v.fields': '{{2.first_name}}' });
  await fill(zap, 1, { action: 'remove' });
  const other = textOf((await client.get(`/zap/${zap}?step=3`)).html);
  expect(other).toContain('The field Name uses data of a step that was removed. Choose other data.');
  const { html } = await client.get(`/zap/${zap}?step=2`);
  expect(html).toContain('value="{{1.from}}"');
  expect(html).toContain('value="{{2.id}} {{removed.first_name}}"');
  expect(textOf(html)).toContain('Parcel Number uses data of a step that was removed. Choose other data.');
  const run = await fill(zap, 2, { action: 'run' });
  expect(run.html).not.toContain('id="result"');
  expect(run.html).toMatch(/id="field-variable_parcel_id"[^>]* invalid=""/);
});

test('a Zap whose draft has data of a removed step is not published, and runs as before', async () => {
  const zap = await turnOnFor('removed');
  await client.post(`/zap/${zap}/add`);
  await fill(zap, 2, { ...sendForm, 'f.variable_parcel_id': '{{2.id}}' });
  await fill(zap, 1, { action: 'remove' });
  const chat = await write(newCustomer(), 'removed');
  const { html } = await client.post(`/zap/${zap}/publish`);
  expect(textOf(html)).toContain('Step 2: Parcel Number uses data of a step that was removed');
  await waitForRun(zap, 'Send Template Message: Success');
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
    const form = { ...sendForm, step, operation: 'searches.find_message', 'fields-of': 'creates.send_message' };
    await Promise.all([fill(zap, 1, { ...form, action: '' }), fill(zap, 1, form)]);
    const { html } = await client.get(`/zap/${zap}?step=1`);
    expect(html).toContain('value="searches.find_message" selected=""');
    expect(html).not.toContain('value="{{1.from}}"');
  });

  test('a number that is none is named, with what was typed', async () => {
    const zap = await newZap();
    await fill(zap, 1, { operation: 'creates.trigger_campaign' });
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
  await fill(zap, 1, { ...sendForm, 'f.to': newCustomer() });
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
  const zap = await turnOnFor('kept');
  const onGrowth = async (path: string) => {
    await client.post('/simulate', { plan: 'growth' });
    const { html } = await client.post(`/zap/${zap}/${path}`);
    await client.post('/simulate', { plan: 'advanced' });
    return textOf(html);
  };
  const off = await onGrowth('off');
  expect(off).toMatch(kept);
  expect(off).toContain('Turn on');
  await turnOn(zap);
  await fill(zap, 0, { 'l.contains': ['another word'] });
  const refused = await onGrowth('publish');
  expect(refused).toMatch(/Draft.* need(s|) the Advanced plan|need(s|) the Advanced plan.* Draft/);
  expect(refused).toContain('Turn off');
});

test('a failure of deliveries applies to the Zaps that are on', async () => {
  const zap = await turnOnFor('doubled');
  const { html } = await client.post('/simulate', { fault: 'delivery_twice', count: '1' });
  expect(textOf(html)).toMatch(/Deliveries arrive twice: next 1 to Zap \d+ /);
  const customer = newCustomer();
  const chat = await write(customer, 'doubled');
  const path = `/activity?kind=delivery&customer=${encodeURIComponent(customer)}`;
  await client.waitFor(path, (html) => textOf(html).includes('delivered, 2 times'));
  await waitForRun(zap, 'Send Template Message: Success');
  await client.settled();
  await waitForBubble(chat);
});

test('activity is filtered by kind and customer, and comes in pages', async () => {
  const customer = newCustomer();
  await write(customer, 'Only once');
  const own = `customer=${encodeURIComponent(customer)}`;
  await client.waitFor(`/activity?kind=event&${own}`, (html) => html.includes('message.received'));
  const { html } = await client.get(`/activity?kind=event&${own}`);
  expect(count(html, 'class="event"')).toBeGreaterThan(0);
  expect(html).not.toMatch(/class="(request|delivery|run)"/);
  expect(textOf((await client.get('/activity?customer=nobody')).html)).toContain('Nothing has happened yet.');
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) await write(newCustomer(), text);
  const page = await client.waitFor('/activity?count=5', (html) => html.includes('Earlier activity'));
  expect(count(page, 'class="line row"')).toBe(5);
});

test('the webhook of the page is renewed when it expires, however far the clock jumps', async () => {
  await client.post('/simulate', { advance: String(31 * 86_400) });
  const customer = newCustomer();
  await write(customer, 'Hello');
  await client.waitFor(`/activity?kind=event&customer=${encodeURIComponent(customer)}`, (list) =>
    list.includes('message.received'),
  );
  expect(textOf((await client.get('/simulate')).html)).toMatch(/Clock is 31 d/);
});

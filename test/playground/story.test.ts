/** Activity as stories: what led to what, what was sent once, who must reply, and how runs go on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestFaults } from '../../playground/service/simulation';
import { recipes } from '../../recipes';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { endpoints } from '../../src/api/endpoints';
import { withoutPauses } from '../support/pauses';
import { Client, count, found, textOf } from '../support/playground-client';
import { eventually, fictionalNumber } from '../support/running';
import { writeSeeded } from '../support/seeded';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const client = new Client();
const database = writeSeeded(folder);
beforeAll(() => client.startHere(database));

const turnedOn: string[] = [];
afterEach(async () => {
  await client.post('/simulate', { clear: 'faults' });
  for (const zap of turnedOn.splice(0)) await client.post(`/zap/${zap}/off`);
});
afterAll(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(client.errors()).toBe('');
});

let customers = 0;
const newCustomer = (): string => fictionalNumber(817, customers++);

const write = (from: string, text: string) => client.post('/phones', { from, text, channel: 'whatsapp' });

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.from}}',
  'f.deduplication_key': '{{1.text}}',
};

const turnOn = async (zap: string): Promise<void> => {
  turnedOn.push(zap);
  expect(textOf((await client.post(`/zap/${zap}/on`)).html)).toContain('Turn off');
};

/** Turns on a Zap for customers who write the word, with this second step. */
const turnOnFor = async (word: string, form: Record<string, string> = {}): Promise<string> => {
  const zap = await client.newZap();
  await client.fill(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': word, 'f.match': 'contains' });
  if (form.operation) await client.fill(zap, 1, { operation: form.operation });
  await client.fill(zap, 1, { ...sendForm, ...form });
  await turnOn(zap);
  return zap;
};

const waitForRun = (zap: string, text: string) =>
  client.waitFor(`/zap/${zap}/runs`, (html) => textOf(html).includes(text));

const storiesOf = (customer: string, open = '') =>
  `/activity?${new URLSearchParams({ customer, ...(open && { open }) })}`;

/** The story of a customer, open. */
const openStory = async (customer: string): Promise<string> => {
  const story = found((await client.get(storiesOf(customer))).html, /id="(story-[^"]+)"/);
  return (await client.get(storiesOf(customer, story))).html;
};

const send = `POST ${endpoints.sendMessage.path}`;

test('a story goes from the question to the answer, with no effect before its cause', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('why');
  await write(customer, 'why so late?');
  await waitForRun(zap, 'Send Template Message: Success');
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
  await turnOn(zap);
  const sending = await client.newZap();
  await client.fill(sending, 1, { ...sendForm, 'f.to': specialNumbers.failsLater, 'f.deduplication_key': '' });
  await client.fill(sending, 1, { action: 'run' });
  await client.post('/simulate', { advance: '60' });
  await waitForRun(zap, 'Find Contact:');
  const story = textOf(await openStory(specialNumbers.failsLater));
  expect(story).toMatch(/ → sent a message, failed \([^)]*\) → Zap \d+ /);
  const lines = [...story.matchAll(/#(\d+) (?:after #(\d+) )?(?=Event|Webhook|Zap run)/g)];
  expect(lines.map(([, , cause]) => cause)).toEqual([undefined, ...lines.slice(0, -1).map(([, number]) => number)]);
});

test('the card, the panel and the story say the same of a run that stopped, until the step is corrected', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('too long', { 'f.variable_parcel_id': '{{1.text}}' });
  await write(customer, `too long ${'x'.repeat(1300)}`);
  const shown = await waitForRun(zap, 'Safely halted');
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
  await client.fill(zap, 1, { 'f.to': newCustomer(), 'f.deduplication_key': 'msg_216898725633' });
  const sent = textOf(found((await client.fill(zap, 1, { action: 'test' })).html, /id="result"([\s\S]*)/));
  expect(sent).not.toContain('What it tried');
  expect(sent).toMatch(/Data in .*msg_216898725633/);
});

test('a message that was sent before is named with a link to its bubble, and every request shows its key', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('A-1042');
  await write(customer, 'A-1042');
  const run = found(await waitForRun(zap, 'Send Template Message: Success'), /id="run-([^"]+)"/);
  const { html } = await client.post(`/zap/${zap}/runs/${run}/replay`);
  expect(textOf(html)).toMatch(
    /got this message at \d\d:\d\d \(Send Only Once Per: A-1042\)\. Nothing new was sent\. Show the message/,
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
  expect(details).toMatch(new RegExp(`${send}: 202, \\d+ ms Idempotency-Key [0-9a-f]+ Idempotent-Replayed true JSON`));
  expect(details).toContain('"content-type": "application/json"');
});

test('a run that repeats one message and sends another is not said to send nothing', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('one of two');
  await write(customer, 'one of two');
  await waitForRun(zap, 'Send Template Message: Success');
  await client.post(`/zap/${zap}/add?operation=app`);
  await client.fill(zap, 2, { operation: 'creates.send_message' });
  await client.fill(zap, 2, { ...sendForm, 'f.deduplication_key': '{{1.id}}', 'f.template': 'opening_hours' });
  await client.post(`/zap/${zap}/publish`);
  await write(customer, 'one of two');
  await client.waitFor(`/zap/${zap}/runs`, (html) => count(textOf(html), 'Send Template Message: Success') === 3);
  await client.settled();
  const story = textOf(await openStory(customer));
  expect(story).not.toContain('ran, nothing new was sent');
});

test('a replay says how many messages it sent, and a Zap that it was turned on and off', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('sent again', { 'f.deduplication_key': '' });
  await write(customer, 'sent again');
  const shown = await waitForRun(zap, 'Send Template Message: Success');
  expect(textOf(shown)).toMatch(/On Starts when a contact sends you a message\b.* Webhook details/);
  await client.post(`/zap/${zap}/runs/${found(shown, /id="run-([^"]+)"/)}/replay`);
  expect(textOf((await client.get(storiesOf(customer))).html)).toContain('→ replayed, sent 1 message →');
  await client.post(`/zap/${zap}/off`);
  const activity = textOf((await client.get('/activity')).html);
  expect(activity).toContain('The Zap was turned on');
  expect(activity).toContain('The Zap was turned off');
});

test('a phone says when a Zap of the page sent a message', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('whose');
  const chat = found((await write(customer, 'whose')).html, /id="write-([^"]+)"/);
  await waitForRun(zap, 'Send Template Message: Success');
  expect(textOf((await client.get(`/phones?chat=${chat}`)).html)).toContain('Your Zap Your parcel PX-1');
});

for (const { kind } of requestFaults) {
  test(`a message that a run sends at its second try, after "${kind}", is not called sent before`, async () => {
    const customer = newCustomer();
    const zap = await turnOnFor(`try again after ${kind}`);
    await client.post('/simulate', { fault: `writes-${kind}`, count: '1' });
    await write(customer, `try again after ${kind}`);
    await waitForRun(zap, 'Send Template Message: Success');
    await client.settled();
    expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).not.toContain('Nothing new was sent');
  });
}

test('a run that waits names who must reply, and leads to that phone', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('ask me', { operation: 'creates.send_message_and_wait' });
  const chat = found((await write(customer, 'ask me')).html, /id="write-([^"]+)"/);
  const html = await waitForRun(zap, `Waits for a reply from ${customer}.`);
  expect(found(html, /hx-get="\/phones\?chat=([^&"]+)/)).toBe(chat);
  expect(textOf((await client.get(storiesOf(customer))).html)).toContain(`waits for a reply from ${customer}`);
  await write(customer, 'Yes');
  await waitForRun(zap, 'Wait for Reply: Success');
  await client.settled();
  expect(textOf((await client.get(`/zap/${zap}/runs`)).html)).not.toContain('Waits for');
});

test('a reply that a run waited for is in the story of the run', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('does it suit you', { operation: 'creates.send_message_and_wait' });
  await write(customer, 'does it suit you?');
  await waitForRun(zap, `Waits for a reply from ${customer}.`);
  await write(customer, 'It does.');
  await waitForRun(zap, 'Wait for Reply: Success');
  const told = /asked → Zap \d+ ran → answered, \w+ \([^)]*\) → \S+ replied/;
  await client.waitFor(storiesOf(customer), (html) => told.test(textOf(html)));
  await client.settled();
  expect(count((await client.get(storiesOf(customer))).html, 'class="story"')).toBe(1);
  const lines = textOf(await openStory(customer));
  const run = found(lines, /#(\d+) after #\d+ Zap run/);
  expect(lines).toMatch(new RegExp(`#\\d+ after #${run} Event \\S+ replied: "It does\\."`));
});

test('a story is the same after a restart', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('still there');
  await write(customer, 'still there?');
  await waitForRun(zap, 'Send Template Message: Success');
  await client.post('/simulate', { advance: '60' });
  await client.waitFor(storiesOf(customer), (html) => textOf(html).includes('answered, read'));
  const before = textOf(await openStory(customer));
  await client.stop();
  await client.startHere(database);
  expect(textOf(await openStory(customer))).toBe(before);
});

test('a replay as Autoreplay would goes on at the failed step, and repeats none before it', async () => {
  const customer = newCustomer();
  const zap = await turnOnFor('again', { 'f.deduplication_key': '' });
  await client.post(`/zap/${zap}/add`);
  await client.fill(zap, 2, { operation: 'searches.find_contact' });
  await client.fill(zap, 2, { 'f.phone': '{{1.from}}' });
  await client.post(`/zap/${zap}/publish`);
  await client.addFault({ kind: '503', count: 1000, requests: 'reads', path: endpoints.listContacts.path });
  const failed = await withoutPauses(async () => {
    await write(customer, 'again');
    return waitForRun(zap, 'Find Contact: Errored');
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
  const customer = newCustomer();
  const zap = await turnOnFor('saved');
  await write(customer, 'saved');
  await waitForRun(zap, 'Send Template Message: Success');
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
  await turnOn(zap);
  await eventually(async () => {
    const { html } = await client.get('/activity');
    expect(html).toMatch(/checked \d+ times, nothing new/);
    expect(count(html, 'times, nothing new')).toBe(1);
  });
  await write(newCustomer(), 'Hello');
  await waitForRun(zap, 'Find Contact: Success');
});

test('a run whose filter lets no step run is filtered', async () => {
  const mailchimp = recipes.findIndex(({ title }) => title.includes('Mailchimp'));
  const { html } = await client.post('/zap/recipe', { recipe: String(mailchimp) });
  const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
  await turnOn(zap);
  // A customer who only writes has given no consent.
  await write(newCustomer(), 'Hello');
  const runs = await client.waitFor(`/zap/${zap}/runs`, (shown) => shown.includes('id="run-'));
  expect(found(runs, /<summary>([\s\S]*?)<\/summary>/)).toContain('>Filtered<');
  expect(textOf(runs)).toMatch(/Filter: Filtered\. Rule 1: .*, which doesn't match/);
});

test('a message of the Growth workspace is on no phone, and its story says what became of it', async () => {
  const customer = newCustomer();
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
  const customer = newCustomer();
  const ahead = textOf((await client.post('/simulate', { advance: '86400' })).html);
  expect(ahead).toMatch(/Clock is 1 d[ \w]* ahead Back to now/);
  expect(textOf((await client.post('/simulate', { clock: 'now' })).html)).not.toContain('ahead');
  const zap = await turnOnFor('back');
  await write(customer, 'back');
  await waitForRun(zap, 'Send Template Message: Success');
});

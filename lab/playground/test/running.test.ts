/** Zaps that run in the playground: recipes, failures, the simulated clock, and what the page refuses. */
import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { deadlineMs } from '../../../test/support/deadline';
import { newNumber } from '../../../test/support/running';
import { recipes } from '../../recipes';
import { approvedAnswer } from '../../recipes/approved-answer';
import { count, found, sendForm, textOf, usePage } from './playground-client';

const { client } = usePage();

/** Lets a customer write, and returns the id of the chat. */
const write = async (from: string, text: string): Promise<string> =>
  found((await client.write(from, text)).html, /id="write-([^"]+)"/);

const countBubbles = (html: string): number => count(html, 'class="bubble theirs"');

/** Waits for the only bubble of a chat. It appears when the service sends the message, if not before. */
const waitForBubble = (chat: string) => client.waitFor(`/phones?chat=${chat}`, (html) => countBubbles(html) === 1);

test('the page tells a browser without JavaScript what it needs', async () => {
  const { html } = await client.get('/');
  expect(found(html, /<noscript[^>]*>([^<]*)/)).toContain('This page needs JavaScript.');
});

test('a queued message is on the phone at once, before the service delivers an event about it', async () => {
  const zap = await client.newZap();
  const customer = newNumber();
  const chat = await write(customer, 'Hello');
  await client.fill(zap, 1, { ...sendForm, 'f.to': customer, 'f.deduplication_key': '' });
  await client.addFault({ kind: 'delivery_dropped', count: 1000 });
  const { html } = await client.post(`/zap/${zap}/1`, { at: '1', action: 'test' });
  const phone = (await client.get(`/phones?chat=${chat}`)).html;
  await client.post('/simulate', { clear: 'faults' });
  expect(textOf(found(html, /id="result"([\s\S]*)/))).toContain('Success');
  // With a service that responds with an id alone, the message appears when it's sent.
  const isWhole = html.includes('title="conversation_id"');
  expect(count(phone, 'class="ticks queued"')).toBe(isWhole ? 1 : 0);
});

/** Adds the Zap of a recipe and turns it on. */
const addRecipe = async (name: string): Promise<string> => {
  const recipe = recipes.findIndex((each) => each.name === name);
  const { html } = await client.post('/zap/recipe', { recipe: String(recipe) });
  const zap = found(html, /hx-post="\/zap\/([^/]+)\/on"/);
  await client.turnOn(zap);
  return zap;
};

test('a draft waits in its window until a person approves it, goes out as edited, and is decided once', async () => {
  const zap = await addRecipe(approvedAnswer.name);
  expect(textOf((await client.get(`/windows/${zap}`)).html)).toContain('Nothing waits for approval yet.');
  const { html } = await client.post(`/zap/${zap}/event`);
  expect(textOf(html)).toContain('writes "Can I pick up a parcel');
  const waiting = await client.waitFor(`/windows/${zap}`, (shown) => shown.includes('value="approved"'));
  expect(textOf(waiting)).toMatch(/1 to review Waits for your approval .* Sanne Bakker: "Can I pick up a parcel/);
  await client.waitForRun(zap, 'Waits for a person to approve it.', 3);
  const path = found(waiting, /hx-post="(\/windows\/[^"]+\/approvals\/[^"]+)"/);
  const review = { name: 'Answer', text: 'Yes, bring the code & your ID.', decision: 'approved' };
  await client.post(path, review);
  await client.waitForRun(zap, 'Success', 4);
  const decided = await client.waitFor(`/windows/${zap}`, (shown) => !shown.includes('value="approved"'));
  expect(textOf(decided)).toMatch(/0 to review Approved /);
  expect(decided).toContain('Yes, bring the code &amp; your ID.');
  expect(textOf((await client.get(`/activity/${zap}`)).html)).toMatch(
    /Zap ran → Analyze and Return Data in AI by Zapier → Approved by a person → Message sent /,
  );
  expect(textOf((await client.post(path, review)).html)).toContain('Somebody has decided this already');
});

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
  const { html } = await client.get(`/phones?chat=${chat}`);
  // Another test may have left an older message with the same buttons.
  const message = [...html.matchAll(/id="press-([^"]+)-0"/g)].at(-1)?.[1] ?? '';
  await client.post(`/phones/acts?chat=${chat}`, { act: 'press', from, channel: 'whatsapp', message, text });
};

test('a calendar shows who confirmed and who canceled, and a click skips the wait', async () => {
  const zap = await addRecipe('Google Calendar reminder with Confirm and Cancel');
  // The calendar tells its events apart, whatever the Zap sends once for.
  await client.fill(zap, 4, { 'f.deduplication_key': '' });
  for (const [phone, button] of [
    ['+12025550141', 'Confirm'],
    ['+12025550142', 'Cancel'],
  ] as const) {
    await client.addRecord(zap);
    await client.settled();
    await press(phone, button);
  }
  const { html } = await client.get(`/activity/${zap}`);
  await client.post('/simulate', { until: found(html, /&quot;until&quot;:(\d+)/) });
  await client.settled();
  const stories = textOf((await client.get(`/activity/${zap}`)).html);
  expect(stories).toMatch(
    /Message sent → Mateo \S+ it → Mateo replied → Event deleted in Google Calendar → Channel Message sent in Slack /,
  );
  expect(stories).toMatch(/Grace replied → Event updated in Google Calendar /);
  expect(stories).toContain('To Grace Foster: "Hi Grace,');
  const [example, confirmed, canceled] = await rowsOf(zap);
  expect(example).not.toMatch(/Confirmed|removed/);
  expect(confirmed).toContain('Confirmed: Grace Foster, check-up');
  expect(canceled).toMatch(/class="removed".*Mateo Rivera, check-up/s);
  const { html: windows } = await client.get(`/windows/${zap}`);
  expect(textOf(windows)).toMatch(/#front-desk .* Canceled: Mateo Rivera, check-up, .* The slot is free again\./);
});

test('a reminder that went out before says so while the Zap waits, and the recipe added again sends another', async () => {
  const name = 'Google Calendar reminder with Confirm and Cancel';
  const first = await addRecipe(name);
  const { html } = await client.get(`/windows/${first}`);
  const cell = [...html.matchAll(/name="cell" value="([^"]*)"/g)].map(([, value = '']) => value);
  await client.fill(first, 4, { 'f.deduplication_key': '{{1.summary}}' });
  await client.addRecord(first);
  await client.post(`/windows/${first}/records`, { cell });
  await client.settled();
  const story = textOf((await client.get(`/activity/${first}`)).html);
  expect(story).toContain('Zap ran, nothing new was sent → waits until');
  for (const zap of [await addRecipe(name), await addRecipe(name)]) {
    await client.addRecord(zap);
    await client.settled();
    expect(textOf((await client.get(`/activity/${zap}`)).html)).toContain('Message sent');
  }
});

test('the token is rotated and the account connected again from the page, and the held run goes on', async () => {
  const zap = await client.turnOnFor('expired');
  expect(textOf((await client.post('/simulate', { token: 'rotate' })).html)).toContain(
    'Simulated: The API token expired',
  );
  const chat = await write(newNumber(), 'expired');
  await client.waitForRun(zap, 'On hold');
  // The mark of the test, the card and the list say the same, and the list says it once.
  expect((await client.get(`/zap/${zap}?step=1`)).html).toContain('class="stage-mark waits"');
  const why = 'On hold at step 2, and nothing was sent: The API token is missing, invalid or expired';
  const { html } = await client.get(`/activity/${zap}`);
  expect(count(found(html, /id="stories"([\s\S]*)/), why)).toBe(1);
  await client.post('/simulate', { token: 'reconnect' });
  await client.waitForRun(zap, 'Success');
  await client.settled();
  await waitForBubble(chat);
});

test('a run that failed goes on by a click, once', async () => {
  const zap = await client.turnOnFor('goes on');
  await client.addFault({ kind: '503', count: 1000, requests: 'writes', user_agent: 'Zapier' });
  const chat = await write(newNumber(), 'goes on');
  await client.waitForRun(zap, 'Errored');
  await client.post('/simulate', { clear: 'faults' });
  const [run] = await client.runsOf(zap);
  const hasButton = async () => (await client.get(`/activity/${zap}`)).html.includes(`id="autoreplay-${run}"`);
  expect(await hasButton()).toBe(true);
  await client.post(`/zap/${zap}/runs/${run}/autoreplay`);
  await client.waitForRun(zap, 'Success');
  await waitForBubble(chat);
  expect(await hasButton()).toBe(false);
  const { html } = await client.get(`/activity/${zap}`);
  expect(textOf(html)).toMatch(/failed at \d\d:\d\d, repeated by Zapier, sent 1 message/);
});

test('a customer opts out by a click, and gets nothing until they write START, while another phone shows', async () => {
  const zap = await client.turnOnFor('opted');
  const [customer, other] = [newNumber(), newNumber()];
  const chat = await write(customer, 'opted in');
  await client.waitForRun(zap, 'Success');
  await write(other, 'Hello');
  await client.post('/simulate', { advance: '60' });
  await client.settled();
  const { html: phone } = await client.get(`/phones?to=${encodeURIComponent(other)}`);
  // A customer of another test may have got theirs at the same time.
  expect(textOf(phone)).toMatch(/New message for (\+\d+|[A-Z]\w+ [A-Z]\w+) Show/);
  expect(textOf(phone)).toMatch(new RegExp(`\\${customer} WhatsApp Your parcel PX-1 [^+]* 1 unread`));
  await client.post(`/phones/acts?chat=${chat}`, { from: customer, channel: 'whatsapp', act: 'opt-out' });
  await write(customer, 'opted out');
  await client.settled();
  await client.waitForRun(zap, 'Safely halted');
  const { html } = await client.get(`/phones?chat=${chat}`);
  expect(countBubbles(html)).toBe(1);
  expect(textOf(html)).toContain(`${customer} opted out, and gets no messages.`);
  await write(customer, 'Start');
  await write(customer, 'opted in again');
  await client.waitForRun(zap, 'Success');
  const again = textOf((await client.get(`/phones?chat=${chat}`)).html);
  expect(again).toContain('Opt out');
  expect(again).not.toContain('gets no messages');
});

test('each simulation has a banner with its way back', async () => {
  const zap = await client.turnOnFor('simulated');
  for (const [start, shown, back, end] of [
    [{ advance: '3600' }, 'Clock is', 'Back to now', { clock: 'now' }],
    [{ failure: '503' }, 'The service is down', 'Clear failures', { clear: 'failures' }],
    [{ failure: 'delivery_late' }, 'Events arrive a minute late', 'Clear failures', { clear: 'failures' }],
    [{ token: 'rotate' }, 'The API token expired', 'Connect again', { token: 'reconnect' }],
  ] as const) {
    const banner = (html: string) => textOf(html.slice(0, html.indexOf('id="simulate-controls"')));
    const { html } = await client.post('/simulate', start);
    expect(banner(html)).toContain(shown);
    expect(banner(html)).toContain(back);
    expect(banner((await client.post('/simulate', end)).html)).not.toContain(back);
  }
  await client.post(`/zap/${zap}/off`);
  for (const [form, sentence] of [
    [{ failure: 'delivery_twice' }, 'Turn on a Zap with an instant trigger first.'],
    [{ failure: 'flood' }, 'There is no failure "flood".'],
    [{ advance: 'soon' }, 'whole seconds'],
  ] as const) {
    expect(textOf((await client.post('/simulate', form)).html)).toContain(sentence);
  }
});

test('turning a Zap on turns off the others, except those of its recipe, and a click keeps them on', async () => {
  const first = await client.turnOnFor('stage');
  const ticks = await addRecipe('Sent, delivered and read in your sheet');
  const isOn = async (zap: string) => textOf((await client.get(`/zap/${zap}`)).html).includes('Turn off');
  const names = (await client.get('/')).html.matchAll(/id="zap-(zap-\d+)"[^>]*><span class="name" dir="auto">([^<]*)/g);
  const rows = [...names].findLast(([, , title]) => title === 'Message for each new row')?.[1] ?? '';
  expect([await isOn(first), await isOn(rows), await isOn(ticks)]).toEqual([false, true, true]);
  const { html } = await client.post(`/zap/${first}/on`);
  expect(textOf(html)).toMatch(/"[^"]+" and "[^"]+" are off now, so the page shows what this Zap does\. Keep them on/);
  await client.post(found(html, /hx-post="([^"]+keep[^"]+)"/).replaceAll('&amp;', '&'));
  expect([await isOn(first), await isOn(rows), await isOn(ticks)]).toEqual([true, true, true]);
  for (const zap of [rows, ticks]) await client.post(`/zap/${zap}/off`);
});

test('the Zaps of two recipes have other rows and numbers, though both are about one sheet', async () => {
  const first = await addRecipe('Message for each new row');
  await client.addRecord(first);
  await client.settled();
  const second = await addRecipe('Message for each new row');
  const [example, ...others] = await rowsOf(second);
  expect(others).toEqual([]);
  expect(example).not.toMatch(/ticks/);
  const orderOf = (row = '') => found(row, /(A-\d+)/);
  expect((await rowsOf(first)).map(orderOf)).not.toContain(orderOf(example));
});

test('another app gives back the number and the name of the run, and an AI an example that says so', async () => {
  const zap = await addRecipe('Invoice as a PDF for each new order');
  const example = textOf((await client.get(`/windows/${zap}`)).html);
  const number = Number(found(example, /#(1\d{3})/)) + 1;
  await client.addRecord(zap);
  await client.settled();
  expect(textOf((await client.get(`/zap/${zap}/2/result`)).html)).toContain(`invoice-${number}.pdf`);
  await client.addRecord(zap);
  await client.settled();
  const { html } = await client.get(`/zap/${zap}/1/result`);
  expect(textOf(html)).toContain(`invoice-${number + 1}.pdf`);
  const answer = await addRecipe(approvedAnswer.name);
  expect(textOf((await client.get(`/zap/${answer}?step=4`)).html)).toContain('Example answer: Yes, with');
});

test('a click on a step moves less than 25 KB, compressed', async () => {
  const response = await fetch(`${client.url}/zap/${await client.newZap()}?step=1`);
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(gzipSync(await response.text()).length).toBeLessThan(25 * 1024);
});

test('the test of a trigger of the app offers its last records, whose data later steps get', async () => {
  const zap = await client.newZap();
  await write(newNumber(), 'Offered before');
  await write(newNumber(), 'Offered after');
  const { html } = await client.get(`/zap/${zap}/0/records`);
  expect(textOf(html)).toMatch(/"Offered after" .*"Offered before" /);
  const chosen = await client.post(`/zap/${zap}/0/records`, { record: '1' });
  expect(textOf(found(chosen.html, /id="result"([\s\S]*)/))).toContain('Offered before');
});

test('the phone says what a step without a template lacks, and where the reply to one that waits goes', async () => {
  const zap = await client.newZap();
  const { html } = await client.fill(zap, 1, { 'f.channel': 'whatsapp' });
  expect(textOf(html)).toContain('Choose a template, and its message appears here.');
  const waiting = await client.fill(zap, 1, { operation: 'creates.send_message_and_wait' });
  expect(textOf(waiting.html)).toContain('The Zap waits for this reply.');
  expect((await client.fill(zap, 1, { operation: 'searches.find_contact' })).html).not.toContain('id="preview"');
});

test('contacts with the tag that the form gives as an example are found', async () => {
  const zap = await client.newZap();
  const { html } = await client.fill(zap, 1, { operation: 'searches.find_contacts' });
  const tag = found(html, /id="field-tag"[^>]*placeholder="([^"]+)"/);
  const tested = await client.fill(zap, 1, { 'f.tag': tag, action: 'test' });
  expect(textOf(found(tested.html, /id="result"([\s\S]*)/))).toMatch(new RegExp(`Success .* Tags \\S*${tag}`));
});

describe('bad input', () => {
  test('rows with the same name are refused, and replace nothing', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, { operation: 'other' });
    await client.fill(zap, 1, { 'k.fields': ['Text', ''], 'v.fields': ['First', ''] });
    const { status, html } = await client.fill(zap, 1, {
      'k.fields': ['Text', 'Text '],
      'v.fields': ['First', 'Second'],
    });
    expect(status).toBe(422);
    expect(textOf(html)).toContain('Two rows have the name "Text", so nothing was saved.');
    expect((await client.get(`/zap/${zap}?step=1`)).html).toContain('value="First"');
  });

  test('an operation that the app does not have is named, and the step stays', async () => {
    const zap = await client.newZap();
    await client.fill(zap, 1, sendForm);
    for (const [operation, problem] of [
      ['creates.send_pigeon', 'There is no operation "creates.send_pigeon". Choose one from the list.'],
      ['triggers.message_received', "New Inbound Message can't be step 2."],
    ] as const) {
      const { html } = await client.fill(zap, 1, { ...sendForm, operation });
      expect(textOf(found(html, /id="problem-operation"[^>]*>([^<]*)/))).toContain(problem);
      expect(html).toContain('value="{{1.from}}"');
    }
  });

  test('a step, Zap, run or recipe that no longer exists changes nothing', async () => {
    const zap = await client.newZap();
    const { html } = await client.fill(zap, 1, sendForm);
    const step = found(html, /name="step" value="([^"]+)"/);
    await client.post(`/zap/${zap}/add`);
    await client.fill(zap, 1, { action: 'remove' });
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
  });

  test('a phone number that is none is named at the form', async () => {
    const { html } = await client.post('/phones', { from: 'Noor', text: 'Hello' });
    expect(html).toMatch(/id="new-from"[^>]*aria-invalid="true"/);
    expect(textOf(html)).toContain("isn't a complete phone number");
  });
});

/** Sends a request on a new connection. Returns the status. */
const send = async (method: 'GET' | 'POST', headers: Record<string, string>, body = ''): Promise<number> => {
  const path = method === 'GET' ? '/' : '/zap/new';
  const asked = request(client.url + path, { method, headers, agent: false }).end(body);
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
};

test('a request of another page, and more than a megabyte, is refused', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send('POST', form, 'x'.repeat(1_100_000))).toBe(413);
  expect(await send('POST', { origin: client.url, 'sec-fetch-site': 'same-origin' })).toBe(200);
  for (const [name, value] of [
    ['host', 'evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'same-site'],
  ] as const) {
    expect([name, await send('POST', { [name]: value }), await send('GET', { [name]: value })]).toEqual([
      name,
      403,
      403,
    ]);
  }
  // A link opens the page, but changes nothing.
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  expect([await send('GET', link), await send('POST', link)]).toEqual([200, 403]);
  expect(await send('GET', { ...link, host: 'evil.example' })).toBe(403);
});

test('what is no form or no delivery is refused, and so is an operation that there is none of', async () => {
  const zap = await client.newZap();
  const statusOf = async (path: string, type: string, body: string) =>
    (await fetch(client.url + path, { method: 'POST', headers: { 'content-type': type }, body })).status;
  const form = 'application/x-www-form-urlencoded';
  for (const path of [`/zap/${zap}/0`, '/phones', '/start-over']) {
    expect(await statusOf(path, 'application/json', '{"at": 0}')).toBe(400);
    expect(await statusOf(path, 'multipart/form-data; boundary=x', '--x junk')).toBe(400);
    expect(await statusOf(path, 'text/plain', 'at=0')).toBe(400);
  }
  for (const junk of ['', '{', '[]', '{"a": 1}'])
    expect(await statusOf('/observer', 'application/json', junk)).toBe(400);
  expect(await statusOf(`/zap/${zap}/1/choices/channel`, form, 'at=1&operation=__proto__')).toBe(400);
  expect(await statusOf(`/message/${zap}/1`, form, 'at=1&operation=__proto__')).toBe(400);
});

test('another tab hears of what is simulated at once', async () => {
  const { body } = await fetch(`${client.url}/live`, { signal: AbortSignal.timeout(deadlineMs) });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (times: number): Promise<void> => {
    while (count(heard, 'event: simulation') < times) heard += z.string().parse((await reader?.read())?.value);
  };
  // A page that connects hears of all parts.
  await hear(1);
  expect(await client.post('/simulate', { failure: 'drop' })).toMatchObject({ status: 200 });
  await hear(2);
  await reader?.cancel();
});

test('an event that arrives twice sends one message', async () => {
  const zap = await client.turnOnFor('doubled');
  await client.post('/simulate', { failure: 'delivery_twice' });
  const chat = await write(newNumber(), 'doubled');
  await client.waitForRun(zap, 'Success');
  await client.settled();
  expect(await client.runsOf(zap)).toHaveLength(1);
  await waitForBubble(chat);
});

test('the webhook of the page is renewed when it expires, however far the clock jumps', async () => {
  await client.post('/simulate', { advance: String(31 * 86_400) });
  expect(textOf((await client.get('/simulate')).html)).toMatch(/Clock is 31 d/);
  const [zap, customer] = [await client.newZap(), newNumber()];
  await client.fill(zap, 1, { ...sendForm, 'f.to': customer, action: 'test' });
  await client.post('/simulate', { advance: '60' });
  await client.waitFor(`/phones?to=${encodeURIComponent(customer)}`, (html) =>
    /class="ticks (delivered|read)"/.test(html),
  );
});

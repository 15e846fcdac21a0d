import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { recipes } from '../../recipes';
import { receiveMessage } from '../../sandbox/domain/messages';
import { workspaceOnPlan } from '../../sandbox/domain/workspaces';
import { type DeliveryFault, FaultList } from '../../sandbox/engine/faults';
import { systemRandom } from '../../sandbox/engine/random';
import { Database } from '../../sandbox/store/database';
import { endpoints } from '../../src/api/endpoints';
import { message } from '../../src/api/resources';
import {
  chooseOperation,
  expectToFit,
  holdResponse,
  loadRecipe,
  OpenPlayground,
  openChat,
  openNewZap,
  openRuns,
  openStage,
  openStories,
  reload,
  showPlace,
  tabTo,
  testInBrowser as test,
  testStep,
  textOfField,
  waitUntilLive,
  writeAs,
} from '../support/browser';
import { count, found, textOf } from '../support/playground-client';
import { fictionalNumber } from '../support/running';
import { writeSeeded } from '../support/seeded';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const playground = new OpenPlayground();

const script = '<img src="x" onerror="document.title = 1"><script>document.title = 2</script> **bold**';

const newestChat = 499;

/** Adds 500 chats with 4 messages each, and 40 in the newest one. */
const addChats = (path: string): void => {
  const file = new Database(path);
  const deliveryFaults = new FaultList<DeliveryFault>(systemRandom);
  const workspaceId = workspaceOnPlan(file, 'advanced');
  const context = { database: file, clock: Date, random: systemRandom, deliveryFaults, url: '', workspaceId };
  file.transaction(() => {
    for (let chat = 0; chat <= newestChat; chat += 1) {
      for (let message = 1; message <= (chat < newestChat ? 4 : 40); message += 1) {
        const from = fictionalNumber(300, chat);
        receiveMessage(context, { from, text: `Message ${message}`, channel: 'whatsapp' });
      }
    }
  });
  file.close();
};

const setTemplate = (path: string): void => {
  const file = new DatabaseSync(path);
  const sql =
    "UPDATE records SET document = json_set(document, '$.body', ?) WHERE kind = 'template' AND document ->> 'name' = 'parcel_sms'";
  file.prepare(sql).run(script);
  file.close();
};

const database = writeSeeded(folder);

beforeAll(() => {
  addChats(database);
  setTemplate(database);
  return Promise.all([playground.start(['--database', database]), playground.launch()]);
});
afterEach(() => expect(playground.takeProblems()).toEqual([]));
afterAll(async () => {
  await playground.close();
  rmSync(folder, { recursive: true, force: true });
});

const messages = (page: Page) => page.getByLabel('Messages');
const result = (page: Page) => page.locator('#result');

const openStep = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name }).click();
  await page.locator('[aria-current="step"]', { hasText: name }).waitFor();
};

/** Chooses from the list of a field. */
const choose = async (page: Page, field: string, choice: string | RegExp): Promise<void> => {
  await page.getByRole('button', { name: field }).click();
  await page.locator('.options').getByRole('button', { name: choice }).click();
  await page.locator('.options').waitFor({ state: 'detached' });
};

/** A message's id: a prefix and signs, or the digits of a number. */
const messageId = message.sample.id.replace(/[^_]+$/, '\\w+');

test('choosing a template swaps the fields, and an empty required field is named and focused', async () => {
  const page = await playground.open();
  await openNewZap(page);
  await openStep(page, '2. Send Template Message');
  await choose(page, 'Channel required', 'WhatsApp');
  const templates = page.getByRole('button', { name: 'Template required' });
  const search = page.getByRole('searchbox', { name: 'Search the choices' });
  for (const close of [() => page.keyboard.press('Escape'), () => templates.click()]) {
    await templates.click();
    await search.waitFor();
    await close();
    await search.waitFor({ state: 'hidden' });
    await page.locator('#choose-template:focus').waitFor();
  }
  await templates.click();
  await search.fill('opening_');
  await page.getByRole('button', { name: 'openingstijden' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Opening hours' }).click();
  await page.locator('.note').getByText('parcel points are open').waitFor();
  await testStep(page);
  await page.getByText('Phone Number is empty.').waitFor();
  await page.locator('#field-to:focus').waitFor();
  await testStep(page);
  await page.locator('#field-to:focus').waitFor();

  await page.keyboard.type('+12025550105');
  await page.keyboard.press('Escape');
  await testStep(page);
  await result(page).getByText('Success').waitFor();
  expect(await page.evaluate("document.querySelector('#result h3').getBoundingClientRect().bottom < innerHeight")).toBe(
    true,
  );
  expect(
    await result(page)
      .getByRole('row', { name: /^Message ID/ })
      .innerText(),
  ).toMatch(new RegExp(`${messageId}\\s+string`));
  const { method, path, status } = endpoints.sendMessage;
  const request = result(page).getByRole('row', { name: `${method} ${path}` });
  expect(await request.innerText()).toMatch(new RegExp(`${status}\\s+\\d+ ms`));

  const to = page.getByRole('textbox', { name: 'Phone Number required' });
  await openStage(page, 'configure');
  await to.fill('12');
  await openStage(page, 'test');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await result(page).getByText('Zapier stops this run (Safely halted).').waitFor();
  expect(await result(page).locator('.failure').getAttribute('title')).toMatch(/^Length: \d+ of the 250 characters/);
  await openStage(page, 'configure');
  expect(await to.getAttribute('aria-invalid')).toBe('true');
});

test('a recipe runs to its end, and its message reaches the phone', async () => {
  const page = await playground.open();
  await loadRecipe(page, recipes[0]?.name ?? '');
  await page.getByText('The Zap is off. Turn it on to run it.').waitFor();
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText('Each one runs the Zap.').waitFor();
  await page.getByLabel('Parcel of the next record').fill('PX-7');
  await page.getByRole('button', { name: 'New Spreadsheet Row', exact: true }).click();
  await openRuns(page, 'Success');
  await page.getByText('Send Template Message: Success').waitFor();
  const [sent] = recipes[0]?.examples[0].outcome.sent ?? [];
  // The tour of an earlier test gives this customer a name.
  await openChat(page, new RegExp(`Noor Visser|\\${sent?.to}`));
  await messages(page)
    .getByText(sent?.text.replace('PX-20418', 'PX-7') ?? '')
    .waitFor();
  await page.locator('#open-stories').click();
  await openStep(page, '2. Send Template Message');
  await page.getByRole('button', { name: 'Channel required WhatsApp' }).waitFor();
});

/**
 * Holds back the response to the page's next call of a path until the returned function is called. It does so within
 * the page: a browser that stops intercepting requests loses one that starts at that moment.
 */
test('the last choice shows when the response to an earlier one is late', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  const release = await holdResponse(page, '/zap/new');
  await page.locator('#open-zaps').click();
  await page.getByRole('button', { name: 'New Zap' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '1. New Inbound Message' }).click();
  await release();
  await page.waitForURL((url) => url.searchParams.get('zap') !== 'zap-1');
  await page.waitForURL(({ search }) => search.startsWith('?zap=zap-1&step=0'));
});

test('edits that wait for a late response are all carried out, and a double click tests once', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/zap/zap-1/1') && sent.push(request.postData() ?? ''));
  const release = await holdResponse(page, '/zap/zap-1/1');
  const parcel = page.getByRole('textbox', { name: 'Parcel Number required' });
  await page.getByRole('textbox', { name: 'Arrival Time required' }).fill('15:45');
  await parcel.fill('PX-late');
  await page.getByRole('button', { name: 'Continue' }).dblclick();
  expect(sent).toHaveLength(1);
  await release();
  await page.getByRole('button', { name: /^Test (step|again)$/ }).dblclick();
  await result(page).getByText('Success').waitFor();
  expect(await textOfField(page, 'field-variable_arrival_time')).toBe('15:45');
  expect(await textOfField(page, 'field-variable_parcel_id')).toBe('PX-late');
  await openStep(page, '1. New Inbound Message');
  for (const action of ['continue', 'test']) {
    expect(sent.filter((body) => body.includes(`action=${action}`))).toHaveLength(1);
  }
});

test('a double click does its work once', async () => {
  const page = await playground.open();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  const { length: zaps } = await page.locator('#zaps .list li').all();
  await page.locator('#open-zaps').click();
  await page.getByRole('button', { name: 'New Zap' }).dblclick();
  await page.locator(`#zaps .list li:nth-child(${zaps + 1}) [aria-current="true"]`).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'New customer' }).click();
  await page.getByRole('button', { name: 'Never reads' }).dblclick();
  await messages(page).getByText('Hello, where is my parcel?').waitFor();
  await page.getByPlaceholder('Write as Omar').waitFor();
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).dblclick();
  await page.getByRole('button', { name: 'Clear failures' }).click();
  await page.getByRole('button', { name: 'Clear failures' }).waitFor({ state: 'hidden' });
  expect(sent).toEqual(['/zap/new', '/phones', '/simulate', '/simulate']);
});

test('a Zap that another tab turns on and off shows so, with its step and what was typed there', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  const parcel = page.getByRole('textbox', { name: 'Parcel Number required' });
  await parcel.fill('PX-typed');
  await playground.post('/zap/zap-1/on');
  await page.locator('#open-start').waitFor();
  await playground.post('/zap/zap-1/off');
  await page.locator('#open-start').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
  await page.locator('[aria-current="step"]', { hasText: '2. ' }).waitFor();
  expect(await textOfField(page, 'field-variable_parcel_id')).toBe('PX-typed');
});

test('500 chats and 2,000 messages come in pages', async () => {
  const page = await playground.open();
  await page.locator('#open-customers').click();
  expect(await page.locator('.chat-link').count()).toBe(30);
  await page.getByRole('button', { name: 'More chats' }).click();
  await page.locator('.chat-link').nth(59).waitFor();
  expect(await page.locator('.chat-link').count()).toBe(60);
  await page.locator('.chat-link', { hasText: fictionalNumber(300, newestChat) }).click();
  await messages(page).getByText('Message 40').waitFor();
  expect(await messages(page).locator('li').count()).toBe(30);
  await page.getByRole('button', { name: 'Earlier messages' }).click();
  await messages(page).getByText('Message 1', { exact: true }).waitFor();
});

test('a step that opens shows its own values, and a sample that is not JSON is named when its field is left', async () => {
  const page = await playground.open();
  const operation = page.locator('#operation');
  const saved = () => page.waitForResponse((response) => response.headers()['hx-retarget'] === '#version');
  await openNewZap(page);
  await chooseOperation(page, 'other');
  await page.locator('#event').fill('Shopify: New Order');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '1. New Order' }).waitFor();
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  await page.locator('#json').fill('{ "id": ');
  await page.keyboard.press('Tab');
  await page.getByText("This isn't valid JSON.").waitFor();
  expect(await page.locator('#json').inputValue()).toBe('{ "id": ');
  await openStep(page, '2. Send Template Message');
  await chooseOperation(page, 'creates.create_contact');
  const isSaved = saved();
  await page.getByRole('textbox', { name: 'First Name' }).fill('Noor');
  await page.keyboard.press('Tab');
  await isSaved;
  await choose(page, 'Consent', 'Opted in');
  await page.locator('#add-step').click();
  await page.locator('#add-app-2').click();
  await openStep(page, '3. ');
  await chooseOperation(page, 'creates.create_contact');
  await page.getByRole('button', { name: 'Consent Choose…' }).waitFor();
  expect(await textOfField(page, 'field-first_name')).toBe('');
  await openStep(page, '1. New Order');
  expect(await operation.inputValue()).toBe('other');
});

test('JSON that is nested too deeply is named at its field, stays there, and its Zap opens again', async () => {
  const page = await playground.open();
  const json = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const field = page.locator('#json');
  const sentence = page.locator('#problem-json').getByText('nested more than 100 levels deep');
  await openNewZap(page);
  await chooseOperation(page, 'other');
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  await field.fill(json);
  await page.keyboard.press('Tab');
  await sentence.waitFor();
  await openStep(page, '2. Send Template Message');
  await reload(page);
  await openStep(page, '1. ');
  await sentence.waitFor();
  expect(await field.inputValue()).toBe(json);
  await field.fill('{"a": 1}');
  await page.keyboard.press('Tab');
  await sentence.waitFor({ state: 'hidden' });
});

test('the address keeps the open chat, step and filters, and Back goes back', async () => {
  const customer = fictionalNumber(814, 1);
  await playground.post('/phones', { from: customer, text: 'Still here?', channel: 'whatsapp' });
  const page = await playground.open('zap=zap-1&step=1');
  await openChat(page, customer);
  await messages(page).getByText('Still here?').waitFor();
  await page.locator('#open-customers:focus').waitFor();
  await openStep(page, '1. New Inbound Message');
  await reload(page);
  await messages(page).getByText('Still here?').waitFor();
  await page.locator('[aria-current="step"]', { hasText: '1. ' }).waitFor();
  await page.goBack();
  await page.locator('[aria-current="step"]', { hasText: '2. ' }).waitFor();
  await messages(page).getByText('Still here?').waitFor();
  await waitUntilLive(page);
  await openStories(page);
  await page.getByLabel('Show').selectOption('event');
  await page.waitForURL((url) => url.searchParams.get('kind') === 'event');
  await reload(page);
  await page.locator('#activity .event').first().waitFor();
  expect(await page.locator('#activity .lines > :not(.event)').count()).toBe(0);
});

/** Elements that no part of the page has, but for the photos of customers. */
const written = 'img:not(.cm-widgetBuffer, [alt^="Photo: "]), script, b';

test('script in a template, a name, a message and an error stays text', async () => {
  const phone = fictionalNumber(814, 2);
  const page = await playground.open();
  await openNewZap(page);
  await openStep(page, '2. Send Template Message');
  await choose(page, 'Channel required', 'SMS');
  await choose(page, 'Template required', /Parcel sms/);
  await page.locator('.note').getByText(script, { exact: true }).waitFor();
  expect(await page.locator(`main :is(${written})`).count()).toBe(0);
  await chooseOperation(page, 'creates.create_contact');
  await page.getByRole('textbox', { name: 'First Name' }).fill(script.slice(0, 60));
  await page.getByRole('textbox', { name: 'Phone Number' }).fill(phone);
  await openStage(page, 'test');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await result(page).getByText('Success').waitFor();
  await page.getByRole('button', { name: 'New customer' }).click();
  await page.getByLabel('Phone number', { exact: true }).fill('<b>1</b>');
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByText(`"<b>1</b>" isn't a complete phone number.`).waitFor();
  await page.getByLabel('Phone number', { exact: true }).fill(phone);
  await page.getByLabel('Message', { exact: true }).fill(script);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await messages(page).getByText(script, { exact: true }).waitFor();
  await page.locator('#open-customers').getByText('<img src=').waitFor();
  expect(await page.title()).toMatch(/^Playground/);
  expect(await page.locator(`main :is(${written})`).count()).toBe(0);
});

test('the keyboard alone builds a Zap and tests its step', async () => {
  const page = await playground.open('zap=zap-1&step=0');
  await page.getByRole('button', { name: 'Simulate' }).click();
  for (const button of ['Use the Growth plan', 'Use the Advanced plan']) {
    await page.getByRole('button', { name: button }).press('Enter');
    await page.getByRole('button', { name: button }).waitFor({ state: 'hidden' });
    await page.locator('#plan:focus').waitFor();
  }
  await page.evaluate("document.body.dataset.loaded = 'once'");
  await page.keyboard.press('Escape');
  await page.getByText('Skip to the Zap').press('Enter');
  await page.locator('#canvas:focus').waitFor();
  await tabTo(page, 'open-zaps');
  await page.keyboard.press('Enter');
  await tabTo(page, 'new-zap');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('zap') !== 'zap-1');
  await tabTo(page, 'step-1');
  await page.keyboard.press('Enter');
  await page.locator('[aria-current="step"]', { hasText: '2. ' }).waitFor();
  await tabTo(page, 'choose-channel');
  await page.keyboard.press('Enter');
  await page.locator('#search-channel:focus').waitFor();
  await page.keyboard.type('WhatsApp');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Channel required WhatsApp' }).waitFor();
  await page.locator('#choose-channel:focus').waitFor();
  await tabTo(page, 'choose-template');
  await page.keyboard.press('Enter');
  await page.locator('#search-template:focus').waitFor();
  await page.keyboard.type('opening_hours');
  await page.getByRole('button', { name: 'Parcel delivered' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.note').getByText('parcel points are open').waitFor();
  await tabTo(page, 'field-to');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('from');
  await page.keyboard.press('Enter');
  await page.locator('#field-to:focus').waitFor();
  expect(await textOfField(page, 'field-to')).toBe('{{1.from}}');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('+12025550105');
  await tabTo(page, 'continue-configure');
  await page.keyboard.press('Enter');
  await page.locator('#stage-test:focus').waitFor();
  await tabTo(page, 'act-test');
  await page.keyboard.press('Enter');
  await result(page).getByText('Success').waitFor();
  await page.locator('#act-test:focus').waitFor();
  expect(await page.locator('body').getAttribute('data-loaded')).toBe('once');
});

test('a customer sends a photo, and the phone shows it', async () => {
  const page = await playground.open();
  await writeAs(page, fictionalNumber(814, 7), 'The box was wet.');
  await page.getByRole('button', { name: 'Photo' }).click();
  const photo = page.getByLabel('Messages').getByRole('img', { name: 'Photo: photo.jpg' });
  await photo.waitFor();
  expect(await photo.evaluate((image) => Number(Reflect.get(image, 'naturalWidth')) > 0)).toBe(true);
  await page.locator('#open-customers').click();
  await page.getByLabel('Chats').getByText('(photo)').first().waitFor();
});

test('a failure of reads waits for the test of a step, and a button refreshes the fields', async () => {
  const page = await playground.open();
  await writeAs(page, fictionalNumber(814, 8), 'Where is it?');
  await openNewZap(page);
  await openStep(page, '2. Send Template Message');
  await chooseOperation(page, 'searches.find_contact');
  await page.getByRole('textbox', { name: 'Phone Number' }).fill(fictionalNumber(814, 8));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByLabel('Failure').selectOption('reads-503');
  await page.getByLabel('How many').fill('1');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const banner = page.getByText('Service unavailable (503) for reads: next 1');
  await banner.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Refresh fields' }).click();
  await page.locator('#act-refresh:focus').waitFor();
  await banner.waitFor();
  await testStep(page);
  await result(page).getByText('Success').waitFor();
  await result(page).getByRole('cell', { name: '503' }).waitFor();
  await banner.waitFor({ state: 'hidden' });
});

/** Opens as many parts of the page as possible, with long and right-to-left texts and an error. */
const openEverything = async (page: Page): Promise<void> => {
  await writeAs(page, fictionalNumber(814, 3), `${'a'.repeat(300)} مرحبا، أين طردي؟`);
  await page.getByRole('button', { name: 'Simulate' }).click();
  await page.getByLabel('Failure').selectOption('writes-503');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const banner = page.getByText('Service unavailable (503) for writes: next 3');
  await banner.waitFor();
  await page.getByRole('button', { name: 'Clear failures' }).click();
  await banner.waitFor({ state: 'hidden' });
  await openNewZap(page);
  await openStep(page, '2. Send Template Message');
  await testStep(page);
  await page.getByText('Channel is empty.').waitFor();
  await page.getByRole('button', { name: 'Channel required' }).click();
  await page.getByRole('searchbox', { name: 'Search the choices' }).waitFor();
  await openStories(page);
  await page.locator('#activity .story .line').first().click();
  await page.locator('#activity .story .lines .line').first().click();
  await page.locator('.details').waitFor();
};

test('a phone and a wide screen, dark and light, have no sideways scrolling, accessibility problem or motion', async () => {
  const page = await playground.open();
  await openEverything(page);
  for (const width of [1440, 1024]) {
    await expectToFit(page, width, 'dark');
    await expectToFit(page, width, 'light');
  }
  await page.setViewportSize({ width: 375, height: 800 });
  for (const place of ['Zap', 'Step', 'Phone', 'Story'] as const) {
    await showPlace(page, place);
    await expectToFit(page, 375, 'dark');
    await expectToFit(page, 375, 'light');
  }
  const moving = `[...document.querySelectorAll('*')].filter((each) =>
    getComputedStyle(each).transitionDuration !== '0s' || getComputedStyle(each).animationName !== 'none').length`;
  expect(await page.evaluate(moving)).toBe(0);
});

test('Zaps, runs and held runs survive a process that is killed, and the page comes back by itself', async () => {
  const runs = '/zap/zap-1/runs';
  const sent = 'Send Template Message: Success';
  const countSent = async () => count(textOf((await playground.get(runs)).html), sent);
  const sentBefore = await countSent();
  const write = async (index: number) => {
    const from = fictionalNumber(815, index);
    return (await playground.post('/phones', { from, text: 'Where is my parcel?', channel: 'whatsapp' })).html;
  };
  const waitFor = (text: string, times: number) =>
    playground.waitFor(runs, (html) => count(textOf(html), text) === times);
  /** In the summary of the runs, and in their list. */
  const waitForRunning = (times: number) =>
    playground.waitFor(runs, (html) => count(html, '"status running"') === times);
  const page = await playground.open();
  const { port } = new URL(playground.url);

  await playground.post('/zap/zap-1/1', { at: '1', 'f.variable_parcel_id': 'PX-kept' });
  await playground.post('/zap/zap-1/on');
  const chat = found(await write(1), /id="write-([^"]+)"/);
  await waitFor(sent, sentBefore + 1);
  expect(textOf((await playground.post('/simulate', { advance: '10000' })).html)).toContain('Clock is 2 h');
  for (const [held, seconds] of [600, 60].entries()) {
    await playground.addFault({ kind: '429', count: 1, path: endpoints.sendMessage.path, retry_after: seconds });
    await write(2 + held);
    await waitFor('Send Template Message: On hold', held + 1);
  }
  await playground.addFault({ kind: 'slow', count: 2, delay_ms: 60_000 });
  const retry = playground.post('/simulate', { advance: '60' }).catch(() => 'stopped');
  await waitForRunning(2);
  await write(4);
  await waitForRunning(3);

  await playground.post('/simulate', { fault: 'writes-503', count: '5' });
  await playground.post('/simulate', { token: 'rotate', plan: 'growth', speed: '10' });

  await playground.stop();
  expect(await retry).toBe('stopped');
  await page.getByText("The playground isn't running.").waitFor();
  await playground.start(['--database', database, '--port', port]);
  await page.getByText("The playground isn't running.").waitFor({ state: 'hidden' });
  await waitUntilLive(page);

  const restored = await playground.waitFor(runs, (html) => textOf(html).includes('The process stopped'));
  expect(count(textOf(restored), 'Send Template Message: Errored The process stopped during this step.')).toBe(2);
  expect(count(textOf(restored), 'Send Template Message: On hold')).toBe(1);
  await playground.post('/simulate', { advance: '600' });
  await waitFor(sent, sentBefore + 2);
  await playground.settled();
  expect(await countSent()).toBe(sentBefore + 2);
  const zap = (await playground.get('/zap/zap-1?step=1')).html;
  expect(zap).toContain('value="PX-kept"');
  expect(textOf(zap)).toContain('Turn off');
  // Nothing else is simulated any more.
  const banner = textOf(found((await playground.get('/simulate')).html, /class="banner"([\s\S]*?)<\/div>/));
  expect(banner).toMatch(/Simulated: Clock is [\w ]+ ahead Back to now $/);
  expect((await playground.get(`/phones?chat=${chat}`)).html).toContain('PX-kept');
  await write(5);
  await waitFor(sent, sentBefore + 3);
  await playground.settled();
  expect(await countSent()).toBe(sentBefore + 3);

  expect(playground.errors()).toBe('');
  // The browser and htmx report the requests that failed meanwhile.
  playground.takeProblems();
});

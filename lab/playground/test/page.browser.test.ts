/** The page as a whole, at each width: what it shows, its windows, and a Zap as a guide. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { endpoints } from '../../../src/api/endpoints';
import { brand } from '../../../src/brand';
import {
  chooseOperation,
  expectToFit,
  expectToFitEverywhere,
  findAccessibilityProblems,
  holdResponse,
  loadRecipe,
  OpenPlayground,
  openChat,
  openNewZap,
  openStories,
  reload,
  screens,
  showPlace,
  testInBrowser as test,
  testStep,
  textOfField,
  usePlayground,
  waitUntilLive,
  writeAs,
} from '../../../test/support/browser';
import { fictionalNumber } from '../../../test/support/running';
import { writeSeeded } from '../../../test/support/seeded';
import { receiveMessage } from '../../sandbox/domain/messages';
import { workspaceOnPlan } from '../../sandbox/domain/workspaces';
import { type DeliveryFault, FaultList } from '../../sandbox/engine/faults';
import { systemRandom } from '../../sandbox/engine/random';
import { Database } from '../../sandbox/store/database';
import { count, found, textOf } from './playground-client';

describe('the page', () => {
  const script = '<img src="x" onerror="document.title = 1"><script>document.title = 2</script> **bold**';

  const newestChat = 499;

  /** Adds 500 chats with 4 messages each, and 40 in the newest one. */
  const addChats = (path: string): void => {
    const file = new Database(path);
    const deliveryFaults = new FaultList<DeliveryFault>(systemRandom);
    const workspaceId = workspaceOnPlan(file, 'advanced');
    const context = {
      database: file,
      clock: Date,
      random: systemRandom,
      deliveryFaults,
      url: '',
      workspaceId,
    };
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

  const playground = usePlayground((database) => {
    addChats(database);
    setTemplate(database);
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
    const options = page.locator('.dropdown .options');
    await options.getByRole('button', { name: choice }).click();
    await options.waitFor({ state: 'detached' });
  };

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
    await page.getByRole('button', { name: /^Opening hours \(/ }).click();
    await page.locator('#preview').getByText('parcel points are open').waitFor();
    await testStep(page);
    await page.getByText('Phone Number is empty.').waitFor();
    await page.locator('#field-to:focus').waitFor();
    await testStep(page);
    await page.locator('#field-to:focus').waitFor();

    await page.keyboard.type('+12025550105');
    await page.keyboard.press('Escape');
    await testStep(page);
    await result(page).getByText('Success').waitFor();
    expect(
      await page.evaluate("document.querySelector('#result h3').getBoundingClientRect().bottom < innerHeight"),
    ).toBe(true);
    const { method, path, status } = endpoints.sendMessage;
    await result(page).getByText('requests').click();
    await result(page)
      .getByText(new RegExp(`^${method} ${path} ${status}, \\d+ ms$`))
      .waitFor();
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
    await page.getByRole('textbox', { name: 'Phone Number required' }).fill('+12025550107');
    await page.getByRole('textbox', { name: 'Answer required' }).fill('Late');
    await page.getByRole('button', { name: 'Continue' }).dblclick();
    expect(sent).toHaveLength(1);
    await release();
    await page.getByRole('button', { name: /^Test (step|again)$/ }).dblclick();
    await result(page).getByText('Success').waitFor();
    expect(await textOfField(page, 'field-to')).toBe('+12025550107');
    expect(await textOfField(page, 'field-variable_answer')).toBe('Late');
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
    await messages(page).getByText('Hello, when are you open?').waitFor();
    await page.getByPlaceholder('Write as Omar').waitFor();
    await page.locator('#open-simulate').click();
    await page.getByRole('button', { name: 'The service is down' }).click();
    await page.getByRole('button', { name: 'Clear failures' }).click();
    await page.getByRole('button', { name: 'Clear failures' }).waitFor({ state: 'hidden' });
    expect(sent).toEqual(['/zap/new', '/phones', '/simulate', '/simulate']);
  });

  test('a Zap that another tab turns on and off shows so, with its step and what was typed there', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await page.getByRole('textbox', { name: 'Answer required' }).fill('Typed');
    await playground.post('/zap/zap-1/on');
    await page.locator('#bar > .pill.on').waitFor();
    await playground.post('/zap/zap-1/off');
    await page.locator('#bar > .pill.on').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    await page.locator('[aria-current="step"]', { hasText: '2. ' }).waitFor();
    expect(await textOfField(page, 'field-variable_answer')).toBe('Typed');
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

  test('a step that opens shows its own values', async () => {
    const page = await playground.open();
    const saved = () => page.waitForResponse((response) => response.headers()['hx-retarget'] === '#version');
    await openNewZap(page);
    await page.locator('#operation').selectOption('other');
    await page.locator('[name="fields-of"][value="other"]').waitFor({ state: 'attached' });
    await openStep(page, '2. Send Template Message');
    await chooseOperation(page, 'creates.create_contact');
    const isSaved = saved();
    await page.getByRole('textbox', { name: 'First Name' }).fill('Noor');
    await page.keyboard.press('Tab');
    await isSaved;
    await choose(page, 'Consent', 'Opted in');
    await page.locator('#add-step').click();
    await page.locator('#add-creates-send_message').click();
    await page.setViewportSize({ width: 1280, height: 500 });
    const fields = `document.querySelector('.stage:not([hidden]) .fields')`;
    await page.evaluate(`${fields}.scrollTop = 100`);
    expect(await page.evaluate(`${fields}.scrollTop`)).toBeGreaterThan(0);
    await openStep(page, '2. ');
    expect(await page.evaluate(`${fields}.scrollTop`)).toBe(0);
    await openStep(page, '3. ');
    await chooseOperation(page, 'creates.create_contact');
    await page.getByRole('button', { name: 'Consent Choose…' }).waitFor();
    expect(await textOfField(page, 'field-first_name')).toBe('');
    await openStep(page, '1. ');
    expect(await page.locator('#operation').inputValue()).toBe('other');
  });

  test('a field that has a style, such as from a screenshot, is replaced without a complaint of the policy', async () => {
    const page = await playground.open();
    for (const width of ['80%', '90%']) {
      await page.getByRole('button', { name: 'Recipes' }).click();
      const field = page.locator('#search-recipes:focus');
      await field.waitFor();
      expect(await field.getAttribute('style')).toBeNull();
      await page.evaluate(`document.querySelector('#search-recipes').style.width = '${width}'`);
      await page.keyboard.press('Escape');
    }
  });

  test('the address keeps the open chat and step, and Back goes back', async () => {
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
  });

  /** Elements that no part of the page has, but for the photos of customers. */
  const written = 'img:not(.cm-widgetBuffer, [src="/assets/logo.svg"], [alt^="Photo: "]), script, b';

  test('script in a template, a name, a message and an error stays text', async () => {
    const phone = fictionalNumber(814, 2);
    const page = await playground.open();
    await openNewZap(page);
    await openStep(page, '2. Send Template Message');
    await choose(page, 'Channel required', 'SMS');
    await choose(page, 'Template required', /Parcel sms/);
    await page.locator('#preview').getByText(script, { exact: true }).waitFor();
    expect(await page.locator(`main :is(${written})`).count()).toBe(0);
    await chooseOperation(page, 'creates.create_contact');
    await page.getByRole('textbox', { name: 'First Name' }).fill(script.slice(0, 60));
    await page.getByRole('textbox', { name: 'Phone Number' }).fill(phone);
    await testStep(page);
    await result(page).getByText('this value has HTML code').waitFor();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('Phone number', { exact: true }).fill('<b>1</b>');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByText(`"<b>1</b>" isn't a complete phone number.`).waitFor();
    await page.getByLabel('Phone number', { exact: true }).fill(phone);
    await page.locator('#new-name').fill(script.slice(0, 60));
    await page.getByLabel('Message', { exact: true }).fill(script);
    await page.getByRole('button', { name: 'Start chat' }).click();
    await messages(page).getByText(script, { exact: true }).waitFor();
    await page.locator('#open-customers').getByText('<img src=').waitFor();
    expect(await page.title()).toMatch(/^Playground/);
    expect(await page.locator(`main :is(${written})`).count()).toBe(0);
  });

  test('two people with one long name are told apart by their numbers, which are never cut', async () => {
    const numbers = [21, 22].map((index) => fictionalNumber(814, index));
    const name = 'Bartholomew-Featherstonehaugh van den Oosterwijk-Langenscheidt';
    for (const from of numbers) await playground.post('/phones', { from, name, text: 'Hello', channel: 'whatsapp' });
    const page = await playground.open();
    const wide = () => Promise.resolve();
    const narrow = () => showPlace(page, 'Phone');
    for (const [width, show] of [
      [1440, wide],
      [390, narrow],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await show();
      await page.locator('#open-customers').click();
      await page.locator('.chat-link', { hasText: numbers[0] }).waitFor();
      const shown = await page.evaluate(`[...document.querySelectorAll('.chat-link')]
        .filter((each) => each.textContent.includes('${name}'))
        .map((each) => {
          const [number, channel] = each.querySelectorAll('small');
          const [right, next] = [number, channel].map((part) => part.getBoundingClientRect());
          return [number.textContent, right.width > 0 && right.right <= next.left];
        })`);
      expect(shown).toEqual(numbers.toReversed().map((number) => [number, true]));
      await page.keyboard.press('Escape');
    }
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

  /** Opens as many parts of the page as possible, with long and right-to-left texts and an error. */
  const openEverything = async (page: Page): Promise<void> => {
    await writeAs(page, fictionalNumber(814, 3), `${'a'.repeat(300)} مرحبا، أين طردي؟`);
    await page.locator('#open-simulate').click();
    await page.getByRole('button', { name: 'The service is down' }).click();
    const banner = page.getByLabel('Simulated').getByText('The service is down');
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
  };

  const tooSmall = `[...document.querySelectorAll('button, input:not([type=hidden]), select, summary, textarea')]
    .filter((each) => each.checkVisibility())
    .filter((each) => { const { width, height } = each.getBoundingClientRect(); return width < 24 || height < 24; })
    .map((each) => each.outerHTML.slice(0, 100))`;

  const zoomedIn = `[...document.querySelectorAll('input:not([type=hidden], [type=checkbox]), select, textarea')]
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 16).length`;

  test('a phone and a wide screen, dark and light, have targets of 24 px, and no sideways scrolling, accessibility problem or motion', async () => {
    const page = await playground.open();
    await openEverything(page);
    for (const width of [1440, 1024]) {
      await expectToFit(page, width, 'dark');
      await expectToFit(page, width, 'light');
    }
    await page.setViewportSize({ width: 375, height: 800 });
    for (const place of ['Zap', 'Step', 'Phone', 'Activity'] as const) {
      await expectToFitEverywhere(page, place);
      expect(await page.evaluate(tooSmall)).toEqual([]);
      expect(await page.evaluate(zoomedIn)).toBe(0);
    }
    const moving = `[...document.querySelectorAll('*')].filter((each) =>
      getComputedStyle(each).transitionDuration !== '0s' || getComputedStyle(each).animationName !== 'none').length`;
    expect(await page.evaluate(moving)).toBe(0);
  });
});

describe('a process that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'playground-'));
  const playground = new OpenPlayground();
  const start = (...options: string[]) => playground.start(['--database', join(folder, 'sandbox.db'), ...options]);

  beforeAll(() => {
    writeSeeded(folder);
    return Promise.all([start(), playground.launch()]);
  });
  afterAll(async () => {
    await playground.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('Zaps and held runs survive a process that is killed, and the page comes back by itself', async () => {
    const write = (index: number) =>
      playground.post('/phones', {
        from: fictionalNumber(815, index),
        text: 'When are you open?',
        channel: 'whatsapp',
      });
    const page = await playground.open();
    const { port } = new URL(playground.url);
    await playground.post('/zap/zap-1/1', { at: '1', 'f.variable_answer': 'Kept over night' });
    await playground.post('/zap/zap-1/on');
    const chat = found((await write(1)).html, /id="write-([^"]+)"/);
    await playground.waitForRun('zap-1', 'Success');
    await playground.post('/simulate', { token: 'rotate' });
    const held = found((await write(2)).html, /id="write-([^"]+)"/);
    await playground.waitForRun('zap-1', 'On hold');
    await playground.post('/simulate', { failure: '503' });

    await playground.stop();
    await page.getByText("The playground isn't running.").waitFor();
    await start('--port', port);
    await page.getByText("The playground isn't running.").waitFor({ state: 'hidden' });
    await waitUntilLive(page);

    // Nothing but time is simulated any more.
    expect((await playground.get('/simulate')).html).not.toMatch(/Clear failures|Connect again/);
    await playground.post('/simulate', { token: 'reconnect' });
    await playground.waitForRun('zap-1', 'Success');
    await playground.settled();
    expect(count((await playground.get(`/phones?chat=${held}`)).html, 'class="bubble theirs"')).toBe(1);
    expect(textOf((await playground.get('/zap/zap-1?step=1')).html)).toContain('Turn off');
    expect((await playground.get(`/phones?chat=${chat}`)).html).toContain('Kept over night');
    expect(playground.errors()).toBe('');
    // The browser and htmx report the requests that failed meanwhile.
    playground.takeProblems();
  });
});

describe('the look', () => {
  const playground = usePlayground();

  test('the first screen has one blue button, and the phone beside or below it at every width', async () => {
    await playground.startOver();
    const page = await playground.open();
    for (const [width, height] of screens) {
      await page.setViewportSize({ width, height });
      await page.locator('.device').waitFor();
      const colors = await page.evaluate<string[]>(
        `['#play', '.send'].map((each) => getComputedStyle(document.querySelector(each)).backgroundColor)`,
      );
      expect(colors[0]).toBe(colors[1]);
    }
  });

  test('the first load is less than 200 KB, compressed', async () => {
    const page = await playground.open();
    const loaded = await page.evaluate<number>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    expect(loaded).toBeGreaterThan(100 * 1024);
    expect(loaded).toBeLessThan(200 * 1024);
  });

  test('what happened lies over the page, which keeps its size, and Escape closes it', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await page.setViewportSize({ width: 1440, height: 900 });
    const heights = () =>
      page.evaluate(`['#canvas', '.device'].map((each) => document.querySelector(each).clientHeight)`);
    const before = await heights();
    await openStories(page);
    expect(await heights()).toEqual(before);
    await page.keyboard.press('Escape');
    await page.locator('#stories').waitFor({ state: 'hidden' });

    await page.setViewportSize({ width: 390, height: 844 });
    await showPlace(page, 'Activity');
    await page.locator('#stories').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator('#stories').waitFor({ state: 'hidden' });
  });

  test('paths begin side by side, and say in words when they are taken', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await loadRecipe(page, 'Google Calendar reminder with Confirm and Cancel');
    await page
      .locator('#step-4')
      .getByText(/^WhatsApp · /)
      .waitFor();
    await page.locator('#step-7').getByText('Answer is yes').waitFor();
    await page.locator('#step-9').getByText('Answer is no').waitFor();
    await page.locator('#step-12').getByText('If no path before it runs').waitFor();
    const tops = await page.evaluate<number[]>(
      `['#step-7', '#step-12'].map((each) => document.querySelector(each).getBoundingClientRect().top)`,
    );
    expect(tops[0]).toBe(tops[1]);
  });

  test('a run on hold says why in full on its card, and so does the line of a phone', async () => {
    await playground.post('/zap/zap-1/on');
    await playground.post('/simulate', { token: 'rotate' });
    await playground.post('/phones', {
      from: fictionalNumber(816, 1),
      text: 'When are you open?',
      channel: 'whatsapp',
    });
    await playground.waitForRun('zap-1', 'On hold');
    const page = await playground.open('zap=zap-1&step=1');
    const isWhole = (part: string) =>
      page.evaluate(`{
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('${part}');
        scrollWidth <= clientWidth && scrollHeight <= clientHeight;
      }`);
    const why = 'On hold, and nothing was sent: The API token is missing, invalid or expired';
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.locator('#step-1').getByText(why).waitFor();
      expect(await isWhole('#step-1 .line')).toBe(true);
    }
    // The step and the reason are left out of no line, and the tab leads to the list.
    expect((await page.locator('.story-line .beat:last-child .beat-text').boundingBox())?.width).toBeGreaterThan(180);
    expect(await page.locator('#open-stories').isVisible()).toBe(false);
    await playground.post('/simulate', { token: 'reconnect' });
    await playground.settled();
    await playground.post('/zap/zap-1/off');
  });

  test('a problem below a field is red, and no stop follows it', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await page.locator('#field-to').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('12');
    await page.locator('#preview-to .problem').waitFor();
    const [color, red, after] = await page.evaluate<string[]>(`{
      const problem = document.querySelector('#preview-to .problem');
      const sample = document.createElement('p');
      sample.className = 'failure';
      document.body.append(sample);
      const red = getComputedStyle(sample).color;
      sample.remove();
      [getComputedStyle(problem).color, red, getComputedStyle(problem.parentElement, '::after').content];
    }`);
    expect([color, after]).toEqual([red, 'none']);
  });

  test('on a narrow screen the menu has Simulate, and the name of the Zap is whole', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(
      await page.evaluate(`{ const t = document.querySelector('#zap-title'); t.scrollWidth <= t.clientWidth; }`),
    ).toBe(true);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.locator('#menu-simulate').click();
    await page.getByLabel('What to simulate').waitFor();
  });

  test('arrows open a dropdown, walk the parts of a form, and lead from the search to the recipes', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByText('Skip to the Zap').press('Enter');
    await page.locator('#canvas:focus').waitFor();
    await page.locator('#choose-channel').press('ArrowDown');
    await page.locator('#search-channel:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#stage-configure').press('ArrowRight');
    await page.locator('#stage-test:focus').press('ArrowLeft');
    await page.locator('#stage-configure:focus').waitFor();
    await page.locator('#open-recipes').press('Enter');
    await page.locator('#search-recipes:focus').fill('order');
    await page.keyboard.press('ArrowDown');
    await page.locator('.recipe:focus').waitFor();
  });
});

describe('the windows of other apps', () => {
  const playground = usePlayground();

  const openSheet = async () => {
    const page = await playground.open();
    // The Zap that was open before may have the same windows.
    const before = await page.locator('#windows').getAttribute('hx-get');
    await loadRecipe(page, 'Message for each new row');
    await page.locator(`#windows:not([hx-get="${before}"])`).waitFor({ state: 'attached' });
    await page.getByText('The Zap is off. Turn it on to run it.').waitFor();
    return page;
  };

  test('a row that a person adds runs a Zap that is on, and reaches the phone of the customer', async () => {
    const page = await openSheet();
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.getByText('Each one runs the Zap.').waitFor();
    await page.getByLabel('Parcel of the next record').fill('PX-777');
    await page.getByRole('button', { name: 'New Spreadsheet Row', exact: true }).press('Enter');
    await page.locator('.records tr', { hasText: 'A-1043' }).getByText('The Zap ran').waitFor({ state: 'attached' });
    await page.locator('.story-line').getByText('New Spreadsheet Row in Google Sheets: A-1043').waitFor();
    expect(await page.getByLabel('Order of the next record').inputValue()).toBe('A-1044');
    // Nobody has to look for the customer who got it.
    await page.locator('.messages .theirs', { hasText: 'PX-777' }).waitFor();
    const title = page.locator('.window-title', { hasText: 'Google Sheets' });
    await title.press('Enter');
    await page.locator('#add-record').waitFor({ state: 'hidden' });
    await title.click();
    await expectToFitEverywhere(page, 'Phone', () => page.locator('#windows').waitFor());
  });

  test('the next row that a person types while one is added is kept', async () => {
    const page = await openSheet();
    const address = (await page.locator('#windows').getAttribute('hx-get')) ?? '';
    const name = page.getByLabel('Name of the next record');
    await name.fill('Ada Test');
    const release = await holdResponse(page, `${address}/records`);
    await page.keyboard.press('Enter');
    await page.keyboard.type('Max');
    await release();
    await page.locator('.records td', { hasText: 'Ada Test' }).waitFor();
    await page.keyboard.type(' Test');
    expect(await name.inputValue()).toBe('Max Test');
    await page.keyboard.press('Enter');
    await page.locator('.records td', { hasText: 'Max Test' }).waitFor();
  });

  /** How much of a part is outside of what scrolls it, in pixels above and below. */
  const hiddenOf = (page: Page, part: string, around: string): Promise<number[]> =>
    page.evaluate<number[]>(`{
      const [own, outer] = ['${part}', '${around}'].map((each) => [...document.querySelectorAll(each)].at(-1).getBoundingClientRect());
      [outer.top - own.top, own.bottom - outer.bottom].map((each) => Math.max(0, Math.round(each)));
    }`);

  test('a recipe begins with what to watch out for, and its run ends with its outcome on the canvas and in the line', async () => {
    const page = await playground.open('zap=zap-1&step=1');
    await page.setViewportSize({ width: 1440, height: 900 });
    await loadRecipe(page, 'Google Calendar reminder with Confirm and Cancel');
    await page.evaluate(`document.querySelector('#canvas').scrollTo(0, 9999)`);
    expect(await hiddenOf(page, '.canvas-note', '#canvas')).not.toEqual([0, 0]);
    await loadRecipe(page, 'Google Calendar reminder with Confirm and Cancel');
    expect(await hiddenOf(page, '.canvas-note', '#canvas')).toEqual([0, 0]);
    // A customer who has no message yet sees who will sign the first one.
    await page.locator('#step-4').click();
    await page.locator('.device-header').getByText('Lakeside Dental').waitFor();
    await page.locator('#step-8').click();
    await page.locator('.device-header').getByText('Harbor Parcels').waitFor();

    await page.locator('#switch').click();
    await page.getByText('Each one runs the Zap.').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await showPlace(page, 'Phone');
    await page.locator('#add-record-button').click();
    await page.locator('[id^="press-"]', { hasText: 'Cancel' }).last().click();
    await page.locator('#skip-wait').click();
    await playground.settled();
    await page.locator('.story-line').getByText('Channel Message sent in Slack').waitFor();
    await showPlace(page, 'Zap');
    expect(await hiddenOf(page, '#step-11', '#canvas')).toEqual([0, 0]);

    // The parts of a story lie below each other.
    await showPlace(page, 'Activity');
    const lefts = await page.evaluate<number[]>(
      `[...document.querySelectorAll('#stories .story:first-child .beat-icon')].map((each) => each.getBoundingClientRect().left)`,
    );
    expect([lefts.length, new Set(lefts).size]).toEqual([7, 1]);

    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const [shown, whole] = await page.evaluate<number[]>(`{
        const { clientWidth, scrollWidth } = document.querySelector('.story-line .beat:last-child .beat-text');
        [clientWidth, scrollWidth];
      }`);
      expect([width, shown]).toEqual([width, whole]);
      // Every path can be scrolled to.
      await page.locator('#step-7').scrollIntoViewIfNeeded();
      expect((await page.locator('#step-7').boundingBox())?.x).toBeGreaterThanOrEqual(0);
    }
    await playground.post('/simulate', { clock: 'now' });
  });

  test('on a phone, the tab with the windows counts an approval that waits', async () => {
    const page = await playground.open();
    await loadRecipe(page, 'AI drafts an answer');
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await showPlace(page, 'Zap');
    await page.getByRole('button', { name: 'Simulate this event' }).click();
    await page.locator('#windows .asks').waitFor({ state: 'attached' });
    await page.locator('#tabs [data-tab="phone"] .unread').getByText('1').waitFor();
  });
});

describe('the guide', () => {
  const playground = usePlayground();

  test('a click copies the Zap as steps, also those that nobody opened', async () => {
    const page = await playground.open('zap=zap-1');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Copy as a guide' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('# Send the opening hours\n');
    expect(copied).toContain(`2. Action: ${brand.name}, Send Template Message\n   - Channel: WhatsApp\n`);
    expect(copied).toContain('   - Answer: We are open until 21:00, on Saturdays too.\n');
    expect(copied).toContain('   - Phone Number: [1. From Number]\n');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.locator('#guide-markdown').waitFor({ state: 'hidden' });
    await page.locator('#open-zap-menu:focus').waitFor();
  });

  test('without a clipboard, the guide is selected to copy by hand', async () => {
    const page = await playground.open('zap=zap-1');
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('Denied'))");
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Copy as a guide' }).press('Enter');
    await page.locator('#guide-markdown:focus').waitFor();
    await page.getByText('Select the text and copy it').waitFor();
    expect(await page.evaluate<string>('getSelection().toString()')).toContain('1. Trigger: ');
  });
});

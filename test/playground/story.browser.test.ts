/** What a person does with stories, tabs and chats, on wide and narrow screens. */
import type { Page } from 'playwright-core';
import { recipes } from '../../recipes';
import { findAccessibilityProblems, OpenPlayground, reload, testInBrowser as test, writeAs } from '../support/browser';
import { found } from '../support/playground-client';
import { fictionalNumber } from '../support/running';

const playground = new OpenPlayground();
beforeAll(() => Promise.all([playground.start(), playground.launch()]));
afterEach(async () => {
  await playground.post('/simulate', { clear: 'faults', plan: 'advanced' });
  expect(playground.takeProblems()).toEqual([]);
});
afterAll(() => playground.close());

const narrow = { width: 375, height: 800 };
const wide = { width: 1440, height: 900 };

const open = async (size: typeof wide, query = ''): Promise<Page> => {
  const page = await playground.open(query);
  await page.setViewportSize(size);
  return page;
};

const tab = (page: Page, name: string) => page.locator('#tabs button', { hasText: name });

/** Turns on the Zap that the first screen shows, which answers customers who write about a parcel. */
const turnOnFirst = () => playground.post('/zap/zap-1/on');

const ask = async (from: string, text = 'Where is my parcel?'): Promise<string> => {
  const { html } = await playground.post('/phones', { from, text, channel: 'whatsapp' });
  return found(html, /id="write-([^"]+)"/);
};

const isInView = (page: Page, selector: string) =>
  page.evaluate(`{
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    top >= 0 && bottom <= innerHeight;
  }`);

/** The links of the chain that are done. */
const chain = (page: Page) => page.locator('.chain .done');

test('the first screen plays a question and its answer, and its doors are ticked as they happen', async () => {
  const page = await open(narrow);
  const play = page.getByRole('button', { name: 'See a customer ask and get an answer' });
  expect(await isInView(page, '#play')).toBe(true);
  expect(await chain(page).count()).toBe(0);
  await play.click();
  await page.locator('.chain .done', { hasText: 'The customer reads it' }).waitFor();
  expect(await chain(page).count()).toBe(5);
  await page.locator('.said').getByText('Your parcel PX-20418 arrives today at about 14:30.').waitFor();
  expect(await isInView(page, '.chain')).toBe(true);
  await tab(page, 'Phone').getByText('new').waitFor();

  await page.getByRole('button', { name: 'Change the text' }).click();
  await page.locator('#field-variable_arrival_time:focus').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('16:45');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: '✓ Change the text' }).waitFor();
  await play.click();
  await page.locator('.said').getByText('arrives today at about 16:45.').waitFor();

  const fail = page.getByRole('button', { name: 'See it fail' });
  await fail.click();
  await page.getByText('The service answers 503. Trying again …').waitFor();
  expect(await chain(page).last().innerText()).toContain('The Zap starts');
  // A second press doesn't start a second run, or fail more requests.
  await fail.click();
  await page.locator('#runs summary').getByText('3 runs').waitFor();
  await page.locator('.guide .problem').waitFor();
  await page.getByRole('button', { name: '✓ See it fail' }).waitFor();
  await page.getByRole('status', { name: 'Simulated' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Repair it' }).press('Enter');
  await page.locator('.chain .done', { hasText: 'The customer reads it' }).waitFor();
  await page.locator('.guide .problem').waitFor({ state: 'hidden' });
  await page.locator('#play:focus').waitFor();
  await playground.settled();
  expect(await page.locator('#runs .runs > li').count()).toBe(3);

  await page.getByRole('button', { name: 'Build your own' }).click();
  await page.locator('#guide').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Show the tour' }).click();
  await page.getByRole('button', { name: '✓ Build your own' }).waitFor();
});

test('Show the tour closes the recipes and shows the tour', async () => {
  const page = await open(wide, 'zap=zap-1');
  await page.locator('#recipes > summary').click();
  await page.locator('.card').last().scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Show the tour' }).click();
  await page.locator('.card').first().waitFor({ state: 'hidden' });
  expect(await isInView(page, '#guide')).toBe(true);
});

test('a narrow screen begins with the Zap, and a message that arrives shows on the tab of the phone', async () => {
  const page = await open(narrow, 'zap=zap-1');
  await turnOnFirst();
  expect(await page.locator('#zap').isVisible()).toBe(true);
  expect(await page.locator('#phones').isVisible()).toBe(false);
  await ask(fictionalNumber(818, 1));
  await tab(page, 'Phone').getByText('1 new').waitFor();
  await tab(page, 'Activity')
    .getByText(/\d+ new/)
    .waitFor();
  await tab(page, 'Activity').click();
  await page.locator('#activity .story').first().waitFor();
  await tab(page, 'Activity').getByText('new').waitFor({ state: 'hidden' });
  await page.waitForURL((url) => url.searchParams.get('tab') === 'activity');
  await reload(page);
  await page.locator('#activity .story').first().waitFor();
  expect(await page.locator('#zap').isVisible()).toBe(false);
});

test('a story opens by keyboard, part by part, and leads to the bubble', async () => {
  const page = await open(narrow);
  await turnOnFirst();
  const customer = fictionalNumber(818, 2);
  await ask(customer, '<b>Where</b> is my parcel?');
  await tab(page, 'Activity').press('Enter');
  const story = page.locator('.story', { hasText: `${customer} asked → Send the delivery time ran → answered, ` });
  await story.locator('.line').first().press('Enter');
  await story.locator('.run .line').press('Enter');
  await story.locator('.run .details').getByText('"Idempotent-Replayed"').first().waitFor();
  await story.getByText('<b>Where</b>').first().waitFor();
  expect(await page.locator('main b').count()).toBe(0);
  await story.getByRole('button', { name: 'Show on the phone' }).press('Enter');
  await page.locator('.bubble.linked').getByText('Your parcel PX-20418 arrives').waitFor();
  await page.locator('#phones:focus').waitFor();
  expect(await isInView(page, '.bubble.linked')).toBe(true);
});

test('an open chat tells of a message to another customer, and leads to it', async () => {
  const page = await open(wide, 'zap=zap-1');
  await turnOnFirst();
  await writeAs(page, fictionalNumber(818, 7), 'Hello');
  const other = fictionalNumber(818, 8);
  await ask(other);
  await page
    .locator('.arrived', { hasText: `New message for ${other}` })
    .getByRole('button', { name: 'Show' })
    .click();
  await page.locator('.bubble.theirs').getByText('Your parcel PX-20418').waitFor();
  await page.locator('.phone h3').getByText(other).waitFor();
  await page.locator('.arrived').waitFor({ state: 'hidden' });
});

test('Enter sends in a chat, and Shift+Enter starts a new line', async () => {
  const page = await open(wide);
  await writeAs(page, fictionalNumber(818, 3), 'Hello');
  await page.getByPlaceholder('Write as this customer').click();
  await page.keyboard.type('First line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('Second line');
  await page.keyboard.press('Enter');
  const bubble = page.locator('.bubble.mine p', { hasText: 'First line' });
  await bubble.waitFor();
  expect(await bubble.innerText()).toBe('First line\nSecond line');
  expect(await page.getByPlaceholder('Write as this customer').inputValue()).toBe('');
});

test('a customer writes three lines in a row, and opts out', async () => {
  const page = await open(wide, 'zap=zap-1');
  const customer = fictionalNumber(818, 6);
  await turnOnFirst();
  await writeAs(page, customer, 'Hello');
  await page.getByRole('button', { name: 'Write three lines in a row' }).click();
  await page.locator('.bubble.mine').nth(3).waitFor();
  await page.locator('.bubble.theirs').getByText('Your parcel PX-20418').waitFor();
  const optedOut = page.waitForResponse((response) => response.url().includes('/phones/acts'));
  await page.getByRole('button', { name: 'Opt out of messages' }).click();
  await optedOut;
  await ask(customer);
  await page.locator('#runs summary').getByText('Safely halted').waitFor();
  await playground.settled();
  expect(await page.locator('.bubble.theirs').count()).toBe(1);
});

test('the gallery shows every recipe with its apps, loads one by keyboard and closes', async () => {
  const page = await open(narrow);
  await page.locator('#recipes > summary').press('Enter');
  const cards = page.locator('.card');
  expect(await cards.count()).toBe(recipes.length);
  await cards.first().getByText('Google Sheets', { exact: true }).waitFor({ state: 'attached' });
  await cards.first().getByText('Watch out:').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findAccessibilityProblems(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Load Opt out people who write STOP' }).press('Enter');
  await page.locator('#runs h3').getByText('STOP').waitFor();
  await cards.first().waitFor({ state: 'hidden' });
});

const heightOf = (page: Page, selector: string) =>
  page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().height`);

const styleOf = (page: Page, selector: string, name: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`);

test('the header is one row, and each step has the same margin, on a phone and a tablet', async () => {
  const page = await open(narrow, 'zap=zap-1&step=0');
  const margin = await styleOf(page, '#zap', 'paddingLeft');
  for (const width of [375, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await heightOf(page, 'body > header')).toBeLessThan(50);
  }
  await page.locator('#step-1').click();
  await page.locator('#message-phone').waitFor();
  for (const width of [375, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await styleOf(page, '#zap', 'paddingLeft')).toBe(margin);
  }
});

test('the link that skips to the Zap covers what is below it', async () => {
  const page = await open(wide);
  await page.keyboard.press('Tab');
  await page.locator('.skip:focus').waitFor();
  expect(await styleOf(page, '.skip', 'backgroundColor')).toBe(await styleOf(page, 'html', 'backgroundColor'));
});

test('each simulation has a banner with its way back', async () => {
  const page = await open(wide);
  await page.getByText('Simulate failures and time').click();
  const banner = page.getByRole('status', { name: 'Simulated' });
  for (const [start, shown, back] of [
    ['1 hour', 'Clock is 1 h', 'Back to now'],
    ['60×', '60 times faster', 'Back to now'],
    ['Add', 'Too many requests (429)', 'Clear failures'],
    ['Rotate the API token', 'The API token was rotated', 'Connect again'],
    ['Use the Growth plan', 'on the Growth plan', 'Back to Advanced'],
  ] as const) {
    await page.getByRole('button', { name: start, exact: true }).click();
    await banner.getByText(shown).waitFor();
    await banner.getByRole('button', { name: back }).click();
    await banner.getByText(shown).waitFor({ state: 'hidden' });
  }
});

test('a failed run goes on by a click', async () => {
  const page = await open(wide, 'zap=zap-1');
  await turnOnFirst();
  await playground.addFault({ kind: '503', count: 1000, requests: 'writes', user_agent: 'Zapier' });
  await ask(fictionalNumber(818, 4));
  await page.locator('#runs summary').getByText('Errored').click();
  await playground.post('/simulate', { clear: 'faults' });
  await page.getByRole('button', { name: 'Replay as Autoreplay would' }).click();
  await page.locator('#runs summary').getByText('Success').waitFor();
  await page.getByRole('button', { name: 'Replay as Autoreplay would' }).waitFor({ state: 'hidden' });
});

const tooSmall = `[...document.querySelectorAll('button, input:not([type=hidden]), select, summary, textarea')]
  .filter((each) => each.checkVisibility())
  .filter((each) => { const { width, height } = each.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((each) => each.outerHTML.slice(0, 100))`;

const zoomedIn = `[...document.querySelectorAll('input:not([type=hidden], [type=checkbox]), select, textarea')]
  .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 16).length`;

test('stories and tabs have targets of 24 px, no sideways scrolling and no accessibility problem', async () => {
  const page = await open(wide);
  await turnOnFirst();
  const customer = fictionalNumber(818, 5);
  const chat = await ask(customer, `${'a'.repeat(300)} parcel مرحبا`);
  await page.goto(`${playground.url}/?count=8&chat=${chat}&customer=${encodeURIComponent(customer)}`);
  await page.locator('.story .line').first().click();
  await page.locator('.story .run .line').click();
  await page.locator('.story .run .details').waitFor();
  await page.getByText('Simulate failures and time').click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(wide);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.setViewportSize(narrow);
    for (const name of ['Zap', 'Phone', 'Activity']) {
      await tab(page, name).click();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate(tooSmall)).toEqual([]);
      expect(await page.evaluate(zoomedIn)).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width);
    }
  }
});

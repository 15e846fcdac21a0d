/** The page as a visitor first uses it: the tour, phones, stories and recipes, and the preview beside a form. */

import type { Page } from 'playwright-core';
import {
  expectToFitEverywhere,
  findAccessibilityProblems,
  openStage,
  reload,
  showPlace,
  testInBrowser as test,
  textOfField,
  usePlayground,
  writeAs,
} from '../../../test/support/browser';
import { fictionalNumber } from '../../../test/support/running';
import { recipes } from '../../recipes';
import { found } from './playground-client';

describe('the page of a visitor', () => {
  const playground = usePlayground();

  const narrow = { width: 375, height: 800 };
  const wide = { width: 1440, height: 900 };

  const open = async (size: typeof wide, query = ''): Promise<Page> => {
    const page = await playground.open(query);
    await page.setViewportSize(size);
    return page;
  };

  const tab = (page: Page, name: string) => page.locator('#tabs button', { hasText: name });

  /** Turns on the Zap that the first screen shows, which answers customers who ask when the shop is open. */
  const turnOnFirst = () => playground.post('/zap/zap-1/on');

  const ask = async (from: string, text = 'When are you open?'): Promise<string> => {
    const { html } = await playground.post('/phones', { from, text, channel: 'whatsapp' });
    return found(html, /id="write-([^"]+)"/);
  };

  test('the tour plays on the real parts, fails, is repaired, and ends when a person touches something', async () => {
    await playground.startOver();
    const page = await open(wide);
    await page.getByRole('button', { name: 'See a customer ask and get an answer' }).click();
    const strip = page.locator('#guide');
    await strip.getByText(/^Noor read the answer \d+ seconds? after she asked$/).waitFor();
    await page.locator('#messages .theirs').getByText('We are open until 21:00, on Saturdays too.').waitFor();
    await page.locator('#preview').getByText('Preview of step 2').waitFor();
    expect(await strip.locator('.doors button').allInnerTexts()).toEqual([
      'Change the text',
      'See it fail',
      'Build your own',
    ]);

    await strip.getByRole('button', { name: 'See it fail' }).click();
    await strip.getByText('The messaging service is down', { exact: true }).waitFor();
    await page.locator('.story-line').getByText('The messaging service is down. Trying again').waitFor();
    await page.locator('.step-card.running').waitFor();
    await strip.getByText('The run stopped, and Noor got nothing').waitFor();
    await page.locator('.step-card.failed').click();
    await page.locator('#result.error').waitFor();
    await strip.getByRole('button', { name: 'Repair it' }).press('Enter');
    await strip.getByText('Noor got one message').waitFor();
    await page.locator('#result.success').waitFor();
    await page
      .locator('.story-line')
      .getByText(/^failed at \d\d:\d\d, repeated by Zapier, sent 1 message$/)
      .waitFor();

    await strip.getByRole('button', { name: 'Change the text' }).click();
    await page.locator('#field-variable_answer:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('We are open until 22:00.');
    await page.keyboard.press('Tab');
    await strip.waitFor({ state: 'hidden' });
    await page.locator('#bar').getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Show the tour' }).click();
    await page.locator('#play').click();
    await page.getByRole('button', { name: 'Done: Change the text' }).waitFor();
    await page.getByRole('button', { name: 'Close the tour' }).click();
    await strip.waitFor({ state: 'hidden' });
    await page.locator('#bar').getByText('Off', { exact: true }).waitFor();
  });

  test('a narrow screen begins with the Zap, and a message that arrives shows on the tab of the phone', async () => {
    const page = await open(narrow, 'zap=zap-1');
    await turnOnFirst();
    expect(await page.locator('#canvas').isVisible()).toBe(true);
    expect(await page.locator('#phones').isVisible()).toBe(false);
    await ask(fictionalNumber(818, 1));
    await tab(page, 'Phone')
      .getByText(/\d+ new/)
      .waitFor();
    await tab(page, 'Activity')
      .getByText(/\d+ new/)
      .waitFor();
    await tab(page, 'Phone').click();
    await page.locator('#open-customers').click();
    const unread = page.locator('.chat-link .unread').first();
    expect((await unread.boundingBox())?.width).toBeLessThan(30);
    await page.keyboard.press('Escape');
    await tab(page, 'Activity').click();
    await page.locator('#stories .story').first().waitFor();
    await tab(page, 'Activity').getByText('new').waitFor({ state: 'hidden' });
    await page.waitForURL((url) => url.searchParams.get('tab') === 'story');
    await reload(page);
    await page.locator('#stories .story').first().waitFor();
    expect(await page.locator('#canvas').isVisible()).toBe(false);
  });

  test('a run of a story shows on the canvas by keyboard, and its result leads to the bubble', async () => {
    const page = await open(narrow, 'zap=zap-1');
    await turnOnFirst();
    const customer = fictionalNumber(818, 2);
    await ask(customer, '<b>When</b> are you open?');
    await tab(page, 'Activity').press('Enter');
    const story = page.locator('.story', { hasText: '<b>When</b> are you open?' });
    await story.locator('.beat', { hasText: 'Message sent' }).waitFor();
    expect(await page.locator('main b').count()).toBe(0);
    await story.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    await page.locator('#canvas:focus').waitFor();
    await page.locator('#step-1.passed').waitFor();
  });

  test('Enter sends in a chat, and Shift+Enter starts a new line', async () => {
    const page = await open(wide);
    await writeAs(page, fictionalNumber(818, 3), 'Hello');
    await page.getByLabel('Message from the customer').click();
    await page.keyboard.type('First line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Second line');
    await page.keyboard.press('Enter');
    const bubble = page.locator('.bubble.mine p', { hasText: 'First line' });
    await bubble.waitFor();
    expect(await bubble.innerText()).toBe('First line\nSecond line');
    expect(await page.getByLabel('Message from the customer').inputValue()).toBe('');
  });

  test('the recipes are searched, show their apps, and one loads by keyboard and says what to watch out for', async () => {
    const page = await open(narrow, 'zap=zap-1');
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Recipes' }).press('Enter');
    await page.locator('#search-recipes:focus').waitFor();
    const cards = page.locator('.card:not([hidden])');
    expect(await cards.count()).toBe(recipes.length);
    await cards.first().getByText('With Google Sheets').waitFor({ state: 'attached' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await page.locator('#open-zap-menu:focus').press('Enter');
    await page.getByRole('button', { name: 'Recipes' }).press('Enter');
    await page.getByRole('button', { name: 'Appointments' }).click();
    expect(await cards.count()).toBeLessThan(recipes.length);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.locator('#search-recipes').fill('appointment reminder');
    expect(await cards.count()).toBe(2);
    await page.locator('#search-recipes').fill('write stop');
    expect(await cards.count()).toBe(1);
    await page.getByRole('button', { name: 'Load Opt out people who write STOP' }).press('Enter');
    await page.locator('#zap-title').getByText('STOP').waitFor();
    await page.locator('#dialog').waitFor({ state: 'hidden' });
    await page.getByText('Watch out:').waitFor();
  });

  test('the page is a bar, a canvas, a panel and a phone, a rail of icons on a tablet, and one place at a time on a phone', async () => {
    const page = await open(wide, 'zap=zap-1&step=1');
    const shown = async () => {
      const widths = ['#canvas', '#panel', '#phones'].map((place) => page.locator(place).boundingBox());
      return (await Promise.all(widths)).map((box) => box?.width ?? 0);
    };
    expect(await shown()).toEqual([636, 432, 372]);
    expect((await page.locator('#bar').boundingBox())?.height).toBe(52);
    await page.setViewportSize({ width: 1024, height: 768 });
    expect((await shown())[0]).toBe(84);
    await page.locator('#step-0').click();
    await page.locator('#step-title').getByText('New Inbound Message').waitFor();
    await page.setViewportSize(narrow);
    for (const [place, widths] of [
      ['Zap', [375, 0, 0]],
      ['Step', [0, 375, 0]],
      ['Phone', [0, 0, 375]],
      ['Activity', [0, 0, 0]],
    ] as const) {
      await showPlace(page, place);
      expect(await shown()).toEqual(widths);
    }
    await showPlace(page, 'Zap');
    await page.locator('#step-1').click();
    await page.locator('#step-title').getByText('Send Template Message').waitFor();
  });
});

describe('the preview', () => {
  const playground = usePlayground();

  const phone = (page: Page) => page.getByRole('region', { name: 'What the customer sees' });
  const bubble = (page: Page) => phone(page).locator('.bubble.theirs');

  /** Opens the second step of a new Zap whose first one gives a name, a time and a phone number. */
  const openForm = async (form: Record<string, string> = {}): Promise<Page> => {
    const zap = await playground.newZap();
    await playground.fill(zap, 0, { operation: 'other' });
    const json = JSON.stringify({ Parcel: 'PX-7', Time: '2:30 pm', Phone: '+12025550123' });
    await playground.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': json });
    await playground.fill(zap, 1, { 'f.channel': 'whatsapp', 'f.template': 'parcel_out_for_delivery', ...form });
    return playground.open(`zap=${zap}&step=1`);
  };

  test('the phone follows what a person types, before it is saved', async () => {
    const page = await openForm();
    await bubble(page).getByText('Parcel Number', { exact: true }).waitFor();
    await phone(page).getByText('WhatsApp').waitFor();
    await phone(page).getByText('Phone Number').waitFor();

    await page.getByRole('textbox', { name: 'Parcel Number required' }).focus();
    await page.keyboard.type('PX-1 <b>مرحبا</b>');
    await bubble(page).getByText('Your parcel PX-1 <b>مرحبا</b> arrives today at about Arrival Time.').waitFor();
    expect(await bubble(page).locator('b').count()).toBe(0);
    expect(await textOfField(page, 'field-variable_parcel_id')).toBe('PX-1 <b>مرحبا</b>');
    await page.locator('#field-variable_parcel_id:focus-within').waitFor();
    await expectToFitEverywhere(page, 'Phone');
    await reload(page);
    expect(await bubble(page).innerText()).toContain('PX-1 <b>مرحبا</b>');
  });

  test('a value from right to left is where it arrives', async () => {
    const page = await openForm({
      'f.variable_parcel_id': 'طرد PX-1',
      'f.variable_arrival_time': '14:30',
      'f.to': '+12025550106',
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    const placesIn = (bubble: string) =>
      page.evaluate<boolean>(`{
        const [text] = [...document.querySelectorAll('${bubble} p')].filter((each) => each.textContent.includes('PX-1'));
        const leftOf = (words) => {
          const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const at = walker.currentNode.data.indexOf(words);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + words.length);
            return range.getBoundingClientRect().left;
          }
        };
        leftOf('PX-1') > leftOf('طرد');
      }`);
    const previewed = await placesIn('#preview');
    await openStage(page, 'test');
    await page.locator('#act-test').click();
    await page.locator('.messages .theirs', { hasText: 'PX-1' }).waitFor();
    expect([previewed, await placesIn('.messages .theirs')]).toEqual([true, true]);
  });

  test('a screen reader hears a message of the Zap once, and not what becomes of it', async () => {
    const parcel = { 'f.variable_parcel_id': 'PX-9', 'f.variable_arrival_time': '14:30' };
    const page = await openForm({ ...parcel, 'f.to': '+12025550105' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(`{
      window.heard = [];
      const live = document.querySelector('#announced');
      const hear = () => heard.push(live.textContent);
      new MutationObserver(hear).observe(live, { childList: true, characterData: true, subtree: true });
    }`);
    await openStage(page, 'test');
    await page.locator('#act-test').click();
    await page.locator('.messages .theirs', { hasText: 'PX-9' }).locator('.ticks.delivered').waitFor();
    expect(await page.evaluate('heard')).toEqual(['Your Zap: Your parcel PX-9 arrives today at about 14:30.']);
    expect(await page.locator('#messages[aria-live]').count()).toBe(0);
  });
});

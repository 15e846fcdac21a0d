import '../../zapier/quiet-core';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { startPlayground } from '../../playground/playground';
import { recipes } from '../../recipes';
import { hasBrowser, launchBrowser } from '../browser';

const picturesFolder = join(__dirname, '../../docs/pictures');

type Name = 'overview' | 'recipe' | 'chat' | 'form';

const screen = { width: 1200, height: 760 };

/** The share of pixels that may differ between two runs. Ids and the order of events differ, but the form has none. */
const maxDifference: Record<Name, number> = { overview: 0.03, recipe: 0.03, chat: 0.03, form: 0.001 };

const isSimilar = (name: Name, before: Buffer, after: Buffer): boolean => {
  const [old, current] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (old.width !== current.width || old.height !== current.height) return false;
  let different = 0;
  for (let at = 0; at < current.data.length; at += 4) {
    if (old.data.readUInt32BE(at) !== current.data.readUInt32BE(at)) different += 1;
  }
  return different < (current.data.length / 4) * maxDifference[name];
};

/** Makes pictures of text about a fifth smaller than Chromium does. */
const compression = { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 } as const;

/** Writes a picture, unless it shows the same as the one that is there. */
const write = (name: Name, picture: Buffer): void => {
  const path = join(picturesFolder, `${name}.png`);
  if (existsSync(path) && isSimilar(name, readFileSync(path), picture)) return;
  writeFileSync(path, PNG.sync.write(PNG.sync.read(picture), compression));
};

const fixTimes = `for (const time of document.querySelectorAll('time')) {
  time.textContent = time.textContent.replace(/^\\d\\d:\\d\\d:\\d\\d$/, '14:02:07');
}`;

const take = async (page: Page, name: Name, selector = 'body'): Promise<void> => {
  await page.evaluate('document.activeElement.blur()');
  await page.mouse.move(0, 0);
  await page.evaluate("document.querySelector('#zap').scrollTop = 0");
  await page.evaluate(fixTimes);
  write(name, await page.locator(selector).screenshot({ animations: 'disabled', scale: 'css' }));
};

/** Turns on the Zap that the page begins with, and lets a customer write. */
const runFirstZap = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'See a customer ask and get an answer' }).click();
  await page.getByText('Subscription').waitFor();
  await page.locator('.ticks', { hasText: 'delivered' }).waitFor();
  await page.getByText('Simulate failures and time').click();
  await page.getByRole('button', { name: '1 minute' }).click();
  await page.getByLabel('Messages').getByText('Thank you, that suits me.').waitFor();
  await page.getByText('Simulate failures and time').click();
  await page.getByRole('button', { name: '2. Send Template Message' }).click();
  await page.locator('[aria-current="step"]', { hasText: '2. ' }).waitFor();
};

const runRecipe = async (page: Page): Promise<void> => {
  await page.locator('#recipes > summary').click();
  await page.getByRole('button', { name: `Load ${recipes[0]?.name}` }).click();
  await page.getByRole('button', { name: 'Run the Zap' }).click();
  await page.locator('#runs summary').getByText('Success').click();
  await page.getByRole('button', { name: 'All chats' }).click();
  await page.locator('.chat').first().click();
  // Nothing changes in the chat after this, so the pictures show the fixed times.
  await page.locator('.ticks', { hasText: 'read' }).waitFor();
};

const openForm = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 1200, height: 1500 });
  await page.getByRole('button', { name: '2. Send Template Message' }).click();
  await page.locator('[aria-current="step"]', { hasText: '2. ' }).waitFor();
};

const takeAll = async (page: Page): Promise<void> => {
  await runFirstZap(page);
  await take(page, 'overview');
  await runRecipe(page);
  await take(page, 'recipe');
  await take(page, 'chat', '.phone');
  await openForm(page);
  await take(page, 'form', '#step');
};

/** Takes the pictures of the playground that the documents show. Keeps the old ones on a machine without a browser. */
export const takeScreenshots = async (): Promise<void> => {
  if (!hasBrowser()) return console.warn('The pictures stay as they are, because this machine has no browser.');
  process.env.TZ = 'UTC';
  mkdirSync(picturesFolder, { recursive: true });
  const [browser, playground] = await Promise.all([
    launchBrowser(),
    startPlayground({ port: 0, database: ':memory:' }),
  ]);
  try {
    const page = await browser.newPage({ viewport: screen, reducedMotion: 'reduce' });
    await page.goto(playground.url);
    await page.locator('body[data-live]').waitFor();
    await takeAll(page);
  } finally {
    await Promise.allSettled([browser.close(), playground.stop()]);
  }
};

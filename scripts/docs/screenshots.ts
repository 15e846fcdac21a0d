import '../../lab/zapier/core/quiet-core';
import type { Page, ViewportSize } from 'playwright-core';
import { startPlayground } from '../../lab/playground/playground';
import { appointmentReminder } from '../../lab/recipes/appointment-reminder';
import type { Recipe } from '../../lab/recipes/recipe';
import { sheetsRow } from '../../lab/recipes/sheets-row';
import { hasBrowser, launchBrowser } from '../browser';
import { removePictures, writePicture } from './pictures';
import { shoot } from './screen';

type Name = 'overview' | 'recipe' | 'chat' | 'form' | 'reminder';

const screen = { width: 1440, height: 900 };

/** So high that the form ends between two fields. */
const storyScreen = { width: 1280, height: 788 };

/** The share of pixels that may differ between two runs. Ids and the order of events differ, but the form has none. */
const maxDifference: Record<Name, number> = { overview: 0.03, recipe: 0.03, chat: 0.03, form: 0.001, reminder: 0.01 };

/** Takes a picture of the page, or of a part of it. */
const take = async (page: Page, name: Name, part?: string): Promise<void> => {
  const picture = await shoot(page, part ? page.locator(part) : { x: 0, y: 0, ...screen });
  await writePicture(name, picture, maxDifference[name], part !== undefined);
};

const loadRecipe = async (page: Page, { name }: Recipe): Promise<void> => {
  await page.getByRole('button', { name: 'Recipes' }).click();
  await page.getByRole('button', { name: `Load ${name}` }).click();
  await page.getByRole('button', { name: 'Turn on', exact: true }).waitFor();
};

const openForm = async (page: Page): Promise<void> => {
  await page.setViewportSize({ ...screen, height: 1256 });
  await page.getByRole('button', { name: '2. Send Template Message' }).click();
  await page.locator('#preview').waitFor();
};

const testStep = async (page: Page): Promise<void> => {
  await page.locator('#stage-test').click();
  await page.getByRole('button', { name: 'Test step' }).click();
  // Nothing changes in the chat after this. The first message is the tour's.
  await page.locator('.ticks', { hasText: 'read' }).nth(1).waitFor();
};

/** Plays the tour to its end, and takes pictures of the Zap, its form and the answer that the customer has read. */
const takeStory = async (page: Page): Promise<void> => {
  await page.locator('#play').click();
  await page.locator('#guide-title', { hasText: 'read the answer' }).waitFor();
  await page.getByRole('button', { name: '2. Send Template Message' }).click();
  await page.locator('#preview').waitFor();
  const wholePage = { x: 0, y: 0, ...storyScreen };
  await writePicture('story', await shoot(page, wholePage), 0.01);
  await writePicture('story-phone', await shoot(page, page.locator('.device')), 0.01, true);
  await page.emulateMedia({ colorScheme: 'dark' });
  await writePicture('story-dark', await shoot(page, wholePage), 0.01);
};

const takePictures = async (page: Page): Promise<void> => {
  await page.locator('.ticks', { hasText: 'read' }).first().waitFor();
  await take(page, 'overview');
  await loadRecipe(page, sheetsRow);
  await take(page, 'recipe');
  await openForm(page);
  await take(page, 'form', '#panel');
  await page.setViewportSize({ ...screen, height: 850 });
  await testStep(page);
  await take(page, 'chat', '.device');
  await loadRecipe(page, appointmentReminder);
  await page.getByRole('button', { name: '5. Send Template Message' }).click();
  await page.locator('#preview').waitFor();
  await take(page, 'reminder', '.device');
};

/**
 * Takes the pictures of the playground that the documents show. Keeps one that would look nearly the same, unless all are
 * replaced, and keeps all of them on a machine without a browser.
 */
export const takeScreenshots = async ({ replacesAll }: { replacesAll: boolean }): Promise<void> => {
  if (!hasBrowser()) return console.warn('The pictures stay as they are, because this machine has no browser.');
  process.env.TZ = 'UTC';
  if (replacesAll) removePictures();
  const [browser, playground] = await Promise.all([
    launchBrowser(),
    startPlayground({ port: 0, database: ':memory:' }),
  ]);
  const open = async (viewport: ViewportSize): Promise<Page> => {
    // The page allows no styles but its own.
    const options = { reducedMotion: 'reduce', deviceScaleFactor: 2, bypassCSP: true } as const;
    const page = await browser.newPage({ viewport, ...options });
    await page.goto(playground.url);
    await page.locator('body[data-live]').waitFor();
    return page;
  };
  try {
    await takeStory(await open(storyScreen));
    await takePictures(await open(screen));
  } finally {
    await Promise.allSettled([browser.close(), playground.stop()]);
  }
};

/** The slides for reviewers: what the app does, as pictures of the playground with a caption each. */
import type { Page } from 'playwright-core';
import { startPlayground } from '../../lab/playground/playground';
import { recipes } from '../../lab/recipes';
import { brand } from '../../src/brand';
import { launchBrowser } from '../browser';

const viewport = { width: 1280, height: 720 };

const reviewersNumber = '+12025550190';

interface Scene {
  caption: string;
  act?: (page: Page) => Promise<void>;
}

const untilRead = (page: Page): Promise<void> => page.locator('.ticks', { hasText: 'read' }).first().waitFor();

const press = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
};

const scenes: Scene[] = [
  { caption: `${brand.name} on Zapier. The page shows a stand-in for Zapier, with the phones of fictional customers.` },
  {
    caption: 'A customer asks where a parcel is. The message runs a Zap, which sends the delivery time.',
    act: async (page) => {
      await page.locator('#play').click();
      await untilRead(page);
    },
  },
  { caption: 'The result of each step shows what Zapier got from the app.' },
  { caption: 'The recipes are ready-made Zaps. Most of them become Zap templates.', act: press('Recipes') },
  {
    caption: 'The first one sends a message for each new row in Google Sheets.',
    act: async (page) => {
      await press(`Load ${recipes[0]?.name}`)(page);
      await page.getByRole('button', { name: 'Turn on', exact: true }).waitFor();
    },
  },
  {
    caption: 'Send Template Message asks for a channel and an approved template, and lists both.',
    act: async (page) => {
      await press('2. Send Template Message')(page);
      await page.locator('#preview').waitFor();
    },
  },
  {
    caption: 'The form has a field for each variable of the template, and shows the text that people get.',
    act: (page) => page.locator('#preview').scrollIntoViewIfNeeded(),
  },
  {
    caption: 'Send Once for Each prevents double messages. Test Messages Go To keeps tests away from customers.',
    act: async (page) => {
      await page.locator('#field-test_recipient').click();
      await page.keyboard.type(reviewersNumber);
      await page.keyboard.press('Escape');
      await page.getByText('Send Once for Each').last().scrollIntoViewIfNeeded();
    },
  },
  {
    caption: 'A test sends the message to your own number, not to the customer.',
    act: async (page) => {
      await page.locator('#stage-test').click();
      await press('Test step')(page);
      await page.locator('.device', { hasText: reviewersNumber }).locator('.ticks', { hasText: 'read' }).waitFor();
    },
  },
  { caption: 'Later steps can use every value of the result, such as Message Link and Status.' },
  {
    caption: 'When the Zap is on, each new row sends its message.',
    act: async (page) => {
      await press('Turn on')(page);
      await press('New Spreadsheet Row')(page);
      await page.getByText('Success').first().waitFor();
    },
  },
  { caption: 'The account needs an API Base URL and an API Token. The token goes to no other host.' },
  { caption: 'The other steps work in the same way. Thank you for the review.' },
];

const captionId = 'slide-caption';

const showCaption = (page: Page, caption: string): Promise<void> =>
  page.evaluate(`(() => {
    const bar = document.getElementById('${captionId}') ?? document.createElement('div');
    (document.querySelector('dialog[open]') ?? document.body).append(bar);
    bar.id = '${captionId}';
    bar.textContent = ${JSON.stringify(caption)};
    bar.style.cssText = 'position:fixed;inset:auto 0 0 0;z-index:9999;padding:18px 32px;background:#101828;color:#fff;font:600 22px/1.4 system-ui;text-align:center;pointer-events:none';
  })()`);

const takeScenes = async (page: Page): Promise<Buffer[]> => {
  const pictures: Buffer[] = [];
  for (const { caption, act } of scenes) {
    await act?.(page);
    await showCaption(page, caption);
    pictures.push(await page.screenshot({ animations: 'disabled' }));
  }
  return pictures;
};

/** Returns the slides in order, as PNG. Throws when this machine has no browser. */
export const takeSlides = async (): Promise<Buffer[]> => {
  const [browser, playground] = await Promise.all([
    launchBrowser(),
    startPlayground({ port: 0, database: ':memory:' }),
  ]);
  try {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    await page.goto(playground.url);
    await page.locator('body[data-live]').waitFor();
    return await takeScenes(page);
  } finally {
    await Promise.allSettled([browser.close(), playground.stop()]);
  }
};

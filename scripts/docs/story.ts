import type { Page } from 'playwright-core';
import { writePicture } from './pictures';
import { shoot } from './screen';

/** The whole page: the Zap, the form of its step, and the customer's phone. */
const clip = { x: 0, y: 0, width: 1280, height: 800 };

/** The share of a picture that ids and times change. */
const maxDifference = 0.01;

/** Plays the tour to its end, and takes a picture of the Zap, its form and the answer that the customer has read. */
export const takeStory = async (page: Page): Promise<void> => {
  await page.locator('#play').click();
  await page.locator('#guide-title', { hasText: 'read the answer' }).waitFor();
  await page.getByRole('button', { name: '2. Send Template Message' }).click();
  await page.locator('#preview').waitFor();
  await writePicture('story', await shoot(page, clip), maxDifference);
};

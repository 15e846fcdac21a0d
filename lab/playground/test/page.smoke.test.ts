/** The first minute of somebody who has never seen the page. */
import { openStories, testInBrowser as test, usePlayground } from '../../../test/support/browser';

const playground = usePlayground();

test('a newcomer sees a customer ask and get an answer, without a reload', async () => {
  const page = await playground.open();
  const messages = page.getByLabel('Messages');
  await page.evaluate("document.body.dataset.loaded = 'once'");
  await page.getByRole('button', { name: 'See a customer ask and get an answer' }).click();
  await page.locator('#bar > .pill.on').waitFor();
  await messages.getByText('Hello, when are you open?').waitFor();
  await messages.getByText('We are open until 21:00, on Saturdays too.').waitFor();
  await page.locator('.story-line').getByText('Message sent').waitFor();
  await page.locator('#open-simulate').click();
  await page.getByRole('button', { name: '1 minute' }).click();
  await messages.locator('.ticks').getByText('read').waitFor();
  await page.keyboard.press('Escape');

  const bubbles = await messages.locator('li').count();
  await openStories(page);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.locator('#stories').getByText('Replayed: nothing new was sent').waitFor();
  await playground.settled();
  expect(await messages.locator('li').count()).toBe(bubbles);
  expect(await page.locator('body').getAttribute('data-loaded')).toBe('once');
});

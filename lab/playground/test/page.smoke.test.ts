/** The first minute of somebody who has never seen the page. */
import { openStories, testInBrowser as test, usePlayground } from '../../../test/support/browser';

const playground = usePlayground();

test('a newcomer sees a customer ask and get an answer, without a reload', async () => {
  const page = await playground.open();
  const messages = page.getByLabel('Messages');
  await page.evaluate("document.body.dataset.loaded = 'once'");
  await page.getByRole('button', { name: 'See a customer ask and get an answer' }).click();
  await page.getByText('Starts when a contact sends you a message').waitFor({ state: 'attached' });
  await messages.getByText('Hello, where is my parcel?').waitFor();
  await messages.getByText('Your parcel PX-20377 arrives today at about 14:30.').waitFor();
  await page.locator('.beats').getByText('Send the delivery time ran').waitFor();
  await page.locator('#open-simulate').click();
  await page.getByRole('button', { name: '1 minute' }).click();
  await messages.locator('.ticks').getByText('read').waitFor();
  await page.keyboard.press('Escape');

  const bubbles = await messages.locator('li').count();
  await openStories(page);
  await page.getByLabel('Show').selectOption('run');
  await page.locator('#activity .run .status').getByText('Success').waitFor();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.locator('#activity .run').nth(1).waitFor();
  await playground.settled();
  expect(await messages.locator('li').count()).toBe(bubbles);
  expect(await page.locator('body').getAttribute('data-loaded')).toBe('once');
});

/** A Zap as a guide for the real editor. */
import { brand } from '../../src/brand';
import { findAccessibilityProblems, testInBrowser as test, usePlayground } from '../support/browser';

const playground = usePlayground();

test('a click copies the Zap as steps, also those that nobody opened', async () => {
  const page = await playground.open('zap=zap-1');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Copy as a guide' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain('# Send the delivery time\n');
  expect(copied).toContain(`2. Action: ${brand.name}, Send Template Message\n   - Channel: WhatsApp\n`);
  expect(copied).toContain('   - Parcel Number: PX-20418\n');
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

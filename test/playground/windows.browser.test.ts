/** The windows of other apps: records that start Zaps, and what Zaps wrote there. */
import {
  findAccessibilityProblems,
  holdResponse,
  loadRecipe,
  openStage,
  screens,
  showPlace,
  testInBrowser as test,
  usePlayground,
} from '../support/browser';

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
  await playground.waitFor('/activity', (html) => html.includes('New Spreadsheet Row in Google Sheets: A-1043'));
  expect(await page.getByLabel('Order of the next record').inputValue()).toBe('A-1044');
  await page.locator('#open-customers').click();
  await page.locator('.chat-link', { hasText: 'PX-777' }).click();
  await page.locator('.messages .theirs', { hasText: 'PX-777' }).waitFor();
});

test('a row that is added while the Zap is off runs nothing, and the test of the trigger offers it', async () => {
  const page = await openSheet();
  await page.getByLabel('Name of the next record').fill('Ada Test');
  await page.getByRole('button', { name: 'New Spreadsheet Row', exact: true }).click();
  await page.locator('.records td', { hasText: 'Ada Test' }).waitFor();
  expect(await page.locator('.records .status .icon').count()).toBe(0);
  await openStage(page, 'test');
  await page.getByRole('button', { name: 'Test step' }).click();
  await page.getByText('Choose another record').press('Enter');
  await page.getByRole('button', { name: /Ada Test/ }).press('Enter');
  await page.locator('#result').getByText('Ada Test').waitFor();
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

test('the test of a trigger of the app offers its last records, whose data later steps get', async () => {
  const page = await playground.open('zap=zap-1&step=0&stage=test');
  await page.getByRole('button', { name: 'Test step' }).click();
  await page.getByText('Choose another record').click();
  const second = page.locator('#use-record-1');
  const text = (await second.textContent()) ?? '';
  await second.click();
  const asked = /"(.*?)…?"/.exec(text)?.[1] ?? '';
  await page.locator('#result').getByText(asked).first().waitFor();
});

test('what a Zap writes into another app shows in its window', async () => {
  const page = await playground.open();
  const zap = await playground.newZap();
  await playground.fill(zap, 0, { operation: 'other' });
  await playground.fill(zap, 0, { 'f.event': 'Shopify: New Order', 'f.json': '{"id": 7, "name": "Noor"}' });
  await playground.fill(zap, 1, { operation: 'other' });
  await playground.fill(zap, 1, {
    'f.event': 'Slack: Send Channel Message',
    'k.fields': ['Channel', 'Message Text'],
    'v.fields': ['#orders', 'Order {{1.id}} of {{1.name}}'],
  });
  await page.goto(`${playground.url}/?zap=${zap}&step=0`);
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText('Each one runs the Zap.').waitFor();
  await page.getByRole('button', { name: 'New Order', exact: true }).click();
  await page.getByLabel('What arrived in Slack').getByText('Order 8 of Grace').waitFor();
  await page.locator('.window-title', { hasText: 'Slack' }).getByText('1 arrived').waitFor();
  await page.locator('.window-title', { hasText: 'Slack' }).press('Enter');
  await page.getByRole('button', { name: 'New Order', exact: true }).waitFor({ state: 'hidden' });
  await page.locator('.window-title', { hasText: 'Shopify' }).click();

  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height });
    if (width === 390) await showPlace(page, 'Phone');
    await page.locator('#windows').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
  }
});

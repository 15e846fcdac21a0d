import { Playground, writeAs } from './browser';

const playground = new Playground();

afterEach(() => {
  expect(playground.takeProblems()).toEqual([]);
});

test('a customer who writes starts a run, gets the reply, and reads it, without a reload', async () => {
  const page = await playground.open();
  await page.getByRole('switch', { name: 'Turn on' }).click();
  await page.getByText('Subscription').waitFor();
  await writeAs(page, '+12025550104', 'Hello, where is my parcel?');
  const messages = page.getByLabel('Messages');
  await messages.getByText('Hello, where is my parcel?').waitFor();
  await messages.getByText('Your parcel PX-20418 arrives today at about 14:30.').waitFor();
  const activity = page.locator('#activity');
  await activity.locator('.delivery').getByText('delivered', { exact: true }).waitFor();
  await activity.locator('.run').getByText('success', { exact: true }).waitFor();
  await page.getByText('Simulate failures and time').click();
  await page.getByRole('button', { name: '1 minute' }).click();
  await messages.locator('.ticks').getByText('read').waitFor();
  await messages.getByText('Thank you, that suits me.').waitFor();
  await page.getByText('Clock is 1 min ahead').waitFor();

  const bubbles = await messages.locator('li').count();
  await page.getByRole('button', { name: 'Replay' }).first().click();
  await activity.getByText('(replay)').waitFor();
  expect(await messages.locator('li').count()).toBe(bubbles);
});

test('a test step names an empty required field, and shows the result with its API requests', async () => {
  const page = await playground.open();
  await page.getByRole('button', { name: 'New Zap' }).click();
  await page.getByRole('button', { name: '2. Send Template Message' }).click();
  await page.getByRole('button', { name: 'Choose Channel' }).click();
  await page.getByRole('button', { name: /^WhatsApp/i }).click();
  await page.locator('.chosen').getByText('WhatsApp').waitFor();
  await page.getByRole('button', { name: 'Choose Template' }).click();
  await page.getByRole('searchbox', { name: 'Search the choices' }).fill('opening_');
  await page.getByRole('button', { name: 'openingstijden' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'opening_hours' }).click();
  await page.locator('.note').getByText('parcel points are open').waitFor();
  await page.getByRole('button', { name: 'Test step' }).click();
  await page.getByText('Phone Number is empty.').waitFor();
  expect(await page.locator(':focus').getAttribute('id')).toBe('field-to');

  await page.keyboard.type('+12025550105');
  await page.getByRole('button', { name: 'Test step' }).click();
  const result = page.locator('#result');
  await result.getByText('Success').waitFor();
  expect(await result.getByRole('row', { name: /^Message ID/ }).innerText()).toMatch(/msg_\w+\s+string/);
  expect(await result.getByRole('row', { name: /POST \/v1\/messages/ }).innerText()).toMatch(/202\s+\d+ ms/);

  await page.getByRole('textbox', { name: 'Phone Number (required)' }).fill('12');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await result.getByText('Stops this run.').waitFor();
  expect(await result.innerText()).toMatch(/\d+ of 250 characters/);
  expect(await page.getByRole('textbox', { name: 'Phone Number (required)' }).getAttribute('aria-invalid')).toBe(
    'true',
  );
});

test("a recipe runs to its end with the other app's data, and bad JSON is named at its field", async () => {
  const page = await playground.open();
  await page.getByLabel('Recipe').selectOption({ label: 'Send Messaging Service messages for new Shopify orders' });
  const json = page.getByLabel('Data of the other app, as JSON');
  const data = await json.inputValue();
  await json.fill('{ not json');
  await page.getByRole('button', { name: 'Run the Zap' }).click();
  await page.locator('#problem-json').getByText("isn't valid JSON").waitFor();
  expect(await json.inputValue()).toBe('{ not json');
  await json.fill(data);
  await page.getByRole('button', { name: 'Run the Zap' }).click();
  await page.locator('#runs').getByText('Send Template Message: Success').waitFor();
  await page
    .getByRole('button', { name: /^\+12025550123/ })
    .first()
    .click();
  await page.getByLabel('Messages').getByText('Your parcel #1042 arrives today at about 17:00.').waitFor();
});

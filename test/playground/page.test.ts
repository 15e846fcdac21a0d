import { once } from 'node:events';
import { request } from 'node:http';
import { operations } from '../../playground/zaps/operations';
import { findAccessibilityProblems, Playground, writeAs } from './browser';

const playground = new Playground();

const statusOf = async (headers: Record<string, string>): Promise<number | undefined> => {
  const asked = request(playground.url, { headers }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
};

test('another Host and another Origin are refused', async () => {
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ host: 'evil.example' })).toBe(403);
  expect(await statusOf({ origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf({ origin: 'http://127.0.0.1:1' })).toBe(403);
});

test('every operation opens its form with the labels, required marks and help texts of the app', async () => {
  const page = await playground.open();
  for (const index of [0, 1]) {
    await page.getByRole('button', { name: new RegExp(`^${index + 1}\\. `) }).click();
    for (const { place, kind, description } of operations) {
      if ((kind === 'triggers') !== (index === 0)) continue;
      await page.locator('#place').selectOption(place);
      await page.locator('.description').getByText(description, { exact: true }).waitFor();
      const shown = await page.locator('#step').innerText();
      for (const field of await fieldsOf(place)) expect(shown).toContain(field);
    }
  }
  expect(playground.takeProblems()).toEqual([]);
}, 60_000);

/** The label of each field that doesn't depend on others, with its required mark, and its help text. */
const fieldsOf = async (place: string): Promise<string[]> => {
  const { default: app } = await import('../../src');
  const [kind, key = ''] = place.split('.');
  const all: Record<string, { operation: { inputFields?: unknown[] } }> =
    kind === 'triggers' ? app.triggers : kind === 'creates' ? app.creates : app.searches;
  return (all[key]?.operation.inputFields ?? []).flatMap((field) => {
    if (typeof field === 'function') return [];
    const { label = '', required, helpText = '' } = Object(field);
    // The page renders the Markdown of a help text.
    const help = String(helpText).replaceAll(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1');
    return [`${label}${required ? ' (required)' : ''}`, help];
  });
};

test('script in a message stays text', async () => {
  const page = await playground.open();
  const text = '<script>document.title = "broken"</script><img src=x onerror="document.title = 1"> **bold**';
  await writeAs(page, '+12025550132', text);
  await page.getByLabel('Messages').getByText(text, { exact: true }).waitFor();
  expect(await page.title()).toMatch(/^Playground/);
  expect(playground.takeProblems()).toEqual([]);
});

test('chats are shown in pages', async () => {
  const page = await playground.open();
  const chats = page.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  expect(await chats.count()).toBe(30);
  await page.getByRole('button', { name: /^More chats/ }).click();
  await chats.nth(59).waitFor();
  expect(await chats.count()).toBe(60);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility problem in ${colorScheme} colors, nor sideways scrolling on a phone`, async () => {
    const page = await playground.open({ colorScheme, viewport: { width: 375, height: 800 } });
    await writeAs(page, '+12025550105', 'a'.repeat(300));
    await page.getByLabel('Messages').getByText('aaa').first().waitFor();
    await page.getByText('Simulate failures and time').click();
    await page.getByLabel('Failure').selectOption('delivery_twice');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Turn on a Zap with an instant trigger first.').waitFor();
    await page.getByRole('button', { name: 'New Zap' }).click();
    await page.getByRole('button', { name: /^2\. / }).click();
    await page.getByText('Sends an approved template message').waitFor();
    await page.getByText('Insert data from an earlier step').click();
    await page.getByRole('button', { name: 'Test step' }).click();
    await page.getByText('Channel is empty.').waitFor();
    await page.getByRole('button', { name: 'Choose Channel' }).click();
    await page.getByRole('searchbox', { name: 'Search the choices' }).waitFor();
    await page.locator('#activity .line').first().click();
    await page.locator('.details').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  }, 60_000);
}

test('the keyboard alone writes as a customer and opens a step', async () => {
  const page = await playground.open();
  await page.getByText('New customer').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('+12025550133');
  await page.keyboard.press('Tab');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await page.getByLabel('Messages').getByText('By keyboard').waitFor();
  await page.getByRole('button', { name: /^2\. / }).focus();
  await page.keyboard.press('Enter');
  await page.locator('button[aria-current="step"]', { hasText: /^2\. / }).waitFor();
});

test('says that the server is gone', async () => {
  const page = await playground.open();
  await playground.stopServer();
  await page.getByText("The playground isn't running.").waitFor();
});

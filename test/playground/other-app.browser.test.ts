/** The data of another app's step, as a table of names and values or as JSON. */
import type { Page } from 'playwright-core';
import {
  findAccessibilityProblems,
  holdResponse,
  showPlace,
  testInBrowser as test,
  usePlayground,
} from '../support/browser';

const playground = usePlayground();

const order = {
  id: 5123,
  'a.b': 'dot',
  customer: { phone: '+12025550123', tags: [] },
  note: '\nTwo\nlines',
  gift: false,
};

/** Opens the first step of a new Zap, which is of another app. */
const openOrder = async (): Promise<{ page: Page; zap: string }> => {
  const zap = await playground.newZap();
  await playground.fill(zap, 0, { operation: 'other' });
  await playground.fill(zap, 0, { 'f.event': 'Shopify: New Order', 'f.json': JSON.stringify(order) });
  return { page: await playground.open(`zap=${zap}&step=0`), zap };
};

const nameAt = (page: Page, row: number) => page.getByRole('textbox', { name: `Name ${row}`, exact: true });
const valueNamed = (page: Page, name: string) => page.getByRole('textbox', { name: `Value of ${name}`, exact: true });
const switchTo = (page: Page, view: string) => page.getByRole('button', { name: `Edit as ${view}` }).press('Enter');

/** What the step returns, which the JSON view shows. */
const readJson = async (page: Page): Promise<unknown> => {
  await switchTo(page, 'JSON');
  const json = await page.locator('#json').inputValue();
  await switchTo(page, 'a table');
  await nameAt(page, 1).waitFor();
  return JSON.parse(json);
};

test('values are edited, renamed, removed and added, and everything else stays as it is', async () => {
  const { page } = await openOrder();
  expect(await readJson(page)).toEqual(order);
  await valueNamed(page, 'customer.phone').fill('+12025550188');
  await nameAt(page, 2).fill('c.d');
  await nameAt(page, 1).fill('');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Tab');
  await page.getByRole('textbox', { name: 'Name 7', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Name 6', exact: true }).fill('Paid at');
  await page.keyboard.press('Tab');
  await valueNamed(page, 'Paid at').waitFor();
  await page.keyboard.type('14:30');
  await page.keyboard.press('Tab');
  const { id: _, 'a.b': dot, ...others } = order;
  const customer = { ...order.customer, phone: '+12025550188' };
  expect(await readJson(page)).toEqual({ 'c.d': dot, ...others, customer, 'Paid at': '14:30' });
});

test('what a person types while an earlier change is saved stays in its row, also when a row above goes', async () => {
  const { page, zap } = await openOrder();
  const address = `/zap/${zap}/0`;
  const release = await holdResponse(page, address);
  await nameAt(page, 7).fill('Paid at');
  await page.keyboard.press('Tab');
  await page.keyboard.type('14:');
  await release();
  await valueNamed(page, 'Paid at').waitFor();
  await page.keyboard.type('30');
  expect(await valueNamed(page, 'Paid at').inputValue()).toBe('14:30');
  await nameAt(page, 1).fill('');
  const releaseNext = await holdResponse(page, address);
  await page.getByRole('textbox', { name: 'Value of id' }).fill('');
  await valueNamed(page, 'customer.phone').focus();
  await page.keyboard.press('End');
  await page.keyboard.type('4');
  await releaseNext();
  await nameAt(page, 8).waitFor({ state: 'detached' });
  await page.keyboard.type('5');
  await page.keyboard.press('Tab');
  const { id: _, ...others } = order;
  const customer = { ...order.customer, phone: '+1202555012345' };
  expect(await readJson(page)).toEqual({ ...others, customer, 'Paid at': '14:30' });
});

test('JSON with a problem stays JSON, and its correction is the table', async () => {
  const { page } = await openOrder();
  await switchTo(page, 'JSON');
  await page.locator('#json').fill('{"name": ');
  await page.keyboard.press('Tab');
  await page.locator('#problem-json').waitFor();
  await page.getByRole('button', { name: 'Edit as a table' }).waitFor({ state: 'hidden' });
  await page.locator('#json').fill('{"name": {"first": "<b>Noor</b>"}}');
  await page.keyboard.press('Tab');
  await switchTo(page, 'a table');
  await page.locator('#record-as:focus').waitFor();
  expect(await valueNamed(page, 'name.first').inputValue()).toBe('<b>Noor</b>');
  expect(await page.locator('#panel b').count()).toBe(0);
});

test('two rows with the same name are refused by name, and nothing is lost', async () => {
  const { page } = await openOrder();
  await nameAt(page, 2).fill('id');
  await page.keyboard.press('Tab');
  await page.getByText('Two rows have the name "id", so nothing was saved.').waitFor();
  await nameAt(page, 2).fill('number');
  await page.keyboard.press('Tab');
  expect(playground.takeProblems().filter((problem) => !problem.includes('422'))).toEqual([]);
  const { 'a.b': number, ...others } = order;
  expect(await readJson(page)).toEqual({ ...others, number });
});

test('a table that another tab changed asks what to keep, and loses neither', async () => {
  const { page, zap } = await openOrder();
  const changed = page.getByText("Another tab changed this step, so yours isn't saved.");
  await playground.fill(zap, 0, { 'f.json': JSON.stringify({ ...order, id: 1, gift: true }) });
  await valueNamed(page, 'a.b').fill('changed');
  await page.keyboard.press('Tab');
  await changed.waitFor();
  await page.getByRole('button', { name: 'Load it' }).click();
  await valueNamed(page, 'gift').waitFor();
  expect(await readJson(page)).toEqual({ ...order, id: 1, gift: true });

  await playground.fill(zap, 0, { 'f.json': JSON.stringify({ ...order, id: 2 }) });
  await valueNamed(page, 'a.b').fill('mine');
  await page.keyboard.press('Tab');
  await changed.waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await changed.waitFor({ state: 'hidden' });
  expect(await readJson(page)).toMatchObject({ id: 1, 'a.b': 'mine' });
  expect(playground.takeProblems().filter((problem) => !problem.includes('409'))).toEqual([]);
});

test('the table is accessible and fits a narrow screen, dark and light', async () => {
  const { page } = await openOrder();
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 375) await showPlace(page, 'Step');
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
  }
});

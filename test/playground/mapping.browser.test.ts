/** Mapped values: put into a field, edited and deleted as a whole, and what they would be. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findAccessibilityProblems, OpenPlayground, testInBrowser as test } from '../support/browser';
import { writeSeeded } from '../support/seeded';

// A test waits for many changes of the page, each of which takes seconds on a busy machine.
jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
const playground = new OpenPlayground();
beforeAll(() => Promise.all([playground.start(['--database', writeSeeded(folder)]), playground.launch()]));
afterEach(() => expect(playground.takeProblems()).toEqual([]));
afterAll(async () => {
  await playground.close();
  rmSync(folder, { recursive: true, force: true });
});

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.to': '{{1.from}}',
};

/** Opens the second step of a new Zap whose first one gives a row with a number and a name. */
const openMapped = async (parcel = 'PX-1'): Promise<{ page: Page; zap: string }> => {
  const zap = await playground.newZap();
  await playground.fill(zap, 0, { operation: 'other' });
  const json = JSON.stringify({ 'Row Number': 7, Name: 'Noor مرحبا', Note: '' });
  await playground.fill(zap, 0, { event: 'Sheets: New Row', json });
  await playground.fill(zap, 1, { ...sendForm, 'f.variable_parcel_id': parcel });
  const page = await playground.open(`zap=${zap}&step=1`);
  await page.getByText('Insert data from an earlier step').click();
  return { page, zap };
};

const parcelOf = (page: Page) => page.getByRole('textbox', { name: 'Parcel Number (required)' });
const channelOf = (page: Page) => page.getByRole('textbox', { name: 'Channel (required)' });

/** Puts the caret after so many characters of the parcel number. */
const placeCaret = async (page: Page, start: number, end = start): Promise<void> => {
  await parcelOf(page).focus();
  await page.evaluate(`document.querySelector('#field-variable_parcel_id').setSelectionRange(${start}, ${end})`);
};

test('a value that is clicked before a field changes no field, and says what to do', async () => {
  const { page, zap } = await openMapped();
  const sentence = page.getByText('No field is chosen.');
  await page.locator('.map', { hasText: 'Row Number' }).click();
  await sentence.waitFor();
  expect(await channelOf(page).inputValue()).toBe('whatsapp');
  await playground.post(`/zap/${zap}/add`);
  await playground.fill(zap, 2, sendForm);
  await channelOf(page).focus();
  await page.reload();
  await page.locator('body[data-live]').waitFor();
  await channelOf(page).focus();
  await page.getByRole('button', { name: '3. Send Template Message' }).click();
  await page.locator('[aria-current="step"]', { hasText: '3. ' }).waitFor();
  await page.getByText('Insert data from an earlier step').click();
  await page.locator('.map', { hasText: 'Row Number' }).first().click();
  await sentence.waitFor();
  expect(await channelOf(page).inputValue()).toBe('whatsapp');
});

test('a value goes to where the caret is, its field shows what it would be, and a dropdown has it alone', async () => {
  const { page, zap } = await openMapped();
  await placeCaret(page, 3);
  await page.locator('.map', { hasText: 'Row Number' }).click();
  expect(await parcelOf(page).inputValue()).toBe('PX-{{1.Row Number}}1');
  await page.locator('#preview-variable_parcel_id').getByText('PX-71', { exact: true }).waitFor();
  await channelOf(page).focus();
  await page.locator('.map', { hasText: 'Name' }).click();
  await page.locator('#preview-channel').getByText('Noor مرحبا').waitFor();
  expect(await channelOf(page).inputValue()).toBe('{{1.Name}}');
  const { html } = await playground.get(`/zap/${zap}?step=1`);
  expect(html).toContain('value="PX-{{1.Row Number}}1"');
  await parcelOf(page).fill('PX-2');
  await page.keyboard.press('Tab');
  await page.locator('#preview-variable_parcel_id:empty').waitFor({ state: 'attached' });
});

test('Ctrl+Z takes back a value that was put in by a click', async () => {
  const { page } = await openMapped();
  await placeCaret(page, 4);
  await page.locator('.map', { hasText: 'Row Number' }).click();
  await page.keyboard.press('Control+z');
  expect(await parcelOf(page).inputValue()).toBe('PX-1');
});

test.each([
  ['Backspace behind it', 'Backspace', 19, 19, 'a  b'],
  ['Backspace in it', 'Backspace', 8, 8, 'a  b'],
  ['Delete before it', 'Delete', 2, 2, 'a  b'],
  ['Delete of a part of it and of what is around', 'Delete', 0, 5, ' b'],
  ['Ctrl+Backspace', 'Control+Backspace', 19, 19, 'a  b'],
  ['a letter over a part of it', 'x', 4, 8, 'a x b'],
  ['a letter in it', 'x', 8, 8, 'a {{1.Row Number}}x b'],
  ['Backspace beside it', 'Backspace', 1, 1, ' {{1.Row Number}} b'],
] as const)('%s leaves no half of a mapped value, and Ctrl+Z brings it back', async (_, key, start, end, expected) => {
  const text = 'a {{1.Row Number}} b';
  const at = (position: number) => (position === 19 ? text.indexOf('}}') + 2 : position);
  const { page } = await openMapped(text);
  await placeCaret(page, at(start), at(end));
  await page.keyboard.press(key);
  expect(await parcelOf(page).inputValue()).toBe(expected);
  while ((await parcelOf(page).inputValue()) !== text) await page.keyboard.press('Control+z');
});

test('the picker at a field is searched, and puts the value into that field, by mouse and by keyboard', async () => {
  const { page } = await openMapped();
  const picker = page.getByRole('region', { name: 'Insert data into Parcel Number' });
  const insert = page.getByRole('button', { name: 'Insert data into Parcel Number' });
  await insert.click();
  await picker.getByText('1. Sheets: New Row').waitFor();
  await picker.getByRole('button', { name: 'Note' }).waitFor({ state: 'hidden' });
  await picker.getByText('1 empty value').click();
  await picker.getByRole('button', { name: 'Note' }).waitFor();
  await picker.getByRole('button', { name: 'Row Number 7' }).click();
  await picker.waitFor({ state: 'hidden' });
  expect(await parcelOf(page).inputValue()).toContain('{{1.Row Number}}');
  await page.locator('#preview-variable_parcel_id').getByText('7').waitFor();

  await insert.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('noor');
  await picker.getByRole('button', { name: 'Row Number 7' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.locator('#field-variable_parcel_id:focus').waitFor();
  expect(await parcelOf(page).inputValue()).toMatch(/\{\{1\.Name\}\}/);
  expect(await channelOf(page).inputValue()).toBe('whatsapp');

  await insert.click();
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'hidden' });
  await page.locator('#field-variable_parcel_id:focus').waitFor();
});

test('the picker and the values below the fields fit a phone and a wide screen and are accessible, dark and light', async () => {
  const { page } = await openMapped(`{{1.Note}}${'a'.repeat(200)}`);
  await page.locator('.map', { hasText: 'Row Number' }).click();
  await page.getByText('No field is chosen.').waitFor();
  await page.getByRole('button', { name: 'Insert data into Phone Number' }).click();
  for (const width of [375, 1440]) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
  }
});

/** Mapped values and choices: put into a field, edited and deleted as a whole, and what they would be. */
import type { Page } from 'playwright-core';
import {
  findAccessibilityProblems,
  holdResponse,
  reload,
  showPlace,
  tabTo,
  testInBrowser as test,
  testStep,
  textOfField,
  usePlayground,
} from '../support/browser';

const playground = usePlayground();

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.to': '{{1.Phone}}',
};

const parcelField = 'field-variable_parcel_id';
const mapped = '{{1.Row Number}}';

/** Opens the second step of a new Zap whose first one gives a row with a number, a name and a phone number. */
const openMapped = async (parcel = 'PX-1'): Promise<{ page: Page; zap: string }> => {
  const zap = await playground.newZap();
  await playground.fill(zap, 0, { operation: 'other' });
  const json = JSON.stringify({ 'Row Number': 7, Name: 'Noor مرحبا', Note: '', Phone: '+12025550123' });
  await playground.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': json });
  await playground.fill(zap, 1, { ...sendForm, 'f.variable_parcel_id': parcel });
  return { page: await playground.open(`zap=${zap}&step=1`), zap };
};

const parcelOf = (page: Page) => page.getByRole('textbox', { name: 'Parcel Number required' });
const pickerOf = (page: Page) => page.getByRole('region', { name: 'Insert data into Parcel Number required' });
const pillsOf = (page: Page) => page.locator(`#${parcelField} .pill`);

/** Puts the caret behind so many characters of the parcel number. A mapped value counts as one. */
const placeCaret = async (page: Page, position: number): Promise<void> => {
  await parcelOf(page).focus();
  await page.keyboard.press('Control+Home');
  for (let at = 0; at < position; at += 1) await page.keyboard.press('ArrowRight');
};

test('a field that gets the focus shows the data of earlier steps, and a click puts a value where the caret is', async () => {
  const { page, zap } = await openMapped();
  await placeCaret(page, 3);
  await pickerOf(page).getByText('1. Sheets: New Row').waitFor();
  await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).click();
  await pickerOf(page).waitFor({ state: 'hidden' });
  expect(await textOfField(page, parcelField)).toBe(`PX-${mapped}1`);
  expect(await pillsOf(page).allTextContents()).toEqual(['1 Row Number 7']);
  await page.locator('#preview-variable_parcel_id').getByText('PX-71').waitFor();
  expect((await playground.get(`/zap/${zap}?step=1`)).html).toContain(`value="PX-${mapped}1"`);
  expect(await textOfField(page, 'field-to')).toBe('{{1.Phone}}');

  await page.keyboard.press('Control+a');
  await page.keyboard.type('PX-2');
  await page.keyboard.press('Tab');
  await page.locator('#preview-variable_parcel_id:empty').waitFor({ state: 'attached' });
});

test('a message that arrives while a person presses a value takes neither the press nor what is unfolded', async () => {
  const { page } = await openMapped('');
  await parcelOf(page).focus();
  await pickerOf(page).getByText('1 empty value').click();
  const note = pickerOf(page).getByRole('button', { name: 'Note' });
  await note.hover();
  await page.mouse.down();
  await playground.post('/phones', { from: '+12025550178', channel: 'whatsapp', text: 'Is it there yet?' });
  await page.locator('#customers, #phones').getByText('Is it there yet?').first().waitFor({ state: 'attached' });
  await page.mouse.up();
  await page.locator(`#${parcelField} .pill`, { hasText: 'Note' }).waitFor();
});

test('what a person types in a field filters its data, and a value takes the place of what was typed', async () => {
  const { page } = await openMapped('');
  await parcelOf(page).focus();
  await page.keyboard.type('PX-9 row');
  await pickerOf(page).getByRole('button', { name: 'Name' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await textOfField(page, parcelField)).toBe(`PX-9 ${mapped}`);
  await page.keyboard.press('Escape');
  await page.keyboard.type(' and');
  await page.locator('#preview-variable_parcel_id').getByText('PX-9 7 and').waitFor();
});

test('a click on a label leads to its field, and another field or a click beside it closes the data', async () => {
  const { page } = await openMapped();
  await page.locator('#label-variable_parcel_id').click();
  await page.locator(`#${parcelField}:focus`).waitFor();
  await pickerOf(page).waitFor();
  await page.getByRole('heading', { name: 'Send Template Message' }).click();
  await pickerOf(page).waitFor({ state: 'hidden' });
  await parcelOf(page).click();
  await pickerOf(page).waitFor();
  await page.locator('#choose-channel').focus();
  await pickerOf(page).waitFor({ state: 'hidden' });
});

test('Ctrl+Z takes back a value that was put in, and Ctrl+Shift+Z brings it back', async () => {
  const { page } = await openMapped();
  await placeCaret(page, 4);
  await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).click();
  expect(await textOfField(page, parcelField)).toBe(`PX-1${mapped}`);
  await page.keyboard.press('Control+z');
  expect(await textOfField(page, parcelField)).toBe('PX-1');
  await page.keyboard.press('Control+Shift+z');
  expect(await textOfField(page, parcelField)).toBe(`PX-1${mapped}`);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Tab');
  await page.locator('#preview-variable_parcel_id:empty').waitFor({ state: 'attached' });
});

test('a late preview of what a field had before does not replace the newer one', async () => {
  const { page, zap } = await openMapped();
  const release = await holdResponse(page, `/message/${zap}/1`);
  const asked = page.waitForRequest((request) => request.url().includes('/message/'));
  await placeCaret(page, 4);
  await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).click();
  await asked;
  await page.keyboard.press('Tab');
  const preview = page.locator('#preview-variable_parcel_id');
  await preview.getByText('PX-17').waitFor();
  await page.locator('#undo').click();
  await page.locator('#preview-variable_parcel_id:empty').waitFor({ state: 'attached' });
  await release();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  expect(await preview.textContent()).toBe('');
});

test.each([
  ['Backspace behind it', 3, ['Backspace'], 'a  b'],
  ['Delete before it', 2, ['Delete'], 'a  b'],
  ['Ctrl+Backspace', 3, ['Control+Backspace'], 'a  b'],
  ['Backspace over all of it', 2, ['Shift+ArrowRight', 'Backspace'], 'a  b'],
  ['a letter over it and what is around', 1, ['Shift+ArrowRight', 'Shift+ArrowRight', 'x'], 'ax b'],
  ['a letter behind it', 3, ['x'], `a ${mapped}x b`],
  ['Backspace beside it', 1, ['Backspace'], ` ${mapped} b`],
  ['cut and paste', 2, ['Shift+ArrowRight', 'Control+x', 'Control+Home', 'Control+v'], `${mapped}a  b`],
] as const)(
  '%s leaves no half of a mapped value, and Ctrl+Z restores the text',
  async (_, position, keys, expected) => {
    const text = `a ${mapped} b`;
    const { page } = await openMapped(text);
    await placeCaret(page, position);
    for (const key of keys) await page.keyboard.press(key);
    expect(await textOfField(page, parcelField)).toBe(expected);
    while ((await textOfField(page, parcelField)) !== text) await page.keyboard.press('Control+z');
  },
);

test('the data is searched and chosen by keyboard, and Escape and Tab leave it', async () => {
  const { page } = await openMapped();
  await tabTo(page, parcelField);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('noor');
  await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.locator(`#${parcelField}:focus`).waitFor();
  expect(await textOfField(page, parcelField)).toContain('{{1.Name}}');

  await page.keyboard.press('ArrowDown');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  expect(await textOfField(page, parcelField)).toContain('{{1.Name}}{{1.Name}}');

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await pickerOf(page).waitFor({ state: 'hidden' });
  await page.locator(`#${parcelField}:focus`).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.locator('#insert-field-variable_parcel_id:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#picker-search:focus').waitFor();
  await pickerOf(page).getByText('1 empty value').click();
  await pickerOf(page).getByRole('button', { name: 'Note' }).click();
  expect(await textOfField(page, parcelField)).toContain('{{1.Note}}');
});

test('the data stays open while the field before it loads the form again', async () => {
  const { page } = await openMapped();
  await page.getByRole('button', { name: 'Channel required' }).click();
  await page.getByRole('button', { name: 'Custom value' }).click();
  const custom = page.getByRole('textbox', { name: 'Channel, custom value' });
  await custom.fill('sms');
  const reloaded = page.waitForResponse(
    (response) => response.request().postData()?.includes('action=reload') ?? false,
  );
  await page.getByRole('textbox', { name: 'Phone Number required' }).click();
  await reloaded;
  await page.getByRole('button', { name: 'Channel required SMS' }).waitFor();
  await page.getByRole('region', { name: 'Insert data into Phone Number required' }).waitFor();
});

test('half of a mapped value is refused by name, and what is typed stays', async () => {
  const { page } = await openMapped();
  await parcelOf(page).fill('{{1.Row Number}');
  await page.keyboard.press('Tab');
  await testStep(page);
  await page.locator('#problem-variable_parcel_id').waitFor();
  await page.locator(`#${parcelField}:focus`).waitFor();
  expect(await textOfField(page, parcelField)).toBe('{{1.Row Number}');
  expect(await parcelOf(page).getAttribute('aria-invalid')).toBe('true');
});

test('text that is typed survives an event, and another step begins with its own text and history', async () => {
  const { page, zap } = await openMapped();
  await playground.post(`/zap/${zap}/add`);
  await playground.fill(zap, 2, { ...sendForm, 'f.variable_parcel_id': 'PX-3' });
  await reload(page);
  await parcelOf(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.type('half');
  await playground.post('/phones', { from: '+12025550177', channel: 'whatsapp', text: 'An event' });
  await page.locator('#customers').getByText('An event').first().waitFor({ state: 'attached' });
  expect(await textOfField(page, parcelField)).toBe('PX-1half');
  await page.getByRole('button', { name: '3. Send Template Message' }).click();
  await page.locator('[aria-current="step"]', { hasText: '3. ' }).waitFor();
  await parcelOf(page).focus();
  await page.keyboard.press('Control+z');
  expect(await textOfField(page, parcelField)).toBe('PX-3');
});

test('a choice shows what a person calls it, and is searched, replaced and taken away', async () => {
  const { page } = await openMapped();
  await page.getByRole('button', { name: 'Channel required WhatsApp' }).click();
  await page.getByRole('button', { name: 'SMS', exact: true }).click();
  await page.getByRole('button', { name: 'Channel required SMS' }).waitFor();
  const country = page.getByRole('button', { name: 'Default Country' });
  await country.click();
  await page.getByRole('searchbox', { name: 'Search the choices' }).fill('nether');
  await page.getByRole('button', { name: 'Netherlands', exact: true }).click();
  await page.getByRole('button', { name: 'Default Country Netherlands' }).click();
  await page.getByRole('button', { name: 'No choice' }).click();
  await page.getByRole('button', { name: 'Default Country Choose…' }).waitFor();
  // An error quotes the value itself.
  const form = (await page.locator('#step').innerText()).replaceAll(/"[^"]*"/g, '');
  expect(form).not.toMatch(/\b(whatsapp|sms|NL)\b/);
});

test('templates are chosen by their text', async () => {
  const { page } = await openMapped();
  await page.getByRole('button', { name: 'Template required Parcel out for delivery' }).click();
  await page.getByRole('button', { name: 'Your parcel [Parcel Number] was delivered' }).click();
  await page.getByRole('button', { name: 'Template required Parcel delivered (en)' }).waitFor();
  expect(await textOfField(page, 'field-template')).toBe('parcel_delivered');
});

test('a choice can be a custom value, which holds one mapped value, and goes back to the list', async () => {
  const { page, zap } = await openMapped();
  await page.getByRole('button', { name: 'Channel required WhatsApp' }).click();
  await page.getByRole('button', { name: 'Custom value' }).click();
  await page.locator('#field-channel:focus').waitFor();
  await page.getByRole('region', { name: 'Channel, custom value' }).getByRole('button', { name: 'Name Noor' }).click();
  await page.locator('#preview-channel').getByText('Noor مرحبا').waitFor();
  expect((await playground.get(`/zap/${zap}?step=1`)).html).toContain('value="{{1.Name}}"');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Choose Channel from the list' }).click();
  await page.getByRole('button', { name: 'WhatsApp', exact: true }).click();
  await page.getByRole('button', { name: 'Channel required WhatsApp' }).waitFor();
  expect(await textOfField(page, 'field-channel')).toBe('whatsapp');
});

test('fields, data and choices fit a phone and a wide screen and are accessible, dark and light', async () => {
  const { page } = await openMapped(`{{1.Note}}${'a'.repeat(200)}{{1.gone}}`);
  for (const width of [375, 1440]) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height: 800 });
      if (width === 375) await showPlace(page, 'Step');
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator('#choose-channel').click();
      await page.locator('#search-channel').waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await parcelOf(page).click();
      await pickerOf(page).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  }
});

test('a list of choices that opens at the lower edge scrolls into view, and mapping a value moves no other field', async () => {
  const { page } = await openMapped('');
  await page.setViewportSize({ width: 1440, height: 800 });
  const topOf = async (id: string) => (await page.locator(id).boundingBox())?.y ?? 0;
  // The search has room below the control, but the choices don't.
  await page.evaluate(`
    document.querySelector('#choose-template').scrollIntoView({ block: 'end' });
    document.querySelector('.stage:not([hidden]) .fields').scrollBy(0, 170);
  `);
  await page.locator('#choose-template').click();
  await page.locator('#search-template:focus').waitFor();
  const { y = 0, height = 0 } = (await page.locator('#choices-template').boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(800);
  await page.keyboard.press('Escape');

  await parcelOf(page).focus();
  const before = await topOf('#label-variable_arrival_time');
  await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).click();
  await page.locator('#preview-variable_parcel_id').getByText('7').waitFor();
  expect(await topOf('#label-variable_arrival_time')).toBeCloseTo(before, 0);
});

test('the picker of a narrow field is wide enough to read, and inside the page', async () => {
  const { zap } = await openMapped();
  await playground.post(`/zap/${zap}/add?before=2&operation=filter`, { at: '1' });
  const page = await playground.open(`zap=${zap}&step=2`);
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 320) await showPlace(page, 'Step');
    for (const field of ['#field-value-0', '#field-text-0']) {
      await page.locator(field).click();
      await page.locator('#picker').waitFor();
      const box = (await page.locator('#picker').boundingBox()) ?? { x: 0, width: 0 };
      expect(box.width).toBeGreaterThanOrEqual(250);
      expect([box.x >= 0, box.x + box.width <= width]).toEqual([true, true]);
      await page.keyboard.press('Escape');
    }
  }
});

/** A person builds a Zap with mouse and keyboard, and nothing is lost. */

import type { Page } from 'playwright-core';
import {
  chooseOperation,
  expectToFit,
  expectToFitEverywhere,
  holdResponse,
  openStage,
  reload,
  showPlace,
  tabTo,
  testInBrowser as test,
  textOfField,
  usePlayground,
} from '../../../test/support/browser';
import { fictionalNumber } from '../../../test/support/running';
import { sendForm } from './playground-client';

describe('steps', () => {
  const playground = usePlayground();

  const row = { id: 1, Phone: '+12025550123', Count: 3, 'Unit.Price': '5' };
  /** Opens the second step of a new Zap whose first one gives a row. Returns the page and the id of the Zap. */
  const openFilled = async (): Promise<{ page: Page; zap: string }> => {
    const zap = await playground.newZap();
    await playground.fill(zap, 0, { operation: 'other' });
    await playground.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': JSON.stringify(row) });
    await playground.fill(zap, 1, { ...sendForm, 'f.to': '{{1.Phone}}' });
    return { page: await playground.open(`zap=${zap}&step=1`), zap };
  };

  /** Opens the menu before a step, or at the end, and adds a step. */
  const addStep = async (page: Page, at: number, operation: string): Promise<void> => {
    await page.locator(`[hx-get$="before=${at}"]`).click();
    await page.locator(`#add-${operation}`).click();
    await page.locator(`#step-${at}[aria-current="step"]`).waitFor({ state: 'attached' });
  };

  /** Maps a value of an earlier step by the picker of a field. */
  const map = async (page: Page, field: string, value: string): Promise<void> => {
    await page.locator(field).click();
    await page.locator('#picker').getByRole('button', { name: value }).first().click();
    await page.keyboard.press('Escape');
  };

  const type = async (page: Page, field: string, text: string): Promise<void> => {
    await page.locator(field).click();
    await page.keyboard.press('Escape');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  };

  /** Chooses from the menu of the open step by keyboard. */
  const act = async (page: Page, action: string): Promise<void> => {
    await page.locator('#open-step-menu').press('Enter');
    await page.locator(`#act-${action}`).press('Enter');
  };

  /** Waits until the list has steps with these titles, and no others. */
  const waitForTitles = async (page: Page, titles: readonly string[]): Promise<void> => {
    await page.locator(`#step-${titles.length}`).waitFor({ state: 'detached' });
    for (const [at, title] of titles.entries()) {
      await page.locator(`#step-${at}`, { hasText: `${at + 1}. ${title}` }).waitFor();
    }
  };

  /** Walks to a control by Tab and presses it. */
  const press = async (page: Page, id: string): Promise<void> => {
    await tabTo(page, id);
    await page.keyboard.press('Enter');
  };

  /** Walks to a dropdown by Tab, and down its list to a choice. */
  const chooseByKey = async (page: Page, field: string, choice: string): Promise<void> => {
    await press(page, `choose-${field}`);
    const chosen = page.locator('.options button:focus', { hasText: choice });
    await page.locator('.options').getByRole('button', { name: choice }).first().waitFor();
    for (let presses = 0; presses < 60 && (await chosen.count()) === 0; presses += 1)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator(`#choose-${field}`).getByText(choice).waitFor();
  };

  /** Walks to a field by Tab, types the beginning of a value's name, and maps it. */
  const mapByKey = async (page: Page, field: string, name: string): Promise<void> => {
    await tabTo(page, field);
    await page.keyboard.type(name);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator(`#${field} .pill`, { hasText: name }).waitFor();
  };

  test('a Zap of a row, a message, a filter and Slack is built and turned on by keyboard alone', async () => {
    const page = await playground.open();
    await page.setViewportSize({ width: 1440, height: 900 });
    const shown = await page.locator('#zap').getAttribute('data-address');
    await tabTo(page, 'open-zaps');
    await page.keyboard.press('ArrowDown');
    await press(page, 'new-zap');
    await page.locator(`#zap:not([data-address="${shown}"])`).waitFor();
    await press(page, 'example-0');
    await press(page, 'act-test');
    await page.locator('#result').getByRole('cell', { name: 'PX-20418' }).waitFor();
    await press(page, 'continue-test');
    await page.locator('#step-1[aria-current="step"]').waitFor();

    await chooseByKey(page, 'channel', 'WhatsApp');
    await chooseByKey(page, 'template', 'Parcel out for delivery (utility, en)');
    await mapByKey(page, 'field-variable_parcel_id', 'Parcel');
    await mapByKey(page, 'field-variable_arrival_time', 'Arrives');
    await mapByKey(page, 'field-to', 'Phone');
    await page.getByText('Sends to +1 202 555 0123, United States').waitFor();

    await press(page, 'add-step');
    await page.getByLabel('Search the steps').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('filter');
    await page.keyboard.press('Enter');
    await page.locator('#step-2[aria-current="step"]').waitFor();
    await mapByKey(page, 'field-value-0', 'Order');
    await tabTo(page, 'condition-0');
    await page.keyboard.type('Exists');
    await page.keyboard.press('Tab');
    await page.getByText('Would continue').waitFor();

    await press(page, 'add-step');
    await page.getByLabel('Search the steps').and(page.locator(':focus')).waitFor();
    // "ai" is in Wait too.
    await page.keyboard.type('ai');
    expect(await page.locator('#additions li:visible').first().textContent()).toContain('AI by Zapier');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('slack');
    await page.keyboard.press('Enter');
    await page.locator('#step-3[aria-current="step"]').waitFor();
    await page.locator('#field-fields-1:focus').waitFor();
    // The data of the nearest step comes first, and has names too.
    await mapByKey(page, 'field-fields-1', 'Noor Visser');
    await press(page, 'switch');
    await page.getByText('Each one runs the Zap.').waitFor();
    await press(page, 'add-record-button');
    await page.getByLabel('What arrived in Slack').getByText('Grace Foster').waitFor();
  });

  test('a Zap of a row and a message is built on a phone with a thumb, from the first screen to the message', async () => {
    await playground.startOver();
    const page = await playground.open();
    await page.setViewportSize({ width: 390, height: 844 });
    const tap = (control: string) => page.locator(control).first().click();
    await tap('#guide button:has-text("Build your own")');
    await tap('#example-0');
    await page.getByText('on the tab Phone').filter({ visible: true }).waitFor();
    await tap('#act-test');
    await tap('#continue-test');
    await tap('#choose-channel');
    await tap('.options button:has-text("WhatsApp")');
    await tap('#choose-template');
    await tap('.options button:has-text("Parcel out for delivery")');
    for (const [field, value] of [
      ['variable_parcel_id', 'Parcel'],
      ['variable_arrival_time', 'Arrives'],
      ['to', 'Phone'],
    ]) {
      await tap(`#field-${field}`);
      await tap(`#picker [data-label="${value}"]`);
    }
    await tap('#switch');
    await showPlace(page, 'Phone');
    await tap('#add-record-button');
    await page.locator('.messages .theirs', { hasText: 'PX-20419' }).waitFor();
  });

  test('Continue leads from part to part, names what is left to fill in, and a reload shows the same part', async () => {
    const { page, zap } = await openFilled();
    await playground.fill(zap, 1, { 'f.to': '' });
    await reload(page);
    await page.locator('#step-1').getByText('Phone Number is empty').waitFor();
    await openStage(page, 'setup');
    await reload(page);
    await tabTo(page, 'continue-setup');
    await page.keyboard.press('Enter');
    await page.locator('#stage-configure:focus').waitFor();
    await tabTo(page, 'continue-configure');
    await page.keyboard.press('Enter');
    await page.locator('#field-to:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('+12025550123');
    await tabTo(page, 'continue-configure');
    await page.locator('#step-1').getByText('Not tested').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#stage-test:focus').waitFor();
    await tabTo(page, 'act-test');
    await page.keyboard.press('Enter');
    await page.locator('#result').getByText('Success').waitFor();
    await page.locator('#act-test:focus').waitFor();
    await page.locator('#step-0').click();
    await page.locator('#step-0[aria-current="step"]').waitFor();
    await page.locator('#step-1').click();
    await page.locator('#step-1[aria-current="step"]').waitFor();
    await openStage(page, 'test');
    await page.locator('#result').getByText('Success').waitFor();
  });

  test('steps are added anywhere, moved, duplicated, renamed and removed, and Undo takes each back', async () => {
    const { page, zap } = await openFilled();
    await addStep(page, 1, 'delay');
    await waitForTitles(page, ['New Row', 'Delay for 1 hour', 'Send Template Message']);
    await act(page, 'down');
    await page.locator('#step-2[aria-current="step"]', { hasText: 'Delay' }).waitFor();
    await page.locator('#open-step-menu:focus').waitFor();
    await page.locator('#act-down[aria-disabled="true"]').waitFor({ state: 'attached' });
    await act(page, 'up');
    await page.locator('#step-1[aria-current="step"]', { hasText: 'Delay' }).waitFor();
    await act(page, 'copy');
    await page.locator('#step-2[aria-current="step"]', { hasText: 'Delay' }).waitFor();
    await page.locator('#open-step-menu').click();
    await page.getByLabel('Name of the step').fill('Wait for the driver');
    await page.keyboard.press('Enter');
    await page.locator('#step-2').getByText('Wait for the driver').waitFor();
    await act(page, 'remove');
    await waitForTitles(page, ['New Row', 'Delay for 1 hour', 'Send Template Message']);
    expect((await playground.get(`/zap/${zap}?step=2`)).html).toContain('value="{{1.Phone}}"');
    for (let changes = 6; changes > 0; changes -= 1) await page.locator('#undo').click();
    await waitForTitles(page, ['New Row', 'Send Template Message']);
  });

  test('filters, the menu of steps and each part of a form fit a phone and are accessible, dark and light', async () => {
    const { page } = await openFilled();
    await addStep(page, 2, 'filter');
    await map(page, '#field-value-0', 'Count 3');
    await type(page, '#field-text-0', 'x'.repeat(80));
    await page.getByText('Would stop').waitFor();
    for (const stage of ['configure', 'setup', 'test'] as const) {
      await openStage(page, stage);
      await expectToFitEverywhere(page, 'Step');
    }
    await page.locator('#open-step-menu').click();
    await expectToFit(page, 375, 'light');
    await page.keyboard.press('Escape');
    await expectToFitEverywhere(page, 'Zap', () => page.locator('#add-step').click());
  });
});

describe('mapped values', () => {
  const playground = usePlayground();

  const mappedForm = { ...sendForm, 'f.variable_arrival_time': '', 'f.to': '{{1.Phone}}' };

  const parcelField = 'field-variable_parcel_id';
  const mapped = '{{1.Row Number}}';

  /** Opens the second step of a new Zap whose first one gives a row with a number, a name and a phone number. */
  const openMapped = async (parcel = 'PX-1'): Promise<{ page: Page; zap: string }> => {
    const zap = await playground.newZap();
    await playground.fill(zap, 0, { operation: 'other' });
    const json = JSON.stringify({ 'Row Number': 7, Name: 'Noor مرحبا', Note: '', Phone: '+12025550123' });
    await playground.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': json });
    await playground.fill(zap, 1, { ...mappedForm, 'f.variable_parcel_id': parcel });
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
    await page.locator('#label-variable_parcel_id').click();
    await pickerOf(page).getByText('1. Sheets: New Row').waitFor();
    await page.locator('#choose-channel').focus();
    await pickerOf(page).waitFor({ state: 'hidden' });
    await placeCaret(page, 3);
    await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).click();
    await pickerOf(page).waitFor({ state: 'hidden' });
    expect(await textOfField(page, parcelField)).toBe(`PX-${mapped}1`);
    await page.keyboard.press('Control+z');
    expect(await textOfField(page, parcelField)).toBe('PX-1');
    await page.keyboard.press('Control+Shift+z');
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

  test('a word that matches no value is text, so its list goes until something matches again', async () => {
    const { page } = await openMapped('');
    await parcelOf(page).focus();
    await pickerOf(page).waitFor();
    await page.keyboard.type('zz');
    await pickerOf(page).waitFor({ state: 'hidden' });
    await page.keyboard.type(' row');
    await pickerOf(page).getByRole('button', { name: 'Row Number 7' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('qq');
    await pickerOf(page).waitFor({ state: 'hidden' });
    // The next field is free to click.
    await page.locator('#choose-template').click({ position: { x: 30, y: 10 } });
    await page.locator('#search-template:focus').waitFor();
  });

  test('the values that a rule can have stay in reach of the pointer below the list of data', async () => {
    const { zap } = await openMapped();
    await playground.fill(zap, 1, { operation: 'creates.send_message_and_wait' });
    await playground.post(`/zap/${zap}/add?before=2&step=filter`);
    await playground.fill(zap, 2, { 'f.value-0': '{{2.answer}}', 'f.condition-0': '(Text) Exactly matches' });
    const page = await playground.open(`zap=${zap}&step=2`);
    await page.locator('#field-text-0').click();
    await page.locator('#picker:popover-open').waitFor();
    await page.locator('#value-0-no').click();
    await page.locator('#value-0-no[aria-pressed="true"]').waitFor();
    expect(await textOfField(page, 'field-text-0')).toBe('no');
    // A long example is cut in its pill, and the field stays in its rule.
    await playground.fill(zap, 2, { 'f.value-0': '{{2.reply_text}}' });
    await reload(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await showPlace(page, 'Step');
    await page.locator('#field-value-0 .pill').waitFor();
    const [field, rule] = await page.evaluate<number[]>(
      `['#field-value-0', '.rule'].map((each) => document.querySelector(each).getBoundingClientRect().right)`,
    );
    expect(field).toBeLessThan(rule ?? 0);
  });

  test('the name of every value, typed in full behind other words, gives place to the value', async () => {
    const zap = await playground.newZap();
    await playground.fill(zap, 1, sendForm);
    const page = await playground.open(`zap=${zap}&step=1`);
    const values = await page.evaluate<[label: string, map: string][]>(
      `[...document.querySelectorAll('#mappings [data-map]')].map(({ dataset }) => [dataset.label, dataset.map])`,
    );
    expect(values.length).toBeGreaterThan(10);
    for (const [label, map] of values) {
      await page.locator('#choose-channel').focus();
      await parcelOf(page).focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(`seeing you on ${label}`);
      // A folded list opens when it has what is searched.
      await page.locator(`#picker [data-map="${map}"]`).click();
      expect([label, await textOfField(page, parcelField)]).toEqual([label, `seeing you on ${map}`]);
    }
    await parcelOf(page).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' on contact first name');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await textOfField(page, parcelField)).toMatch(/}} on {{1\.contact\.first_name}}$/);
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

  test('no key leaves half of a mapped value, and Ctrl+Z restores the text', async () => {
    const text = `a ${mapped} b`;
    const { page } = await openMapped(text);
    for (const [position, keys, expected] of [
      [3, ['Backspace'], 'a  b'],
      [2, ['Delete'], 'a  b'],
      [3, ['Control+Backspace'], 'a  b'],
      [2, ['Shift+ArrowRight', 'Backspace'], 'a  b'],
      [1, ['Shift+ArrowRight', 'Shift+ArrowRight', 'x'], 'ax b'],
      [3, ['x'], `a ${mapped}x b`],
      [1, ['Backspace'], ` ${mapped} b`],
      [2, ['Shift+ArrowRight', 'Control+x', 'Control+Home', 'Control+v'], `${mapped}a  b`],
    ] as const) {
      await placeCaret(page, position);
      for (const key of keys) await page.keyboard.press(key);
      expect([position, keys, await textOfField(page, parcelField)]).toEqual([position, keys, expected]);
      while ((await textOfField(page, parcelField)) !== text) await page.keyboard.press('Control+z');
    }
  });

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
    await page.locator('#field-variable_arrival_time:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.locator(`#${parcelField}:focus`).waitFor();
    await page.locator('#insert-field-variable_parcel_id').click();
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

  test('text that is typed survives an event, and another step begins with its own text and history', async () => {
    const { page, zap } = await openMapped();
    await playground.post(`/zap/${zap}/add`);
    await playground.fill(zap, 2, { ...mappedForm, 'f.variable_parcel_id': 'PX-3' });
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
    await chooseOperation(page, 'searches.find_messages');
    await page.getByRole('button', { name: 'Direction Choose…' }).click();
    await page.getByRole('searchbox', { name: 'Search the choices' }).fill('outb');
    await page.getByRole('button', { name: 'Outbound (from you)', exact: true }).click();
    await page.getByRole('button', { name: 'Direction Outbound (from you)' }).click();
    await page.getByRole('button', { name: 'No choice' }).click();
    await page.getByRole('button', { name: 'Direction Choose…' }).waitFor();
    // An error quotes the value itself.
    const form = (await page.locator('#step').innerText()).replaceAll(/"[^"]*"/g, '');
    expect(form).not.toMatch(/\b(whatsapp|sms)\b/);
  });

  test('a choice can be a custom value, which holds one mapped value, and goes back to the list', async () => {
    const { page, zap } = await openMapped();
    await page.getByRole('button', { name: 'Channel required WhatsApp' }).click();
    await page.getByRole('button', { name: 'Custom value' }).click();
    await page.locator('#field-channel:focus').waitFor();
    await page
      .getByRole('region', { name: 'Channel, custom value' })
      .getByRole('button', { name: 'Name Noor' })
      .click();
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
    await expectToFitEverywhere(page, 'Step', async () => {
      await page.locator('#choose-channel').click();
      await page.locator('#search-channel').waitFor();
    });
    await expectToFitEverywhere(page, 'Step', async () => {
      await parcelOf(page).click();
      await pickerOf(page).waitFor();
    });
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

  test('a long name keeps its words and its example, and an example from right to left shows its beginning', async () => {
    const zap = await playground.newZap();
    const label = 'Customer Name As It Was Entered In The Form By The Person';
    const record = {
      [label]: 'Grace',
      Note: 'x'.repeat(180),
      Arabic: 'مرحبا، أين طردي؟ لقد انتظرت طوال اليوم ولم يصل أحد',
    };
    await playground.fill(zap, 0, { operation: 'other' });
    await playground.fill(zap, 0, { 'f.event': `Sheets: ${label}`, 'f.json': JSON.stringify(record) });
    await playground.fill(zap, 1, { ...mappedForm, 'f.variable_parcel_id': '{{1.Arabic}}' });
    const page = await playground.open(`zap=${zap}&step=1`);
    await page.setViewportSize({ width: 390, height: 844 });
    await showPlace(page, 'Step');
    await page.locator('#field-to').click();
    await page.locator('#picker').waitFor();
    const rows = await page.evaluate(`{
      const linesOf = (text, from, to) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return range.getClientRects().length;
      };
      [...document.querySelectorAll('#picker [data-map]')].map(({ firstChild, dataset, children: [example] }) => [
        [...dataset.label.matchAll(/\\w+/g)].every(({ 0: word, index }) => linesOf(firstChild, index, index + word.length) === 1),
        example.clientWidth > 20,
      ]);
    }`);
    expect(rows).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    await page.keyboard.press('Escape');
    const beginning = await page.evaluate(`{
      const example = document.querySelector('#${parcelField}').shadowRoot.querySelector('.example');
      const range = document.createRange();
      range.setStart(example.firstChild, 0);
      range.setEnd(example.firstChild, 1);
      const [letter, box] = [range.getBoundingClientRect(), example.getBoundingClientRect()];
      letter.left >= box.left - 1 && letter.right <= box.right + 1;
    }`);
    expect(beginning).toBe(true);
    await showPlace(page, 'Phone');
    const records = '.window-title > .soft';
    expect(await page.locator(records).textContent()).toBe('1 record');
    expect(
      await page.evaluate(
        `{ const { scrollWidth, clientWidth } = document.querySelector('${records}'); scrollWidth <= clientWidth; }`,
      ),
    ).toBe(true);
  });

  test('the picker of a narrow field is wide enough to read, and inside the page', async () => {
    const { zap } = await openMapped();
    await playground.post(`/zap/${zap}/add?before=2&step=filter`, { at: '1' });
    const page = await playground.open(`zap=${zap}&step=2`);
    const expectReadable = async (width: number): Promise<void> => {
      for (const field of ['#field-value-0', '#field-text-0']) {
        await page.locator(field).click();
        await page.locator('#picker').waitFor();
        const box = (await page.locator('#picker').boundingBox()) ?? { x: 0, width: 0 };
        expect(box.width).toBeGreaterThanOrEqual(250);
        expect([box.x >= 0, box.x + box.width <= width]).toEqual([true, true]);
        await page.keyboard.press('Escape');
      }
    };
    await page.setViewportSize({ width: 1440, height: 800 });
    await expectReadable(1440);
    await page.setViewportSize({ width: 320, height: 800 });
    await showPlace(page, 'Step');
    await expectReadable(320);
  });
});

describe('versions', () => {
  const playground = usePlayground();

  /** Opens the second step of a new Zap that is filled in. Returns the page and the id of the Zap. */
  const openFilled = async (): Promise<{ page: Page; zap: string }> => {
    const zap = await playground.newZap();
    await playground.fill(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': [zap], 'f.match': 'contains' });
    await playground.fill(zap, 1, sendForm);
    return { page: await playground.open(`zap=${zap}&step=1`), zap };
  };

  const parcelOf = (page: Page) => page.getByRole('textbox', { name: 'Parcel Number required' });
  const openStepOf = (page: Page, name: string) => page.locator('[aria-current="step"]', { hasText: name });

  /** Fills in a field as a person does, and waits until it's saved. */
  const enter = async (page: Page, label: string, text: string): Promise<void> => {
    const saved = page.waitForResponse((response) => response.headers()['hx-retarget'] === '#version');
    await page.getByRole('textbox', { name: label }).fill(text);
    await page.keyboard.press('Tab');
    await saved;
  };

  /** Waits until the field shows a text. */
  const waitForValue = async (page: Page, id: string, text: string): Promise<void> => {
    while ((await textOfField(page, id)) !== text);
  };

  test('Undo and Redo go through changes and a removed step, by buttons and by Ctrl+Z outside of fields', async () => {
    const { page } = await openFilled();
    await enter(page, 'Parcel Number required', 'PX-2');
    await page.locator('#undo[aria-disabled="false"]').click();
    await waitForValue(page, 'field-variable_parcel_id', 'PX-1');
    await page.locator('#redo').click();
    await waitForValue(page, 'field-variable_parcel_id', 'PX-2');
    await page.locator('#open-step-menu').click();
    await page.getByRole('button', { name: 'Remove step' }).click();
    await openStepOf(page, '1. ').waitFor();
    await page.locator('#step-0').focus();
    await page.keyboard.press('Control+z');
    await openStepOf(page, '2. Send Template Message').waitFor();
    await waitForValue(page, 'field-variable_parcel_id', 'PX-2');
    await page.locator('#step-1').focus();
    await page.keyboard.press('Control+z');
    await waitForValue(page, 'field-variable_parcel_id', 'PX-1');
    await page.keyboard.press('Control+Shift+Z');
    await waitForValue(page, 'field-variable_parcel_id', 'PX-2');
    await page.locator('#redo[aria-disabled="false"]').waitFor();
  });

  test('the keyboard alone renames, duplicates and deletes a Zap, and Ctrl+Z brings it back', async () => {
    const { page, zap } = await openFilled();
    const title = page.locator('#zap-title');
    await page.locator('#open-zaps').press('Enter');
    await tabTo(page, 'zap-name');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Parcels for Noor');
    await page.keyboard.press('Enter');
    await title.getByText('Parcels for Noor', { exact: true }).waitFor();
    await page.locator('#open-zap-menu').press('Enter');
    await page.locator('#duplicate').press('Enter');
    await title.getByText('Copy of Parcels for Noor', { exact: true }).waitFor();
    await page.locator('#open-zap-menu').press('Enter');
    await page.locator('#delete').press('Enter');
    await page.getByText('Copy of Parcels for Noor is deleted.').waitFor();
    await page.locator('#step-0').focus();
    await page.keyboard.press('Control+z');
    await title.getByText('Copy of Parcels for Noor', { exact: true }).waitFor();
    await playground.post(`/zap/${zap}/delete`);
    await reload(page);
    await page.locator('#open-zaps').click();
    await page.getByText('Deleted Zaps').click();
    await page.locator(`#restore-${zap}`).click();
    await title.getByText('Parcels for Noor', { exact: true }).waitFor();
  });

  /** A browser tells of each refused save. */
  const expectConflicts = (): void =>
    expect(playground.takeProblems().filter((problem) => !problem.includes('409'))).toEqual([]);

  /** Changes a field here and in another tab. */
  const changeInBoth = async (page: Page, zap: string): Promise<void> => {
    await playground.fill(zap, 1, { 'f.variable_parcel_id': 'PX-theirs' });
    await parcelOf(page).fill('PX-mine');
    await page.keyboard.press('Tab');
    await page.getByText('Another tab changed this step').waitFor();
    expectConflicts();
  };

  test('two tabs that change a step ask what to keep, and both texts can be kept', async () => {
    const { page, zap } = await openFilled();
    await enter(page, 'Parcel Number required', 'PX-5');
    await enter(page, 'Test Messages Go To', '+12025550123');
    await changeInBoth(page, zap);
    await waitForValue(page, 'field-variable_parcel_id', 'PX-mine');
    await page.getByRole('button', { name: 'Load it' }).click();
    await page.getByText('Another tab changed').waitFor({ state: 'hidden' });
    await waitForValue(page, 'field-variable_parcel_id', 'PX-theirs');
    await playground.fill(zap, 1, { 'f.variable_parcel_id': 'PX-again' });
    await parcelOf(page).fill('PX-mine');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Another tab changed').waitFor({ state: 'hidden' });
    const { html } = await playground.get(`/zap/${zap}?step=1`);
    for (const value of ['PX-mine', '+12025550123']) expect(html).toContain(`value="${value}"`);
    expectConflicts();
  });

  test('drafts, conflicts and deleted Zaps fit a phone and a wide screen and are accessible, dark and light', async () => {
    await playground.post(`/zap/${await playground.newZap()}/delete`);
    const { page, zap } = await openFilled();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    await changeInBoth(page, zap);
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    await expectToFitEverywhere(page, 'Step', async () => {
      await page.locator('#open-zaps').click();
      await page.locator('#deleted-zaps').evaluate((list) => list.toggleAttribute('open', true));
    });
    await expectToFitEverywhere(page, 'Step');
    await playground.post(`/zap/${zap}/off`);
  });

  test('Start over empties the playground, here and in other tabs', async () => {
    const { page, zap } = await openFilled();
    const from = fictionalNumber(818, 9);
    await playground.post('/phones', { from, text: 'Hello', channel: 'whatsapp' });
    await page.locator('.chat-link', { hasText: from }).waitFor({ state: 'attached' });
    await page.locator('#open-zap-menu').click();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Remove everything' }).click();
    await page.locator('#zap.first').waitFor({ state: 'attached' });
    await page.locator('body[data-live]').waitFor();
    expect(await page.locator('.chat-link', { hasText: from }).count()).toBe(0);
    expect((await playground.get(`/zap/${zap}`)).status).toBe(422);
    await playground.newZap();
    await page.goto(`${playground.url}/?zap=zap-2`);
    await page.locator('body[data-live]').waitFor();
    await playground.post('/start-over');
    await page.locator('#zap.first').waitFor({ state: 'attached' });
    await page.goto('about:blank');
    // A refresh that was on its way may have asked for a Zap that is gone.
    expect(playground.takeProblems().filter((line) => !line.includes('status of 422'))).toEqual([]);
  });
});

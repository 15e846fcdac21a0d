/** A person builds a Zap: adds, fills in, tests, arranges and names its steps. */
import type { Page } from 'playwright-core';
import {
  expectToFit,
  findAccessibilityProblems,
  loadRecipe,
  openNewZap,
  openRuns,
  openStage,
  reload,
  showPlace,
  tabTo,
  testInBrowser as test,
  testStep,
  textOfField,
  usePlayground,
} from '../support/browser';

const playground = usePlayground();

const row = { id: 1, Phone: '+12025550123', Count: 3, 'Unit.Price': '5' };
const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': '{{1.Count}}',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.Phone}}',
};

/** Opens the second step of a new Zap whose first one gives a row. Returns the page and the id of the Zap. */
const openFilled = async (): Promise<{ page: Page; zap: string }> => {
  const zap = await playground.newZap();
  await playground.fill(zap, 0, { operation: 'other' });
  await playground.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': JSON.stringify(row) });
  await playground.fill(zap, 1, sendForm);
  return { page: await playground.open(`zap=${zap}&step=1`), zap };
};

/** Opens the menu before a step, or at the end, and adds a step. */
const addStep = async (page: Page, at: number, operation: string): Promise<void> => {
  await page.locator(`[popovertarget="add-at-${at}"]`).click();
  await page.locator(`#add-${operation}-${at}`).click();
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

const choose = async (page: Page, field: string, choice: string | RegExp): Promise<void> => {
  await page.locator(`#choose-${field}`).click();
  await page.locator('.options').getByRole('button', { name: choice }).click();
  await page.locator(`#choose-${field}`).getByText(choice).waitFor();
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

test('a newcomer builds a Zap of a row, a message, a filter and Slack from nothing, and it runs', async () => {
  const page = await playground.open();
  await openNewZap(page);
  await page.getByRole('button', { name: 'Google Sheets: New Spreadsheet Row' }).click();
  await page.locator('#continue-configure').click();
  await page.getByRole('button', { name: 'Test step' }).click();
  await page.locator('#result').getByRole('cell', { name: 'PX-20418' }).waitFor();
  await page.locator('#continue-test').click();

  await choose(page, 'channel', 'WhatsApp');
  await choose(page, 'template', /Parcel out for delivery \(en\)/);
  await choose(page, 'channel', 'SMS');
  await page.locator('#choose-template').getByText('Choose…').waitFor();
  await choose(page, 'channel', 'WhatsApp');
  await choose(page, 'template', /Parcel out for delivery \(en\)/);
  await map(page, '#field-variable_parcel_id', 'Parcel PX-20418');
  await map(page, '#field-variable_arrival_time', 'Arrives');
  await map(page, '#field-to', 'Phone');
  await page.locator('#preview-to').getByText('Sends to +1 202 555 0123, United States').waitFor();
  await page.locator('#continue-configure').click();
  await page.getByRole('button', { name: 'Test step' }).click();
  await page.locator('#result').getByText('Success').waitFor();
  await page
    .locator('#result')
    .getByText(/^\d+ empty values$/)
    .waitFor();

  await addStep(page, 2, 'filter');
  await map(page, '#field-value-0', 'Order A-1042');
  await page.getByLabel('Condition of rule 1').selectOption('Exists');
  await page.getByText('Would continue').waitFor();

  await addStep(page, 3, 'other');
  await page.getByRole('button', { name: 'Slack: Send Channel Message' }).click();
  await page.locator('#step-3').getByText('Message Text is empty').waitFor();
  await page.locator('#continue-configure').click();
  await page.locator('#problem-fields').getByText('Message Text is empty. Fill it in').waitFor();
  await page.locator('[name="v.fields"]:focus >> nth=0').waitFor();
  await map(page, '[name="v.fields"] >> nth=1', 'Name Noor Visser');
  await page.locator('#step-3').getByText('Not tested').waitFor();
  await page.locator('#problem-fields').waitFor({ state: 'detached' });
  await page.locator('#continue-configure').click();
  await page.getByRole('button', { name: 'Go to Turn on' }).press('Enter');
  await page.locator('#switch:focus').press('Enter');
  await page.getByText('Each one runs the Zap.').waitFor();
  await page.getByRole('button', { name: 'New Spreadsheet Row', exact: true }).press('Enter');
  await openRuns(page, 'Success');
  await page.getByText('Slack: Send Channel Message: Success. Channel: #deliveries. Message Text: Noor').waitFor();
});

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
  await press(page, 'continue-configure');
  await press(page, 'act-test');
  await page.locator('#result').getByRole('cell', { name: 'PX-20418' }).waitFor();
  await press(page, 'continue-test');
  await page.locator('#step-1[aria-current="step"]').waitFor();

  await chooseByKey(page, 'channel', 'WhatsApp');
  await chooseByKey(page, 'template', 'Parcel out for delivery (en)');
  await mapByKey(page, 'field-variable_parcel_id', 'Parcel');
  await mapByKey(page, 'field-variable_arrival_time', 'Arrives');
  await mapByKey(page, 'field-to', 'Phone');
  await page.getByText('Sends to +1 202 555 0123, United States').waitFor();

  await press(page, 'add-step');
  await press(page, 'add-filter-2');
  await page.locator('#step-2[aria-current="step"]').waitFor();
  await mapByKey(page, 'field-value-0', 'Order');
  await tabTo(page, 'condition-0');
  await page.keyboard.type('Exists');
  await page.keyboard.press('Tab');
  await page.getByText('Would continue').waitFor();

  await press(page, 'add-step');
  await press(page, 'add-other-3');
  await page.locator('#step-3[aria-current="step"]').waitFor();
  await press(page, 'example-0');
  await mapByKey(page, 'field-fields-1', 'Name');
  await press(page, 'switch');
  await page.getByText('Each one runs the Zap.').waitFor();
  await press(page, 'add-record-button');
  await page.getByLabel('What arrived in Slack').getByText('Noor Visser').waitFor();
});

test('a filter says what it would do with the data, and its test does so too', async () => {
  const { page, zap } = await openFilled();
  await addStep(page, 2, 'filter');
  await page.locator('#stage-configure').getByText('incomplete').waitFor({ state: 'attached' });
  await map(page, '#field-value-0', 'Count 3');
  await page.getByLabel('Condition of rule 1').selectOption('(Number) Greater than');
  await type(page, '#field-text-0', '2');
  await page.getByText('Would continue: "3" (Number) Greater than "2".').waitFor();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await map(page, '#field-value-1', 'Phone');
  await page.getByLabel('Condition of rule 2').selectOption('Does not exist');
  await page.locator('#field-text-1').waitFor({ state: 'detached' });
  await page.getByText('Would stop: "+12025550123" Does not exist').waitFor();
  await testStep(page);
  await page.locator('#result').getByText('Filtered').waitFor();
  await page.locator('#result').getByText('so the run stops here').waitFor();
  await page.locator('#step-2').getByText('Tested').waitFor();

  await openStage(page, 'configure');
  await page.getByRole('button', { name: 'Remove rule 2' }).click();
  await page.getByText('Would continue').waitFor();
  await openStage(page, 'test');
  await page.getByText('The step changed since its last run.').waitFor();
  await reload(page);
  await page.getByRole('button', { name: 'Test again' }).click();
  await page.locator('#result').getByText('All rules match, so the run continues.').waitFor();
  expect((await playground.get(`/zap/${zap}?step=2`)).html).toContain('value="{{1.Count}}"');
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

test('a step that uses data of the one above it stays below, and a sentence says so', async () => {
  const { page } = await openFilled();
  await addStep(page, 2, 'filter');
  await map(page, '#field-value-0', 'Status');
  await act(page, 'up');
  await page.getByText('Step 3, Filter, uses data of step 2, Send Template Message, and has to come after').waitFor();
  await waitForTitles(page, ['New Row', 'Send Template Message', 'Filter']);
});

test('Paths adds two paths, and the run takes those whose rules match', async () => {
  const { page } = await openFilled();
  await addStep(page, 2, 'path');
  await waitForTitles(page, ['New Row', 'Send Template Message', 'Path A', 'Path B']);
  await map(page, '#field-value-0', 'Count 3');
  await type(page, '#field-text-0', '4');
  await page.getByText('Would skip this path: "3" (Text) Exactly matches "4"').waitFor();
  await addStep(page, 3, 'other');
  await page.getByRole('button', { name: 'Slack: Send Channel Message' }).click();
  await page.locator('#stage-configure[aria-current="true"]').waitFor();
  await map(page, '[name="v.fields"] >> nth=1', 'Phone');
  await page.locator('#step-4').click();
  await page.locator('#step-4[aria-current="step"]').waitFor();
  await map(page, '#field-value-0', 'Count 3');
  await type(page, '#field-text-0', '3');
  await page.getByText('Would take this path').waitFor();
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText('Each one runs the Zap.').waitFor();
  await page.getByRole('button', { name: 'New Spreadsheet Row', exact: true }).click();
  await openRuns(page, 'Success');
  await page.getByText('Path A: Filtered').waitFor();
  await page.getByText('Slack: Send Channel Message: Filtered').waitFor();
  await page.getByText('Path B: Success').waitFor();
});

test('the menu of steps opens and closes by keyboard', async () => {
  const { page } = await openFilled();
  await tabTo(page, 'insert-step-1');
  await page.keyboard.press('Enter');
  await tabTo(page, 'add-filter-1');
  await page.keyboard.press('Escape');
  await page.locator('#insert-step-1:focus').waitFor();
  await page.locator('#add-filter-1').waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await tabTo(page, 'add-filter-1');
  await page.keyboard.press('Enter');
  await page.locator('#step-1[aria-current="step"]', { hasText: 'Filter' }).waitFor();
  await page.locator('#stage-configure:focus').waitFor();
});

test('filters, the menu of steps and each part of a form fit a phone and are accessible, dark and light', async () => {
  const { page } = await openFilled();
  await addStep(page, 2, 'filter');
  await map(page, '#field-value-0', 'Count 3');
  await type(page, '#field-text-0', 'x'.repeat(80));
  await page.getByText('Would stop').waitFor();
  for (const stage of ['configure', 'setup', 'test'] as const) {
    await openStage(page, stage);
    await expectToFit(page, 1440, 'light');
    await page.setViewportSize({ width: 375, height: 800 });
    await showPlace(page, 'Step');
    await expectToFit(page, 375, 'dark');
  }
  await page.locator('#open-step-menu').click();
  await expectToFit(page, 375, 'light');
  await page.keyboard.press('Escape');
  await showPlace(page, 'Zap');
  await page.locator('#add-step').click();
  await expectToFit(page, 375, 'dark');
});

test('the menu below the last step opens inside a narrow screen', async () => {
  const { page } = await openFilled();
  await page.setViewportSize({ width: 375, height: 812 });
  for (let step = 2; step < 9; step += 1) await addStep(page, step, 'delay').then(() => showPlace(page, 'Zap'));
  await page.locator('#add-step').click();
  const { top, bottom } = await page.evaluate<{ top: number; bottom: number }>(
    "document.querySelector('#add-at-9').getBoundingClientRect().toJSON()",
  );
  expect([top >= 0, bottom <= 812]).toEqual([true, true]);
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('a step that is opened while the account is not connected keeps what was filled in', async () => {
  const page = await playground.open();
  await page.setViewportSize({ width: 1280, height: 800 });
  await loadRecipe(page, 'Message for each new row');
  await playground.post('/simulate', { token: 'rotate' });
  await page.locator('#step-1').click();
  await page.getByText('Some fields may be missing').waitFor();
  await type(page, '#field-test_recipient', '+12025550188');
  await playground.post('/simulate', { token: 'reconnect' });
  await page.locator('#step-0').click();
  await page.locator('#step-1').click();
  await page.locator('#field-variable_arrival_time').waitFor();
  expect(await textOfField(page, 'field-variable_parcel_id')).toBe('{{1.Parcel}}');
  expect(await textOfField(page, 'field-variable_arrival_time')).toBe('{{1.Arrives}}');
  expect(await textOfField(page, 'field-test_recipient')).toBe('+12025550188');
  await page.getByText('Some fields may be missing').waitFor({ state: 'detached' });
});

/** Nothing that a person does with mouse or keyboard is lost. */
import type { Page } from 'playwright-core';
import {
  expectToFit,
  openChat,
  openStage,
  reload,
  showPlace,
  tabTo,
  testInBrowser as test,
  textOfField,
  usePlayground,
} from '../support/browser';
import { fictionalNumber } from '../support/running';

const playground = usePlayground();

const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.from}}',
};

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

test('arrow keys on the list of actions, there and back, lose nothing', async () => {
  const { page } = await openFilled();
  await openStage(page, 'setup');
  await page.locator('#operation').focus();
  await page.keyboard.press('ArrowDown');
  await openStepOf(page, 'Send Message and Wait for Reply').waitFor();
  await waitForValue(page, 'field-variable_parcel_id', 'PX-1');
  await page.keyboard.press('ArrowDown');
  await openStepOf(page, 'Start Campaign').waitFor();
  for (const name of ['Send Message and Wait for Reply', 'Send Template Message']) {
    await page.keyboard.press('ArrowUp');
    await openStepOf(page, name).waitFor();
  }
  await waitForValue(page, 'field-variable_parcel_id', 'PX-1');
  await waitForValue(page, 'field-to', '{{1.from}}');
});

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

test('Ctrl+Z in a field takes back what was typed there, and no change of the Zap', async () => {
  const { page } = await openFilled();
  await parcelOf(page).click();
  await page.keyboard.press('End');
  await page.keyboard.type('9');
  await page.keyboard.press('Control+z');
  await waitForValue(page, 'field-variable_parcel_id', 'PX-1');
  await page.locator('#step-1').focus();
  await page.locator('#redo[aria-disabled="true"]').waitFor();
});

test('a Zap that is on runs its published version until Publish', async () => {
  const { page, zap } = await openFilled();
  const write = async (index: number) =>
    playground.post('/phones', { from: fictionalNumber(818, index), text: zap, channel: 'whatsapp' });
  const runs = (text: string) => playground.waitFor(`/zap/${zap}/runs`, (html) => html.includes(text));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  await enter(page, 'Parcel Number required', 'PX-draft');
  const publish = page.getByRole('button', { name: 'Publish' });
  await publish.waitFor();
  await write(1);
  await runs('1 run,');
  await openChat(page, fictionalNumber(818, 1));
  await page.getByLabel('Messages').getByText('Your parcel PX-1 arrives').waitFor();
  await publish.click();
  await publish.waitFor({ state: 'hidden' });
  await write(2);
  await runs('2 runs,');
  await openChat(page, fictionalNumber(818, 2));
  await page.getByLabel('Messages').getByText('Your parcel PX-draft arrives').waitFor();
  await playground.post(`/zap/${zap}/off`);
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
  await enter(page, 'Send Tests To', '+12025550123');
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

test('saves that wait for each other in one tab keep everything, and conflict with nothing', async () => {
  const { page, zap } = await openFilled();
  const typed = Promise.withResolvers<void>();
  await page.route('**/zap/*/1', (route) => typed.promise.then(() => route.continue()));
  await page.getByRole('textbox', { name: 'Phone Number required' }).fill('+12025550123');
  for (const at of [1, 2, 3]) {
    await parcelOf(page).fill(`PX-${at}`);
    await page.keyboard.press('Tab');
  }
  await page.locator('#stage-setup').press('Enter');
  typed.resolve();
  await page.locator('#stage-setup[aria-current="true"]').waitFor();
  expect(await page.getByText('Another tab changed').count()).toBe(0);
  const { html } = await playground.get(`/zap/${zap}?step=1`);
  for (const value of ['PX-3', '+12025550123']) expect(html).toContain(`value="${value}"`);
});

test('the error of a field stays while other fields change, and goes when it changes', async () => {
  const { page } = await openFilled();
  await page.getByRole('textbox', { name: 'Phone Number required' }).fill('12');
  await openStage(page, 'test');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('#result').waitFor();
  await openStage(page, 'configure');
  const problem = page.locator('#problem-to');
  await problem.waitFor();
  await enter(page, 'Parcel Number required', 'PX-6');
  await reload(page);
  await problem.waitFor();
  await page.getByRole('textbox', { name: 'Phone Number required' }).fill('+12025550123');
  await page.keyboard.press('Tab');
  await problem.waitFor({ state: 'hidden' });
  await openStage(page, 'test');
  await page.getByText('The step changed since its last run.').waitFor();
  await page.locator('#result').waitFor({ state: 'detached' });
});

test('drafts, conflicts and deleted Zaps fit a phone and a wide screen and are accessible, dark and light', async () => {
  await playground.post(`/zap/${await playground.newZap()}/delete`);
  const { page, zap } = await openFilled();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  await changeInBoth(page, zap);
  await page.getByRole('button', { name: 'Publish' }).waitFor();
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 375) await showPlace(page, 'Step');
    for (const colorScheme of ['dark', 'light'] as const) {
      await expectToFit(page, width, colorScheme);
      await page.locator('#open-zaps').click();
      if (colorScheme === 'dark')
        await page.locator('#deleted-zaps').evaluate((list) => list.toggleAttribute('open', true));
      await expectToFit(page, width, colorScheme);
      await page.keyboard.press('Escape');
    }
  }
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

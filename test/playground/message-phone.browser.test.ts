/** The phone beside a form that sends a message, and what it reads out. */
import type { Page } from 'playwright-core';
import {
  chooseOperation,
  findAccessibilityProblems,
  openStage,
  reload,
  showPlace,
  testInBrowser as test,
  textOfField,
  usePlayground,
} from '../support/browser';
import { found } from '../support/playground-client';

const playground = usePlayground();

const phone = (page: Page) => page.getByRole('region', { name: 'What the customer sees' });
const bubble = (page: Page) => phone(page).locator('.bubble.theirs');

/** Opens the second step of a new Zap whose first one gives a name, a time and a phone number. */
const openForm = async (form: Record<string, string> = {}): Promise<Page> => {
  const zap = await playground.newZap();
  await playground.fill(zap, 0, { operation: 'other' });
  const json = JSON.stringify({ Parcel: 'PX-7', Time: '2:30 pm', Phone: '+12025550123' });
  await playground.fill(zap, 0, { 'f.event': 'Sheets: New Row', 'f.json': json });
  await playground.fill(zap, 1, { 'f.channel': 'whatsapp', 'f.template': 'parcel_out_for_delivery', ...form });
  return playground.open(`zap=${zap}&step=1`);
};

test('the phone follows what a person types, before it is saved', async () => {
  const page = await openForm();
  await bubble(page).getByText('Parcel Number', { exact: true }).waitFor();
  await phone(page).getByText('WhatsApp').waitFor();
  await phone(page).getByText('Phone Number').waitFor();

  await page.getByRole('textbox', { name: 'Parcel Number required' }).focus();
  await page.keyboard.type('PX-1 <b>مرحبا</b>');
  await bubble(page).getByText('Your parcel PX-1 <b>مرحبا</b> arrives today at about Arrival Time.').waitFor();
  expect(await bubble(page).locator('b').count()).toBe(0);
  expect(await textOfField(page, 'field-variable_parcel_id')).toBe('PX-1 <b>مرحبا</b>');
  await page.locator('#field-variable_parcel_id:focus-within').waitFor();
});

test('a mapped value appears as the service gets it', async () => {
  const page = await openForm();
  await page.getByRole('textbox', { name: 'Arrival Time required' }).focus();
  await page
    .getByRole('region', { name: 'Insert data into Arrival Time' })
    .getByRole('button', { name: 'Time 2' })
    .click();
  await bubble(page).getByText('arrives today at about 14:30.').waitFor();
  await page.locator('#preview-variable_arrival_time').getByText('14:30').waitFor();
});

test('the recipient has the name of the chat with that number', async () => {
  const chat = found((await playground.get('/phones')).html, /id="chat-([^"]+)"/);
  const { html } = await playground.get(`/phones?chat=${chat}`);
  const page = await openForm({ 'f.to': `{{1.None}}${found(html, /data-phone="([^"]+)"/)}` });
  await phone(page)
    .getByText(found(html, /aria-label="Chat of ([^"]+)"/), { exact: true })
    .waitFor();
  await page.getByRole('textbox', { name: 'Phone Number required' }).fill('(202) 555-0188');
  await phone(page).getByText('+12025550188').waitFor();
  await page.getByText('Sends to +1 202 555 0188, United States').waitFor();
  // The data of earlier steps may lie over the next field.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Default Country' }).click();
  await page.getByRole('button', { name: 'Netherlands', exact: true }).click();
  await phone(page).getByText('(202) 555-0188', { exact: true }).waitFor();
  await phone(page).getByText('Not sent. Phone Number').waitFor();
  await page.getByText('Sends to').waitFor({ state: 'detached' });
});

test('a step that waits shows where the reply goes, one without a template says so, and others have no phone', async () => {
  const page = await openForm({ 'f.template': '' });
  await bubble(page).getByText('Choose a template').waitFor();
  await chooseOperation(page, 'creates.send_message_and_wait');
  await phone(page).locator('.bubble.mine').getByText('waits').waitFor();
  await chooseOperation(page, 'searches.find_contact');
  await phone(page).waitFor({ state: 'detached' });
});

test('a template whose name is mapped takes the variables of the form by name or label', async () => {
  const page = await openForm({
    'f.template': '{{1.Template}}',
    'k.variables': 'arrival time',
    'v.variables': '{{1.Time}}',
  });
  await bubble(page).getByText('Choose a template').waitFor();
  await page.getByRole('textbox', { name: 'Template, custom value' }).fill('parcel_out_for_delivery{{1.Template}}');
  await bubble(page).getByText('Your parcel Parcel Number arrives today at about 14:30.').waitFor();
});

const boxOf = (page: Page, selector: string) =>
  page.evaluate<{ left: number; right: number; top: number; bottom: number }>(
    `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
  );

test('the phone is beside the form on a wide screen and on its own tab on a narrow one, dark and light', async () => {
  const page = await openForm({ 'f.variable_parcel_id': 'a'.repeat(300) });
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 375) await showPlace(page, 'Phone');
    const [form, device] = [await boxOf(page, '#step'), await boxOf(page, '.device')];
    if (width === 1440) expect(device.left).toBeGreaterThan(form.right);
    else expect([form.right, device.right <= width]).toEqual([0, true]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
  }
  await reload(page);
  expect(await bubble(page).innerText()).toContain('aaa');
});

test('a screen reader hears a message of the Zap once, and not what becomes of it', async () => {
  const parcel = { 'f.variable_parcel_id': 'PX-9', 'f.variable_arrival_time': '14:30' };
  const page = await openForm({ ...parcel, 'f.to': '+12025550105' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(`{
    window.heard = [];
    const live = document.querySelector('#announced');
    const hear = () => heard.push(live.textContent);
    new MutationObserver(hear).observe(live, { childList: true, characterData: true, subtree: true });
  }`);
  await openStage(page, 'test');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.messages .theirs', { hasText: 'PX-9' }).locator('.ticks.delivered').waitFor();
  expect(await page.evaluate('heard')).toEqual(['Your Zap: Your parcel PX-9 arrives today at about 14:30.']);
  expect(await page.locator('#messages[aria-live]').count()).toBe(0);
});

/** What a person sees and does at each width: the first screen, the drawer, paths, and fields. */
import { loadRecipe, openStories, screens, showPlace, testInBrowser as test, usePlayground } from '../support/browser';

const playground = usePlayground();

test('the first screen has one blue button, and the phone beside or below it at every width', async () => {
  await playground.startOver();
  const page = await playground.open();
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height });
    await page.locator('.device').waitFor();
    const colors = await page.evaluate<string[]>(
      `['#play', '.send'].map((each) => getComputedStyle(document.querySelector(each)).backgroundColor)`,
    );
    expect(colors[0]).toBe(colors[1]);
  }
});

test('the drawer lies over the page, which keeps its size, and Escape closes it', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  await page.setViewportSize({ width: 1440, height: 900 });
  const heights = () =>
    page.evaluate(`['#canvas', '.device'].map((each) => document.querySelector(each).clientHeight)`);
  const before = await heights();
  await openStories(page);
  expect(await heights()).toEqual(before);
  await page.keyboard.press('Escape');
  await page.locator('#open-stories[aria-expanded="false"]').waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await showPlace(page, 'Story');
  await page.locator('.drawer').waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator('.drawer').waitFor({ state: 'detached' });
});

test('paths begin side by side, and say in words when they are taken', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  await loadRecipe(page, 'Appointment reminder');
  await page
    .locator('#step-1')
    .getByText(/^WhatsApp · /)
    .waitFor();
  await page.locator('#step-4').getByText('Search found something').waitFor();
  await page.locator('#step-6').getByText('Search found nothing').waitFor();
  const tops = await page.evaluate<number[]>(
    `['#step-4', '#step-6'].map((each) => document.querySelector(each).getBoundingClientRect().top)`,
  );
  expect(tops[0]).toBe(tops[1]);
});

test('a problem below a field is red, and no stop follows it', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  await page.locator('#field-to').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('12');
  await page.locator('#preview-to .problem').waitFor();
  const [color, red, after] = await page.evaluate<string[]>(`{
    const problem = document.querySelector('#preview-to .problem');
    const sample = document.createElement('p');
    sample.className = 'failure';
    document.body.append(sample);
    const red = getComputedStyle(sample).color;
    sample.remove();
    [getComputedStyle(problem).color, red, getComputedStyle(problem.parentElement, '::after').content];
  }`);
  expect([color, after]).toEqual([red, 'none']);
});

test('on a narrow screen the menu has Recipes and Simulate, and the name of the Zap is whole', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(
    await page.evaluate(`{ const t = document.querySelector('#zap-title'); t.scrollWidth <= t.clientWidth; }`),
  ).toBe(true);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.locator('#menu-simulate').click();
  await page.getByLabel('What to simulate').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.locator('#menu-recipes').click();
  await page.getByRole('heading', { name: 'Recipes' }).waitFor();
});

test('arrows open a dropdown, walk the parts of a form, and lead from the search to the recipes', async () => {
  const page = await playground.open('zap=zap-1&step=1');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator('#choose-channel').press('ArrowDown');
  await page.locator('#search-channel:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#stage-configure').press('ArrowRight');
  await page.locator('#stage-test:focus').press('ArrowLeft');
  await page.locator('#stage-configure:focus').waitFor();
  await page.locator('#open-recipes').press('Enter');
  await page.locator('#search-recipes:focus').fill('order');
  await page.keyboard.press('ArrowDown');
  await page.locator('.recipe:focus').waitFor();
});

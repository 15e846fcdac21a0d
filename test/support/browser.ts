import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod/mini';
import { Client } from '../../lab/playground/test/playground-client';
import { hasBrowser, launchBrowser } from '../../scripts/browser';
import { deadlineMs } from './deadline';
import { lengthenLimits } from './pauses';
import { writeSeeded } from './seeded';

// CI has a browser, so that a missing one is an error there.
const isSkipped = !hasBrowser() && !process.env.CI;

if (isSkipped) {
  process.stderr.write('Tests in a browser are skipped, because there is none. Install Chrome, or set CHROME_PATH.\n');
}

/** A test in a browser. Without `CI`, a machine that has no browser skips it. */
export const testInBrowser = isSkipped ? test.skip : test;

/** Reports as an error that the document scrolls, whatever a person does: each place of the page scrolls by itself. */
const reportScrolling = `{
  const check = () => {
    const { scrollHeight, scrollWidth, scrollTop } = document.documentElement;
    if (scrollHeight > innerHeight || scrollWidth > innerWidth || scrollTop > 0)
      console.error('The document scrolls: ' + [scrollWidth, scrollHeight, scrollTop] + ' at ' + [innerWidth, innerHeight]);
  };
  for (const name of ['load', 'resize', 'click', 'keyup', 'focusin', 'scroll', 'toggle', 'htmx:after:swap'])
    addEventListener(name, () => requestAnimationFrame(check), { capture: true });
}`;

let launched: Promise<Browser> | undefined;

/** Starts the browser once for a test file. */
const browserOfFile = (): Promise<Browser> => {
  launched ??= launchBrowser();
  return launched;
};

afterAll(async () => (await launched)?.close());

/** A playground, and a page of a browser that shows it. */
export class OpenPlayground extends Client {
  readonly #problems: string[] = [];
  #page: Page | undefined;

  /** Opens a page. Its console errors and requests to other hosts are collected. */
  async launch(): Promise<void> {
    const browser = await browserOfFile();
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    page.setDefaultTimeout(deadlineMs);
    page.on('console', (line) => line.type() === 'error' && this.#problems.push(line.text()));
    page.on('pageerror', ({ message }) => this.#problems.push(message));
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) this.#problems.push(`left: ${request.url()}`);
    });
    await page.addInitScript(reportScrolling);
    this.#page = page;
  }

  /** Opens the playground's page again. */
  async open(query = ''): Promise<Page> {
    const page = z.custom<Page>((value) => value !== undefined).parse(this.#page);
    // The test before may have looked at a phone, or in the dark.
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${this.url}/?${query}`);
    await waitUntilLive(page);
    return page;
  }

  /** Empties the playground. An open page would ask for a Zap that is gone. */
  async startOver(): Promise<void> {
    await this.#page?.goto('about:blank');
    await this.post('/start-over');
  }

  async close(): Promise<void> {
    await this.#page?.context().close();
    await this.stop();
  }

  /** Notes what the server prints as errors. */
  watch(): void {
    jest.spyOn(console, 'error').mockImplementation((...line) => void this.#problems.push(line.join(' ')));
  }

  /** Everything that the console and the server complained about, and each request to another host, once. */
  takeProblems(): string[] {
    return this.#problems.splice(0);
  }
}

/** A playground in this process with a seeded database, and a page, for the tests of a block. A problem of the page fails its test. */
export const usePlayground = (prepare: (database: string) => unknown = () => undefined): OpenPlayground => {
  // Made before the first test, since a block whose tests are all left out never removes it.
  const folder = join(tmpdir(), `playground-${randomUUID()}`);
  const playground = new OpenPlayground();
  lengthenLimits();
  beforeAll(() => {
    mkdirSync(folder);
    const database = writeSeeded(folder);
    prepare(database);
    playground.watch();
    return Promise.all([playground.startHere(database), playground.launch()]);
  });
  afterEach(async () => {
    await playground.tidy();
    expect(playground.takeProblems()).toEqual([]);
  });
  afterAll(async () => {
    await playground.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return playground;
};

/** The screens that the page is made for, in pixels. */
export const screens = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

/** Waits until the page hears of changes. */
export const waitUntilLive = (page: Page): Promise<void> => page.locator('body[data-live]').waitFor();

/** Loads the page again, and waits until its scripts have started. */
export const reload = async (page: Page): Promise<void> => {
  await page.reload();
  await waitUntilLive(page);
};

/** Keeps the next response to a path from the page until the returned function is called. */
export const holdResponse = async (page: Page, path: string): Promise<() => Promise<unknown>> => {
  await page.evaluate(`{
    const send = window.fetch.bind(window);
    window.held = Promise.withResolvers();
    window.fetch = async (address, options) => {
      if (address !== '${path}') return send(address, options);
      window.fetch = send;
      const response = await send(address, options);
      await window.held.promise;
      return response;
    };
  }`);
  return () => page.evaluate('held.resolve()');
};

/** The accessibility problems of the page as it is now, each with the element that has it. */
export const findAccessibilityProblems = async (page: Page): Promise<string[]> => {
  // Legacy mode leaves out other frames, which the page has none of, and a second page to join their results.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  builder.options({ resultTypes: ['violations'], selectors: false, preload: false });
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};

/** Chooses the customer whose phone shows. */
export const openChat = async (page: Page, customer: string | RegExp): Promise<void> => {
  await page.locator('#open-customers').click();
  await page.locator('.chat-link', { hasText: customer }).click();
};

/** Opens the list of what happened. */
export const openStories = async (page: Page): Promise<void> => {
  await page.locator('#open-stories').click();
  await page.locator('#stories:popover-open').waitFor();
};

/** Adds an empty Zap and waits for it, since the page still shows the Zap before it. */
export const openNewZap = async (page: Page): Promise<void> => {
  const shown = await page.locator('#zap').getAttribute('data-address');
  await page.locator('#open-zaps').click();
  await page.getByRole('button', { name: 'New Zap' }).click();
  await page.locator(`#zap:not([data-address="${shown}"])`).waitFor();
};

/** Shows a place of the page on a narrow screen. */
export const showPlace = (page: Page, name: 'Zap' | 'Step' | 'Phone' | 'Activity'): Promise<void> =>
  page.locator('#tabs button', { hasText: name }).click();

/** Loads a recipe from the sheet, and waits for its Zap, since the sheet closes before. */
export const loadRecipe = async (page: Page, name: string): Promise<void> => {
  const shown = await page.locator('#zap').getAttribute('data-address');
  await page.getByRole('button', { name: 'Recipes' }).click();
  await page.getByRole('button', { name: `Load ${name}` }).click();
  await page.locator(`#zap:not([data-address="${shown}"])`).waitFor();
};

/** Writes as a new customer. */
export const writeAs = async (page: Page, phone: string, text: string): Promise<void> => {
  await page.getByRole('button', { name: 'New customer' }).click();
  await page.getByLabel('Phone number', { exact: true }).fill(phone);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Start chat' }).click();
  // The chat that was open before may have the same text.
  await page.locator(`#phones[data-phone="${phone}"]`).waitFor();
  await page.getByLabel('Messages').getByText(text, { exact: true }).waitFor();
};

/** Opens a part of the form of the open step. */
export const openStage = async (page: Page, stage: 'setup' | 'configure' | 'test'): Promise<void> => {
  await page.locator(`#stage-${stage}`).click();
  await page.locator(`#stage-${stage}[aria-current="true"]`).waitFor();
};

/** Tests the open step. */
export const testStep = async (page: Page): Promise<void> => {
  await openStage(page, 'test');
  await page.getByRole('button', { name: /^Test (step|again)$/ }).click();
};

/** Chooses what the open step does, and opens its fields. */
export const chooseOperation = async (page: Page, operation: string): Promise<void> => {
  await page.locator('#change-step').click();
  await page.locator(`#add-${operation.replaceAll(/\W/g, '-')}`).click();
  await page.locator(`[name="fields-of"][value="${operation}"]`).waitFor({ state: 'attached' });
  await page.locator('#stage-configure[aria-current="true"]').waitFor();
};

/** What the server gets of a field with this id, such as `PX-{{1.id}}`. */
export const textOfField = (page: Page, id: string): Promise<string> =>
  page.evaluate<string>(`document.getElementById('${id}').value`);

/** Presses Tab until the element has the focus. */
export const tabTo = async (page: Page, id: string): Promise<void> => {
  for (let presses = 0; presses < 150; presses += 1) {
    if ((await page.evaluate('document.activeElement.id')) === id) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard never reaches ${id}.`);
};

/** Checks that the page has no sideways scrolling and no accessibility problem at a width, in light or dark. */
export const expectToFit = async (page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(await findAccessibilityProblems(page)).toEqual([]);
};

/** Checks what the page shows on a wide screen and on a phone, dark and light. A phone shows one place. */
export const expectToFitEverywhere = async (
  page: Page,
  place: Parameters<typeof showPlace>[1],
  open: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> => {
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 375) await showPlace(page, place);
    for (const colorScheme of ['dark', 'light'] as const) {
      await open();
      await expectToFit(page, width, colorScheme);
      await page.keyboard.press('Escape');
    }
  }
};

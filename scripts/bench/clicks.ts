import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startPlayground } from '../../lab/playground/playground';
import { startSandbox } from '../../lab/sandbox/sandbox';
import { hasBrowser, launchBrowser } from '../browser';

const chats = 500;
const messagesPerChat = 4;
const rounds = 5;

const clicked = ['.chat-link', '#step-1', '#step-0'];

/** Writes 2,000 messages of 500 customers into a new database. */
const addMessages = async (database: string): Promise<void> => {
  const sandbox = await startSandbox({ database });
  for (let message = 0; message < chats * messagesPerChat; message += 1) {
    const from = `+1202555${String(1000 + (message % chats))}`;
    const body = JSON.stringify({ from, text: `Message ${message}` });
    await fetch(`${sandbox.url}/sandbox/messages`, { method: 'POST', body });
  }
  await sandbox.stop();
};

/** Milliseconds from a click until its result is painted. */
const measureClick = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const startedAt = performance.now();
    const painted = () => setTimeout(() => resolve(performance.now() - startedAt));
    document.addEventListener('htmx:after:swap', () => requestAnimationFrame(painted), { once: true });
    document.querySelector('${selector}').click();
  })`);

const measurePage = async (url: string): Promise<number[]> => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(url);
    await page.locator('body[data-live]').waitFor();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const selector of clicked) times.push(await measureClick(page, selector));
    }
    // The first round warms up the browser.
    return times.slice(clicked.length);
  } finally {
    await browser.close();
  }
};

/** Measures how quickly a click paints its result with 2,000 messages, in ms. Undefined on a machine without a browser. */
export const measureClicks = async (): Promise<number[] | undefined> => {
  if (!hasBrowser()) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const database = join(folder, 'playground.db');
  try {
    await addMessages(database);
    const { url, stop } = await startPlayground({ port: 0, database });
    return await measurePage(url).finally(stop);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

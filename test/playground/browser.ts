import { execFileSync } from 'node:child_process';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import * as z from 'zod/mini';
import { project } from '../processes';
import { startPlayground } from './server';

// The package is an ES module, which jest can't load.
const script = `import('@sparticuz/chromium').then(async ({ default: it }) =>
  console.log(JSON.stringify({ path: await it.executablePath(), args: it.args })))`;
const executable = z.object({ path: z.string(), args: z.array(z.string()) });

/** Flags for AWS Lambda that turn off checks of the browser, or that more than one page can't use. */
const unwanted = ['--disable-web-security', '--allow-running-insecure-content', '--single-process', '--no-zygote'];

const launch = async (): Promise<Browser> => {
  const output = execFileSync(process.execPath, ['-e', script], { cwd: project, encoding: 'utf8' });
  const { path, args } = executable.parse(JSON.parse(output));
  return chromium.launch({ executablePath: path, args: args.filter((flag) => !unwanted.includes(flag)) });
};

/** The playground in its own process, with a browser that is open on it during the tests of a file. */
export class Playground {
  readonly #options: readonly string[];
  readonly #problems: string[] = [];
  #server: Awaited<ReturnType<typeof startPlayground>> | undefined;
  #browser: Browser | undefined;

  constructor(...options: string[]) {
    this.#options = options;
    beforeAll(async () => {
      [this.#server, this.#browser] = await Promise.all([startPlayground(this.#options), launch()]);
    }, 60_000);
    // A page that a failed test left open would hold one of the browser's few connections to a host.
    afterEach(async () => {
      await Promise.all((this.#browser?.contexts() ?? []).map((context) => context.close()));
    });
    afterAll(async () => {
      await Promise.allSettled([this.#browser?.close(), this.#server?.stop()]);
    });
  }

  get url(): string {
    return z.string().parse(this.#server?.url);
  }

  /** Stops the server, as Ctrl-C and a crash do. */
  async stopServer(): Promise<void> {
    await this.#server?.stop();
  }

  /** Opens the page. Its console errors, failed requests and requests to other hosts are collected. */
  async open(options: BrowserContextOptions = {}, path = '/'): Promise<Page> {
    const context = await z
      .custom<Browser>()
      .parse(this.#browser)
      .newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (line) => line.type() === 'error' && this.#problems.push(line.text()));
    page.on('pageerror', ({ message }) => this.#problems.push(message));
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) this.#problems.push(`left: ${request.url()}`);
    });
    await page.goto(this.url + path);
    // The page is live from here on.
    await page.locator('body[data-live]').waitFor();
    return page;
  }

  /** Everything that the console, the network and the server complained about, once. */
  takeProblems(): string[] {
    const errors = this.#server?.errors() ?? '';
    return [...this.#problems.splice(0), ...(errors ? [errors] : [])];
  }
}

/** The accessibility problems of the page as it is now, each with the elements that have it. */
export const findAccessibilityProblems = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};

/** Writes as a new customer, and waits for the chat. */
export const writeAs = async (page: Page, phone: string, text: string): Promise<void> => {
  await page.getByText('New customer').click();
  await page.getByLabel('Phone number').fill(phone);
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Start chat' }).click();
};

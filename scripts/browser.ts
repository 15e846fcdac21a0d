import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod/mini';
import { project } from '../lab/cli/environment';

const installed: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  linux: ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge'],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

const script = `const chromium = require('@sparticuz/chromium');
chromium.executablePath().then((path) => console.log(JSON.stringify({ path, args: chromium.args })));`;
const executable = z.object({ path: z.string(), args: z.array(z.string()) });

/** Where the package unpacks the browser. Other programs share and clean the folder for temporary files. */
const unpacked = join(project, 'node_modules/.cache/chromium');

/** Flags for AWS Lambda that turn off checks of the browser, or that allow one page only. */
const unwanted = ['--disable-web-security', '--allow-running-insecure-content', '--single-process', '--no-zygote'];

const unpackInto = (folder: string) => {
  const env = { ...process.env, TMPDIR: folder };
  const output = execFileSync(process.execPath, ['-e', script], { cwd: project, env, encoding: 'utf8' });
  return executable.parse(JSON.parse(output));
};

const unpackChromium = () => {
  if (!existsSync(unpacked)) {
    mkdirSync(dirname(unpacked), { recursive: true });
    // Another process may unpack at the same time, and a file that is being written can't be started.
    const own = mkdtempSync(`${unpacked}-`);
    unpackInto(own);
    try {
      renameSync(own, unpacked);
    } catch (error) {
      if (!existsSync(unpacked)) throw error;
      rmSync(own, { recursive: true });
    }
  }
  const { path, args } = unpackInto(unpacked);
  return { executablePath: path, args: args.filter((flag) => !unwanted.includes(flag)) };
};

const findBrowser = (): (() => { executablePath: string; args: string[] }) | undefined => {
  const path = process.env.CHROME_PATH || installed[process.platform]?.find(existsSync);
  if (path) return () => ({ executablePath: path, args: [] });
  // The package that npm installs is built for this platform alone.
  return process.platform === 'linux' && process.arch === 'x64' ? unpackChromium : undefined;
};

/** Whether this machine has a browser: the one in `CHROME_PATH`, Chrome, Edge, or on Linux (x64) the one from npm. */
export const hasBrowser = (): boolean => findBrowser() !== undefined;

/** Starts the browser of this machine without a window. Throws when it has none. */
export const launchBrowser = async (): Promise<Browser> => {
  const find = findBrowser();
  if (!find) throw new Error('This machine has no browser. Install Chrome, or set CHROME_PATH.');
  const { executablePath, args } = find();
  // Without a graphics card, painting through the GPU's code takes four times as long.
  const launch = () => chromium.launch({ executablePath, args: ['--disable-gpu', ...args], timeout: 120_000 });
  // Chromium crashes now and then while it starts.
  return launch().catch(launch);
};

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod/mini';

const script = `const chromium = require('@sparticuz/chromium');
chromium.executablePath().then((path) => console.log(JSON.stringify({ path, args: chromium.args })));`;
const executable = z.object({ path: z.string(), args: z.array(z.string()) });

const project = join(__dirname, '..');
/** Where the package unpacks the browser. Other programs share and clean the folder for temporary files. */
const unpacked = join(project, 'node_modules/.cache/chromium');

/** Flags for AWS Lambda that turn off checks of the browser, or that allow one page only. */
const unwanted = ['--disable-web-security', '--allow-running-insecure-content', '--single-process', '--no-zygote'];

/** Starts the Chromium that npm installs, without a window. */
export const launchChromium = async (): Promise<Browser> => {
  mkdirSync(unpacked, { recursive: true });
  const env = { ...process.env, TMPDIR: unpacked };
  const output = execFileSync(process.execPath, ['-e', script], { cwd: project, env, encoding: 'utf8' });
  const { path, args } = executable.parse(JSON.parse(output));
  // Without a graphics card, painting through the GPU's code takes four times as long.
  return chromium.launch({
    executablePath: path,
    args: ['--disable-gpu', ...args.filter((flag) => !unwanted.includes(flag))],
  });
};

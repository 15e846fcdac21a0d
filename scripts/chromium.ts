import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod/mini';
import { devDependencies } from '../package.json';

const script = `const chromium = require('@sparticuz/chromium');
chromium.executablePath().then((path) => console.log(JSON.stringify({ path, args: chromium.args })));`;
const executable = z.object({ path: z.string(), args: z.array(z.string()) });

/** Flags for AWS Lambda that turn off checks of the browser, or that allow one page only. */
const unwanted = ['--disable-web-security', '--allow-running-insecure-content', '--single-process', '--no-zygote'];

/** Starts the Chromium that npm installs, without a window. */
export const launchChromium = async (): Promise<Browser> => {
  // The package unpacks itself into the temporary folder, and reuses what another version of it left there.
  const folder = join(tmpdir(), `chromium-${devDependencies['@sparticuz/chromium']}`);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, TMPDIR: folder };
  const output = execFileSync(process.execPath, ['-e', script], { cwd: join(__dirname, '..'), encoding: 'utf8', env });
  const { path, args } = executable.parse(JSON.parse(output));
  return chromium.launch({ executablePath: path, args: args.filter((flag) => !unwanted.includes(flag)) });
};

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import * as z from 'zod/mini';
import { packageApp } from '../package';

/** An unpacked app. `zip` is the size of its zip in KB. */
export interface App {
  folder: string;
  zip: number;
}

/** Packages an app the way a release does and unpacks the zip. `addApp` puts the app's files into a folder. */
const unpack = (folder: string, addApp?: (stage: string) => void): App => {
  packageApp(folder, addApp);
  const zip = join(folder, 'build.zip');
  new AdmZip(zip).extractAllTo(folder);
  return { folder, zip: statSync(zip).size / 1024 };
};

/** Packages this app and the minimal app, and removes both after `work`. */
export const withApps = async (work: (ours: App, minimal: App) => Promise<void>): Promise<void> => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'bench-')));
  const [first = '', second = ''] = folders;
  try {
    const addMinimalApp = (stage: string) => cpSync(join(__dirname, 'minimal-app.cjs'), join(stage, 'index.js'));
    await work(unpack(first), unpack(second, addMinimalApp));
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
};

const stepFigures = z.object({
  started: z.number(),
  load: z.number(),
  first: z.number(),
  cold: z.number(),
  warm: z.number(),
  memory: z.number(),
});
export type StepFigures = z.output<typeof stepFigures>;

/**
 * Runs an event in a fresh process: once cold, then `repeats` times. `started` is when the process started in ms since
 * 1970, and `cold` the CPU time until the end of the first run in ms. Of these, `load` are for loading the app's own file
 * and `first` for the run. `warm` is the median of the repeats in ms, and `memory` the resident MB after the first run.
 */
export const measureStep = async ({ folder }: App, event: object, repeats = 0): Promise<StepFigures> => {
  const work = join(folder, 'work.json');
  writeFileSync(work, JSON.stringify({ event, repeats }));
  const script = join(__dirname, 'run-step.cjs');
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, work], { env, timeout: 60_000 });
  return stepFigures.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
};

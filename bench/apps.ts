import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import AdmZip from 'adm-zip';
import * as z from 'zod/mini';
import { packageApp } from '../scripts/package';

/** The least app that does the two things that are compared: a hook that takes what comes, a create that sends it. */
const leastApp = `
const core = require('zapier-platform-core');
const step = (key, operation) => ({ key, noun: 'Message', display: { label: 'Message', description: 'Does it.' }, operation });
module.exports = {
  version: '1.0.0',
  platformVersion: core.version,
  triggers: {
    message_received: step('message_received', {
      type: 'hook',
      perform: (z, bundle) => [bundle.cleanedRequest.data],
      performSubscribe: () => ({ id: '1' }),
      performUnsubscribe: () => ({}),
      performList: () => [],
      sample: { id: '1' },
    }),
  },
  creates: {
    send_message: step('send_message', {
      perform: async (z, bundle) =>
        (await z.request({ method: 'POST', url: bundle.authData.base_url + '/v1/messages', body: bundle.inputData })).data,
      sample: { id: '1' },
    }),
  },
};`;

/** The app of `app.js` with each of its steps so many times over. Copies share nothing, as steps of their own would not. */
const severalTimes = (times: number): string => `
const app = require('./app.js');
const copy = (part) => {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(copy);
  const copied = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, copy(inner)]));
  return Object.setPrototypeOf(copied, Object.getPrototypeOf(part));
};
const grow = (steps) => {
  const more = Object.values(steps).flatMap((step) =>
    Array.from({ length: ${times - 1} }, (_, index) => ({ ...copy(step), key: step.key + '_' + index })),
  );
  return { ...steps, ...Object.fromEntries(more.map((step) => [step.key, step])) };
};
module.exports = { ...app, triggers: grow(app.triggers), creates: grow(app.creates), searches: grow(app.searches) };`;

/** An app as Zapier unpacks it. `zip` is in bytes. */
export interface App {
  folder: string;
  zip: number;
}

/** In a folder as little deep as Lambda's `/var/task`: Node remembers, for each file, all that lead to it. */
const unpack = (addApp?: (stage: string) => void): App => {
  const output = mkdtempSync(join(tmpdir(), 'zip-'));
  packageApp(output, addApp);
  const zip = join(output, 'build.zip');
  const app = { folder: mkdtempSync(join(tmpdir(), 'app-')), zip: statSync(zip).size };
  new AdmZip(zip).extractAllTo(app.folder);
  rmSync(output, { recursive: true });
  return app;
};

/** This project's app from its real zip, and the least app packaged in the same way. */
export interface Apps {
  ours: App;
  least: App;
  /** Ours with each of its steps so many times over. */
  grow: (times: number) => App;
}

/** Packages the apps, and removes them when the work is done. */
export const withApps = async (work: (apps: Apps) => Promise<void>): Promise<void> => {
  const made: App[] = [];
  const keep = (app: App): App => {
    made.push(app);
    return app;
  };
  try {
    const ours = keep(unpack());
    const least = keep(unpack((stage) => writeFileSync(join(stage, 'index.js'), leastApp)));
    const grow = (times: number): App => {
      const grown = keep({ ...ours, folder: mkdtempSync(join(tmpdir(), 'app-')) });
      cpSync(ours.folder, grown.folder, { recursive: true });
      renameSync(join(grown.folder, 'index.js'), join(grown.folder, 'app.js'));
      writeFileSync(join(grown.folder, 'index.js'), severalTimes(times));
      return grown;
    };
    await work({ ours, least, grow });
  } finally {
    for (const { folder } of made) rmSync(folder, { recursive: true, force: true });
  }
};

const runnerAnswer = z.object({ started: z.number(), cold: z.number(), rss: z.number(), warm: z.nullable(z.number()) });

/**
 * Runs a step in a fresh process of Zapier's Node: once, and then `repeats` times more. Gives when the process started
 * (milliseconds since 1970), the milliseconds from then to the end of the first run, the resident memory after it in
 * bytes, and the median of the repeats in milliseconds. Throws when the step fails.
 */
export const runStep = async (app: App, event: object, repeats = 0) => {
  const work = join(app.folder, 'work.json');
  writeFileSync(work, JSON.stringify({ event, repeats }));
  const parts = [join(__dirname, 'run-step.cjs'), app.folder, work];
  const { stdout } = await promisify(execFile)(process.execPath, parts, { env: { PATH: process.env.PATH } });
  return runnerAnswer.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
};

/** The middle one of some numbers; 0 when there are none. */
export const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { present, stepsOf } from '../scripts/definition';
import { table } from '../scripts/reference';
import { withApps } from './apps';
import { compareApps } from './comparison';
import { measureGrowth } from './growth';
import { startService } from './service';

const docs = join(__dirname, '../docs');

const toTable = (rows: Record<string, string>[]): string =>
  table(
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row)),
  );

const countObjects = (part: unknown): number => {
  if (typeof part !== 'object' || part === null) return 0;
  return Object.values(part).reduce((sum: number, inner) => sum + countObjects(inner), 1);
};

const describeDefinition = (): string =>
  `${stepsOf(present).length} operations in ${(JSON.stringify(present).length / 1024).toFixed(1)} KB, ${countObjects(present)} objects and lists.`;

const page = (comparison: string, growth: string): string => `# Performance

What this app costs on Zapier. \`npm run bench\` measures it and writes this page; this time with Node ${process.version} on
${cpus().length} cores.

## Against the least app

The least app has one hook that takes whatever comes and one action that sends it, on the same core and packaged in the
same way. "At most" is what we want.

${comparison}

How to read it:

- Each run is a process of its own, on the app from its real zip. The two apps take turns, 25 rounds after a warm-up.
- A ratio is one of medians. Minimum and maximum are of ours. The
  milliseconds of another machine differ, and on a busy one the ratios of the cold starts do, by some hundredths.
- A cold start is counted from the start of the process. The hook gets a signed delivery, without Zapier's cache.

Where it goes, beyond core itself:

- **Warm**: core copies and freezes the whole definition twice a run, and that is two thirds of ours. What the copy takes
  is input fields 20%, samples 20%, the 245 countries of the connection's Default Country 18%, times that a step gives
  10%. What steps have in common is the same object in each, which core copies once.
- **Cold**: half is reading and compiling the bundle, a third of which is zod; then come the first copies of the
  definition, then the schemas of a delivery. Schemas are made when they are first asked for.
- **Memory**: when core has been loaded, the young generation of Node's heap is all but full. An app that makes it
  overflow in the first run pays for one more collection: 4 ms and 4 MB.
- **A send** also loads the phone number library, in a file of its own, and that takes its heap over the brim.
- **Zip**: the bundle is half of the difference, phone numbers a third, the definition for Zapier the rest.

## The definition

${describeDefinition()}

## How cost grows

Each is a warm run through the handler of the real zip. Growth is linear or better where one more costs about as much at
the end as at the beginning.

${growth}

## API requests

[What each step costs the messaging service](requests.md) is a table of its own, which the tests hold the app to.
`;

/** Compares this app with the least one, shows how its cost grows, and writes both as `docs/performance.md`. */
export default (): Promise<void> =>
  withApps(async (apps) => {
    const service = await startService();
    const comparison = await compareApps(apps, service);
    console.table(comparison);
    console.log(`The definition: ${describeDefinition()}\n`);
    const growth = await measureGrowth(apps, service, stepsOf(present).length);
    console.table(growth);
    service.stop();
    console.log(readFileSync(join(docs, 'requests.md'), 'utf8'));
    writeFileSync(join(docs, 'performance.md'), page(toTable(comparison), toTable(growth)));
  });

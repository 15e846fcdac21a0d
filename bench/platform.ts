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

/** How many objects and lists there are, and names and places in them. */
const count = (part: unknown): { objects: number; names: number } => {
  if (typeof part !== 'object' || part === null) return { objects: 0, names: 0 };
  const inner = Object.values(part).map(count);
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
  return {
    objects: 1 + sum(inner.map(({ objects }) => objects)),
    names: inner.length + sum(inner.map(({ names }) => names)),
  };
};

const operations = stepsOf(present).map(({ step }) => step.operation);

/** The parts of the definition, the largest among them. */
const parts = Object.entries({
  all: present,
  'input fields': operations.map(({ inputFields }) => inputFields),
  samples: operations.map(({ sample }) => sample),
  'output fields': operations.map(({ outputFields }) => outputFields),
  'the connection, with the countries of Default Country': present.authentication,
}).map(([part, content]) => {
  const { objects, names } = count(content);
  return { part, objects: String(objects), 'names in them': String(names) };
});

const describeDefinition = (): string =>
  `${operations.length} operations in ${(JSON.stringify(present).length / 1024).toFixed(1)} KB.`;

const page = (comparison: string, growth: string): string => `# Performance

What this app costs on Zapier. \`npm run bench\` measures it and writes this page; this time with Node ${process.version} on
${cpus().length} cores.

## Against the least app

The least app has one hook that takes whatever comes and one action that sends it, on the same core and packaged in the
same way. "At most" is what we want.

${comparison}

How to read it:

- Each run is a process of its own, on the app from its real zip. In each round both apps run, one after the other: 101
  rounds of a cold start, 25 of the rest, after one to warm up.
- A ratio is the median of the rounds' ratios, since what slows a machine down slows both runs of a round; minimum and
  maximum are of ours. The milliseconds of another machine differ.
- Two runs of the bench on a busy machine differ by "give or take", the standard error of that median, or a little more.
- A cold start is counted from the start of the process. The hook gets a signed delivery, without Zapier's cache.

Where it goes, beyond core itself:

- **Warm**: core copies and freezes the definition twice a run, name by name. What is only data in it, its fields,
  labels and samples, is not copied (\`src/shared-parts.ts\`), so that what is left are the steps themselves.
- **Cold**: reading and compiling the bundle, with zod in it; the first copies of the definition; the first schemas.
  Schemas are made when they are first asked for, and that of an answer when the answer is there.
- **Memory**: when core has been loaded, the young generation of Node's heap is all but full. An app that makes it
  overflow in the first run pays for one more collection, and for the larger heap that follows.
- **A send** also loads the phone number library, in a file of its own.
- **Zip**: the bundle, the phone number library, and the definition as Zapier reads it.

## The definition

${describeDefinition()}

${toTable(parts)}

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
    console.log(`The definition: ${describeDefinition()}`);
    console.table(parts);
    const growth = await measureGrowth(apps, service, stepsOf(present).length);
    console.table(growth);
    service.stop();
    console.log(readFileSync(join(docs, 'requests.md'), 'utf8'));
    writeFileSync(join(docs, 'performance.md'), page(toTable(comparison), toTable(growth)));
  });

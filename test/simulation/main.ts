/** `npm run simulate -- --worlds N --seed S` simulates N worlds from a seed. Ends with 1 when an invariant is broken. */
import domain from 'node:domain';
import { resolve } from 'node:path';
import { type Command, parseFlags, runCommand } from '../../cli/command';
import { takeOverTime } from './time';
import { takeOverWire } from './wire';

const command = {
  name: 'npm run simulate',
  summary:
    "Runs random Zaps, people and faults through the app's bundle in virtual time. Ends with 1 and the shortest story when a promise is broken.",
  options: {
    worlds: { type: 'string', value: 'N', default: '20', help: 'The number of worlds, with 50 operations each.' },
    seed: { type: 'string', value: 'S', default: '1', help: 'The same seed gives the same run.' },
    world: { type: 'string', value: 'N', help: 'Runs this world alone.' },
    only: {
      type: 'string',
      value: 'TEXT',
      default: '',
      help: 'Looks only for the promise with this text in its name.',
    },
    bundle: { type: 'string', value: 'FILE', default: 'dist/index.js', help: 'Another build of the app.' },
    survey: { type: 'boolean', default: false, help: 'Lists every broken promise once, without a story.' },
  },
  examples: ['npm run simulate -- --worlds 200 --seed 7', 'npm run simulate -- --seed 7 --world 12'],
} as const satisfies Command;

// Core asks for a key before it calls Zapier, and prints memory figures outside of tests.
Object.assign(process.env, { ZAPIER_DEPLOY_KEY: 'simulation', NODE_ENV: 'test' });
// Core ends a process that has grown large.
Object.assign(process, { memoryUsage: () => ({ rss: 0 }) });
// A domain costs a fifth of the time. Without it, an error that nobody catches ends the simulation.
Object.assign(domain, { create: () => ({ on: () => undefined, run: (work: () => unknown) => work() }) });

const realNow = Date.now;
const startedAt = realNow();
const simulate = async (args: string[]): Promise<number> => {
  const values = parseFlags(command, args);
  takeOverTime();
  takeOverWire();
  // Loaded last, so that the app and core see only virtual time.
  const { loadApp } = await import('./app');
  const { planWorld, runWorld } = await import('./world');
  const { shrink } = await import('./shrink');
  const handlerOf = loadApp(resolve(values.bundle));
  const total = { operations: 0, requests: 0, runs: 0, faults: 0 };
  const broken = new Map<string, { count: number; seed: string }>();
  const worlds = values.world
    ? [values.world]
    : Array.from({ length: Number(values.worlds) }, (_, index) => String(index + 1));
  for (const index of worlds) {
    const plan = planWorld(`${values.seed}/${index}`);
    const result = await runWorld(plan, handlerOf);
    for (const name of ['operations', 'requests', 'runs', 'faults'] as const) total[name] += result[name];
    for (const { name } of result.violations) {
      broken.set(name, { count: (broken.get(name)?.count ?? 0) + 1, seed: broken.get(name)?.seed ?? plan.seed });
    }
    const first = result.violations.find(({ name }) => name.includes(values.only ?? ''));
    if (!first || values.survey) continue;
    const isSame = ({ name }: { name: string }) => name === first.name;
    const shortest = await shrink(plan, async (shorter) =>
      (await runWorld(shorter, handlerOf)).violations.some(isSame),
    );
    const { violations, story } = await runWorld(shortest, handlerOf);
    console.log(`World ${index} of seed ${values.seed} breaks: ${first.name}.\n`);
    for (const { id, name, faults, killAfterMs } of shortest.operations) {
      console.log(
        `Operation ${id} ${name} ${JSON.stringify(faults)}${killAfterMs ? `, killed after ${killAfterMs} ms` : ''}`,
      );
    }
    console.log(`\n${story.join('\n')}\n\n${violations.find(isSame)?.detail}`);
    return 1;
  }
  for (const [name, { count, seed }] of broken) console.log(`${count} × ${name} (first in ${seed})`);
  const { operations, requests, runs, faults } = total;
  console.log(
    `${worlds.length} worlds: ${operations} operations, ${runs} runs, ${requests} requests, ${faults} faults.`,
  );
  // Not part of the simulation: the same seed prints the same on stdout.
  console.error(`${Math.round(operations / ((realNow() - startedAt) / 1_000))} operations per second.`);
  return broken.size > 0 ? 1 : 0;
};

runCommand(command, simulate);

/** `npm run simulate -- --worlds N --seed S` simulates N worlds from a seed. Ends with 1 when an invariant is broken. */
import '../../cli/sandboxed';
import domain from 'node:domain';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, parseFlags, runCommand, type Values } from '../../cli/command';
import { project } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { contracts } from './contracts';
import { buildPlanted } from './plant';
import { type PlantedBug, planted, plantedSeed } from './planted';
import { countTo } from './progress';
import { takeOverTime } from './time';
import { takeOverWire } from './wire';
import type { Plan } from './world';
import type { HandlerOf } from './zapier';

const command = {
  name: 'npm run simulate',
  summary:
    "Runs random Zaps, people and faults through the app's bundle in virtual time. Ends with 1 and the shortest story when a promise is broken.",
  options: {
    worlds: { type: 'string', value: 'N', default: '20', help: 'The number of worlds, with 50 operations each.' },
    seed: { type: 'string', value: 'S', default: '1', help: 'The same seed gives the same run.' },
    world: { type: 'string', value: 'N', help: 'Runs this world alone.' },
    plan: {
      type: 'string',
      value: 'KIND',
      default: 'any',
      help: 'What happens: any, or mostly sends, waits, contacts, searches or zaps, or faults for each write that can fail.',
    },
    contract: {
      type: 'string',
      value: 'NAME',
      help: `What the contract says instead, for the plan faults: ${contracts.map(({ id }) => id).join(', ')}.`,
    },
    only: {
      type: 'string',
      value: 'TEXT',
      default: '',
      help: 'Looks only for the promise with this text in its name, or plants only the bug with this name.',
    },
    bundle: { type: 'string', value: 'FILE', default: 'dist/index.js', help: 'Another build of the app.' },
    survey: { type: 'boolean', default: false, help: 'Lists every broken promise once, without a story.' },
    planted: {
      type: 'boolean',
      default: false,
      help: 'Plants one bug after another, each in the world that notices it.',
    },
    search: { type: 'boolean', default: false, help: 'Looks for the first of N worlds that notices a planted bug.' },
  },
  examples: [
    'npm run simulate -- --worlds 200 --seed 7',
    'npm run simulate -- --seed 7 --world 12',
    'npm run simulate -- --planted',
    'npm run simulate -- --planted --search --worlds 200 --only no-key',
  ],
} as const satisfies Command;
type Options = Values<(typeof command)['options']>;

// Core asks for a key before it calls Zapier, and prints memory figures outside of tests.
Object.assign(process.env, { ZAPIER_DEPLOY_KEY: 'simulation', NODE_ENV: 'test' });
// Core ends a process that has grown large.
Object.assign(process, { memoryUsage: () => ({ rss: 0 }) });
// A domain costs a fifth of the time. Without it, an error that nobody catches ends the simulation.
Object.assign(domain, { create: () => ({ on: () => undefined, run: (work: () => unknown) => work() }) });

const realNow = Date.now;

/** Loads what must see only virtual time: the app, core, and what runs them. */
const load = async () => {
  takeOverTime();
  takeOverWire();
  const [app, world, shrinking] = [await import('./app'), await import('./world'), await import('./shrink')];
  return { ...app, ...world, ...shrinking };
};
type Loaded = Awaited<ReturnType<typeof load>>;

/** Tells the shortest story in which a world breaks a promise. */
const tellStory = async (
  { runWorld, shrink }: Loaded,
  { handlerOf, plan, name }: { handlerOf: HandlerOf; plan: Plan; name: string },
): Promise<void> => {
  const isSame = (violation: { name: string }) => violation.name === name;
  const shortest = await shrink(plan, async (shorter) =>
    (await runWorld(shorter, handlerOf, isSame)).violations.some(isSame),
  );
  const { violations, story } = await runWorld(shortest, handlerOf);
  const [seed, world] = plan.seed.split('/');
  console.log(`World ${world} of seed ${seed} breaks: ${name}.\n`);
  for (const { id, name: act, faults, killAfterMs } of shortest.operations) {
    const death = killAfterMs ? `, killed after ${killAfterMs} ms` : '';
    console.log(`Operation ${id} ${act} ${JSON.stringify(faults)}${death}`);
  }
  console.log(`\n${story.join('\n')}\n\n${violations.find(isSame)?.detail}`);
};

/** Returns the plan of a world, by its number. */
const planner =
  ({ plans }: Loaded, { seed, plan, contract }: Options) =>
  (index: string): Plan => {
    const planOf = plans[plan];
    if (!planOf)
      throw new UsageError(`There is no plan "${plan}". Choose one of these: ${Object.keys(plans).join(', ')}.`);
    return { ...planOf(`${seed}/${index}`), contract: contracts.find(({ id }) => id === contract)?.settings };
  };

const indexesTo = (worlds: string): string[] => Array.from({ length: Number(worlds) }, (_, index) => String(index + 1));

/** Runs worlds of the app until one breaks a promise. Returns the exit code. */
const runWorlds = async (options: Options): Promise<number> => {
  const { world, worlds, only, bundle, survey } = options;
  const loaded = await load();
  const { runWorld, loadApp } = loaded;
  const planOf = planner(loaded, options);
  const handlerOf = loadApp(resolve(bundle));
  const total = { operations: 0, requests: 0, runs: 0, faults: 0 };
  const broken = new Map<string, { count: number; seed: string }>();
  const indexes = world ? [world] : indexesTo(worlds);
  const count = countTo(realNow, indexes.length, 'worlds');
  for (const index of indexes) {
    const plan = planOf(index);
    const result = await runWorld(plan, handlerOf);
    for (const name of ['operations', 'requests', 'runs', 'faults'] as const) total[name] += result[name];
    for (const { name } of result.violations) {
      if (!broken.has(name)) console.error(`World ${index} breaks: ${name}.`);
      broken.set(name, { count: (broken.get(name)?.count ?? 0) + 1, seed: broken.get(name)?.seed ?? plan.seed });
    }
    const first = result.violations.find(({ name }) => name.includes(only));
    if (first && !survey) {
      await tellStory(loaded, { handlerOf, plan, name: first.name });
      return 1;
    }
    count(`${broken.size} broken promises`, total.operations);
  }
  for (const [name, { count, seed: first }] of broken) console.log(`${count} × ${name} (first in ${first})`);
  const { operations, requests, runs, faults } = total;
  console.log(
    `${indexes.length} worlds: ${operations} operations, ${runs} runs, ${requests} requests, ${faults} faults.`,
  );
  return broken.size > 0 ? 1 : 0;
};

/** Returns a folder for bundles, which find core from there, until the process ends. */
const makeFolder = (): string => {
  const folder = mkdtempSync(join(project, 'node_modules', '.simulation-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  return folder;
};

/** Returns a function that runs a world of an app with a bug. It returns what the judge says of that app alone, if anything. */
const watchFor = (loaded: Loaded, good: HandlerOf) => {
  const known = new Map<string, Set<string>>();
  return async (plan: Plan, bad: HandlerOf): Promise<string | undefined> => {
    const place = JSON.stringify(plan);
    const names = known.get(place) ?? new Set((await loaded.runWorld(plan, good)).violations.map(({ name }) => name));
    known.set(place, names);
    const isNews = ({ name }: { name: string }) => !names.has(name);
    const { violations } = await loaded.runWorld(plan, bad, isNews);
    return violations.find(isNews)?.name;
  };
};

/** Plants one bug after another in its world, or looks for the first of N worlds in which it shows. Returns the exit code. */
const plantAll = async (bugs: readonly PlantedBug[], options: Options): Promise<number> => {
  const { worlds, bundle, search } = options;
  const bundles = await buildPlanted(bugs, makeFolder());
  const loaded = await load();
  const watch = watchFor(loaded, loaded.loadApp(resolve(bundle)));
  const count = countTo(realNow, bugs.length, 'bugs');
  let unnoticed = 0;
  for (const [file, { id, plan, world }] of bundles) {
    const planOf = planner(loaded, { ...options, plan, seed: plantedSeed });
    const bad = loaded.loadApp(file);
    const indexes = search ? indexesTo(worlds) : [world];
    let found: string | undefined;
    for (const index of indexes) {
      found = await watch(planOf(index), bad);
      if (found) console.log(`${id}: world ${index}: ${found}`);
      if (found) break;
    }
    if (!found) unnoticed += 1;
    if (!found) console.log(`${id}: not noticed in ${indexes.length} worlds of ${plan}`);
    count(`${unnoticed} unnoticed`);
  }
  console.log(`${bugs.length - unnoticed} of ${bugs.length} planted bugs were noticed.`);
  return unnoticed > 0 ? 1 : 0;
};

/** Runs worlds of the app with another contract. Returns the exit code. */
const runContract = async (options: Options): Promise<number> => {
  const contract = contracts.filter(({ id }) => id === options.contract);
  if (contract.length === 0) throw new UsageError(`There is no contract "${options.contract}".`);
  const [bundle] = (await buildPlanted(contract, makeFolder())).keys();
  return runWorlds({ ...options, bundle: bundle ?? options.bundle });
};

const simulate = (args: string[]): Promise<number> => {
  const values = parseFlags(command, args);
  if (values.contract) return runContract(values);
  if (!values.planted) return runWorlds(values);
  const bugs = planted.filter(({ id }) => !values.only || values.only.split(',').includes(id));
  if (bugs.length === 0) throw new UsageError(`There is no planted bug "${values.only}".`);
  return plantAll(bugs, values);
};

runCommand(command, simulate);

/** `npm run simulate -- --worlds N --seed S` simulates N worlds from a seed. Ends with 1 when an invariant is broken. */
import '../../lab/cli/sandboxed';
import domain from 'node:domain';
import { readFileSync } from 'node:fs';
import { type Command, parseFlags, runCommand, type Values } from '../../lab/cli/command';
import { UsageError } from '../../lab/cli/errors';
import { contracts } from './contracts';
import type { Violation } from './invariants';
import { buildApp, buildPlanted } from './plant';
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
    world: { type: 'string', value: 'N', help: 'Runs only this world, or these, separated by commas.' },
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
    bundle: { type: 'string', value: 'FILE', help: 'A bundle of another app.' },
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
type PlanOf = (index: string) => Plan;

const planner =
  ({ plans }: Loaded, { seed, plan, contract }: Options): PlanOf =>
  (index) => {
    const planOf = plans[plan];
    if (!planOf)
      throw new UsageError(`There is no plan "${plan}". Choose one of these: ${Object.keys(plans).join(', ')}.`);
    return { ...planOf(`${seed}/${index}`), contract: contracts.find(({ id }) => id === contract)?.settings };
  };

const indexesTo = (worlds: string): string[] => Array.from({ length: Number(worlds) }, (_, index) => String(index + 1));

/** Runs worlds of an app until one breaks a promise. Returns the exit code. */
const runWorlds = async (loaded: Loaded, handlerOf: HandlerOf, options: Options): Promise<number> => {
  const { world, worlds, only, survey } = options;
  const planOf = planner(loaded, options);
  const total = { operations: 0, requests: 0, runs: 0, faults: 0 };
  const broken = new Map<string, { count: number; seed: string }>();
  const indexes = world ? world.split(',') : indexesTo(worlds);
  const count = countTo(realNow, indexes.length, 'worlds');
  for (const index of indexes) {
    const plan = planOf(index);
    const result = await loaded.runWorld(plan, handlerOf);
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

/** Runs a plan with an app that has a bug. Returns what the judge says of that app alone, if anything. */
type Notice = (plan: Plan) => Promise<Violation | undefined>;

const noticeIn =
  ({ runWorld }: Loaded, good: HandlerOf, bad: HandlerOf): Notice =>
  async (plan) => {
    const { violations } = await runWorld(plan, bad);
    if (violations.length === 0) return undefined;
    const known = new Set((await runWorld(plan, good)).violations.map(({ name }) => name));
    return violations.find(({ name }) => !known.has(name));
  };

const keepOnly = (plan: Plan, ids: Violation['operations'] | undefined): Plan => ({
  ...plan,
  operations: plan.operations.filter(({ id }) => !ids || ids.includes(id)),
});

/** Drops what a plan doesn't need for a bug to be noticed: all but the operations that the violation names, if they do. */
const dropRest = async ({ dropOperations }: Loaded, plan: Plan, found: Violation, notice: Notice): Promise<Plan> => {
  const named = keepOnly(plan, found.operations);
  const isNoticed = async (shorter: Plan) => (await notice(shorter)) !== undefined;
  return dropOperations((await isNoticed(named)) ? named : plan, isNoticed);
};

/** Looks for the first world that notices a bug. Returns the fewest operations in which it does, and what the judge says. */
const searchFor = async (loaded: Loaded, planOf: PlanOf, notice: Notice, indexes: readonly string[]) => {
  for (const index of indexes) {
    const found = await notice(planOf(index));
    if (!found) continue;
    const { operations } = await dropRest(loaded, planOf(index), found, notice);
    return `world ${index}:${operations.map(({ id }) => id)}: ${found.name}`;
  }
  return undefined;
};

/** Plants one bug after another in its world, or looks for a world in which it shows. Returns the exit code. */
const plantAll = async (bugs: readonly PlantedBug[], options: Options): Promise<number> => {
  const { worlds, search } = options;
  const [app, bundles] = [buildApp(), await buildPlanted(bugs)];
  const loaded = await load();
  const good = loaded.handlersOf(loaded.evaluate(app));
  const count = countTo(realNow, bugs.length, 'bugs');
  let unnoticed = 0;
  for (const [{ id, plan, world, operations }, bundle] of bundles) {
    const planOf = planner(loaded, { ...options, plan, seed: plantedSeed });
    const notice = noticeIn(loaded, good, loaded.handlersOf(loaded.evaluate(bundle)));
    const found = search
      ? await searchFor(loaded, planOf, notice, [world, ...indexesTo(worlds)])
      : (await notice(keepOnly(planOf(world), operations)))?.name;
    console.log(`${id}: ${found ?? `not noticed in the plan ${plan}`}`);
    if (!found) unnoticed += 1;
    count(`${unnoticed} unnoticed`);
  }
  console.log(`${bugs.length - unnoticed} of ${bugs.length} planted bugs were noticed.`);
  return unnoticed > 0 ? 1 : 0;
};

/** Returns the bundle of the app: as it is, in a file, or with another contract. */
const bundleFor = async ({ bundle, contract }: Options): Promise<string> => {
  if (bundle) return readFileSync(bundle, 'utf8');
  if (!contract) return buildApp();
  const named = contracts.filter(({ id }) => id === contract);
  if (named.length === 0) throw new UsageError(`There is no contract "${contract}".`);
  const [[, built] = ['', '']] = await buildPlanted(named);
  return built;
};

/** Runs worlds of one app. Returns the exit code. */
const runApp = async (options: Options): Promise<number> => {
  const bundle = await bundleFor(options);
  const loaded = await load();
  return runWorlds(loaded, loaded.handlersOf(loaded.evaluate(bundle)), options);
};

const simulate = async (args: string[]): Promise<number> => {
  const values = parseFlags(command, args);
  if (!values.planted) return runApp(values);
  const bugs = planted.filter(({ id }) => !values.only || values.only.split(',').includes(id));
  if (bugs.length === 0) throw new UsageError(`There is no planted bug "${values.only}".`);
  return plantAll(bugs, values);
};

runCommand(command, simulate);

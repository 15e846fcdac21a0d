/** `npm run compat`: compares the app with the last release. */
import '../lab/zapier/core/quiet-core';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Command, execute, parseFlags, start } from '../lab/cli/command';
import { project } from '../lab/cli/environment';
import { type AppDefinition, type FieldOfApp, plainFields, visibleStepsOf } from '../lab/zapier/core/app-definition';
import { expandForms } from './docs/definition';

const text = z.string();
const inputs = z.record(text, z.object({ type: text, required: z.boolean() }));

const release = z.object({
  version: text,
  authentication: z.object({ type: text, inputs }),
  steps: z.record(text, z.object({ type: text, inputs, outputs: z.array(text) })),
});

/** What Zaps rely on: the type of the connection, and the type, inputs and outputs of each step. */
export type Release = z.output<typeof release>;
type Inputs = z.output<typeof inputs>;
type Step = Release['authentication'] & { outputs?: string[] };

const typeOf = ({ type = 'string', list, dict }: FieldOfApp): string =>
  dict ? 'dictionary' : `${type}${list ? ' list' : ''}`;

const inputsOf = (fields: FieldOfApp[]): Inputs =>
  Object.fromEntries(fields.map((field) => [field.key, { type: typeOf(field), required: field.required ?? false }]));

const freeFormKeys = ['variables', 'attributes'];

/** Lists the paths that a Zap can map from a result, such as `stats.read` or `messages.text`. */
const pathsOf = (sample: unknown): string[] => {
  if (Array.isArray(sample)) return pathsOf(sample[0]);
  if (typeof sample !== 'object' || sample === null) return [];
  return Object.entries(sample).flatMap(([key, inner]) => [
    key,
    ...(freeFormKeys.includes(key) && !Array.isArray(inner) ? [] : pathsOf(inner).map((path) => `${key}.${path}`)),
  ]);
};

/** Returns what Zaps rely on in an app. */
export const releaseOf = (app: AppDefinition): Release => ({
  version: app.version,
  authentication: { type: app.authentication.type ?? 'none', inputs: inputsOf(app.authentication.fields) },
  steps: Object.fromEntries([
    ...Object.keys(app.searchOrCreates).map(
      (key) => [`searchOrCreates.${key}`, { type: 'searchOrCreates', inputs: {}, outputs: [] }] as const,
    ),
    ...visibleStepsOf(app).map(({ kind, place, step }) => {
      const { type = kind, sample } = step.operation;
      return [place, { type, inputs: inputsOf(plainFields(step)), outputs: pathsOf(sample) }] as const;
    }),
  ]),
});

function* changedInputs(place: string, was: Inputs, is: Inputs): Generator<string> {
  for (const key of Object.keys(was)) {
    if (!is[key]) yield `${place}: the field "${key}" was removed.`;
  }
  for (const [key, { type, required }] of Object.entries(is)) {
    const before = was[key];
    if (required && !before?.required) yield `${place}: the field "${key}" is now required.`;
    if (before && type !== before.type) {
      yield `${place}: the type of the field "${key}" changed from ${before.type} to ${type}.`;
    }
  }
}

function* changedStep(place: string, was: Step, is: Step): Generator<string> {
  if (was.type !== is.type) yield `${place}: the type changed from ${was.type} to ${is.type}.`;
  yield* changedInputs(place, was.inputs, is.inputs);
  for (const key of was.outputs ?? []) {
    if (!is.outputs?.includes(key)) yield `${place}: the result "${key}" was removed.`;
  }
}

/** Describes each change that breaks Zaps, in one sentence. */
export const breakingChanges = (was: Release, is: Release): string[] => [
  ...changedStep('authentication', was.authentication, is.authentication),
  ...Object.entries(was.steps).flatMap(([place, step]) => {
    const now = is.steps[place];
    return now ? [...changedStep(place, step, now)] : `${place} was removed or hidden.`;
  }),
];

const major = ({ version }: Release): number => Number.parseInt(version, 10);

const isMajor = (was: Release, is: Release): boolean => major(is) > major(was);

/** Lists the breaking changes that this version may not make. A new major version may make all of them. */
export const refusedChanges = (was: Release, is: Release): string[] =>
  isMajor(was, is) ? [] : breakingChanges(was, is);

const lastRelease = join(project, 'docs/last-release.json');

const readRelease = (path: string): Release => release.parse(JSON.parse(readFileSync(path, 'utf8')));

/** Reads the last release from the repository; undefined when nothing has been released. */
export const readLastRelease = (): Release | undefined =>
  existsSync(lastRelease) ? readRelease(lastRelease) : undefined;

/** Says what would break Zaps built with the last release, and what to do about it. */
export const report = (was: Release | undefined, is: Release): string => {
  if (!was) {
    return 'Nothing has been released yet, so no change can break a Zap. After the release, run npm run compat -- --released.';
  }
  const changes = breakingChanges(was, is);
  if (changes.length === 0) return `Version ${is.version} doesn't break Zaps built with ${was.version}.`;
  return [
    `These changes break Zaps built with ${was.version}:`,
    ...changes.map((change) => `- ${change}`),
    isMajor(was, is)
      ? `Version ${is.version} is a new major version, so it may break them. Zaps stay on ${was.version} until people switch.`
      : 'Zapier may refuse to promote this version, and those Zaps would fail with it. Undo the changes, or release a new major version.',
  ].join('\n');
};

/** Prints the breaking changes. Returns the exit code. */
const compare = (was: Release | undefined, is: Release): number => {
  console.log(report(was, is));
  return was && refusedChanges(was, is).length > 0 ? 1 : 0;
};

const save = (is: Release): void => {
  writeFileSync(lastRelease, JSON.stringify(is, null, 2));
  execFileSync(process.execPath, [
    join(project, 'node_modules/@biomejs/biome/bin/biome'),
    'format',
    '--write',
    lastRelease,
  ]);
};

const command = {
  name: 'npm run compat',
  summary:
    'Lists the changes that break Zaps built with the last release. Exits with 1 when one of them needs a new major version.',
  options: {
    released: {
      type: 'boolean',
      default: false,
      help: 'Saves this version in docs/last-release.json as the last release.',
    },
    against: { type: 'string', value: 'FILE', help: 'Compares with FILE instead of docs/last-release.json.' },
  },
  examples: ['npm run compat', 'npm run compat -- --released'],
} as const satisfies Command;

const main = async (args: string[]): Promise<number> => {
  const { released, against } = parseFlags(command, args);
  const is = releaseOf(await expandForms());
  if (!released) return compare(against ? readRelease(against) : readLastRelease(), is);
  save(is);
  console.log(`Saved version ${is.version} in docs/last-release.json.`);
  return 0;
};

/** Runs the command. Returns the exit code. */
export const compat = (args: string[]): Promise<number> => execute(command, main, args);

if (require.main === module) void start(compat);

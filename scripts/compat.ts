/**
 * `npm run compat` names what would break the Zaps that people built with the last release, and ends with 1 when there
 * is something that only a new major version may change. `-- --released` keeps the present app as the last release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type Definition, type Field, plainFields, presentInFull, visibleStepsOf } from './docs/definition';

const text = z.string();
const inputs = z.record(text, z.object({ type: text, required: z.boolean() }));

const release = z.object({
  version: text,
  authentication: z.object({ type: text, inputs }),
  steps: z.record(text, z.object({ type: text, inputs, outputs: z.array(text) })),
});

/** What Zaps rely on: the type of the connection, and of each step its kind, its fields and what it gives. */
export type Release = z.output<typeof release>;
type Inputs = z.output<typeof inputs>;

const typeOf = ({ type = 'string', list, dict }: Field): string =>
  dict ? 'dictionary' : `${type}${list ? ' list' : ''}`;

const inputsOf = (fields: Field[]): Inputs =>
  Object.fromEntries(fields.map((field) => [field.key, { type: typeOf(field), required: field.required ?? false }]));

/** Names of the person's own: the template's variables, the contact's attributes. */
const ofPeople = ['variables', 'attributes'];

/** What can be mapped from a result: `stats.read`, or `messages.text` of the messages in a list. */
const pathsOf = (sample: unknown): string[] => {
  if (Array.isArray(sample)) return pathsOf(sample[0]);
  if (typeof sample !== 'object' || sample === null) return [];
  return Object.entries(sample).flatMap(([key, inner]) => [
    key,
    ...(ofPeople.includes(key) && !Array.isArray(inner) ? [] : pathsOf(inner).map((path) => `${key}.${path}`)),
  ]);
};

type Entry = [place: string, step: Release['steps'][string]];

/** What Zaps rely on in an app. */
export const releaseOf = (app: Definition): Release => ({
  version: app.version,
  authentication: { type: app.authentication.type, inputs: inputsOf(app.authentication.fields) },
  steps: Object.fromEntries([
    ...Object.keys(app.searchOrCreates).map(
      (key): Entry => [`searchOrCreates.${key}`, { type: 'searchOrCreates', inputs: {}, outputs: [] }],
    ),
    ...visibleStepsOf(app).map(
      ({ kind, place, step }): Entry => [
        place,
        {
          type: step.operation.type ?? kind,
          inputs: inputsOf(plainFields(step)),
          outputs: pathsOf(step.operation.sample),
        },
      ],
    ),
  ]),
});

const changedInputs = (place: string, was: Inputs, is: Inputs): string[] => [
  ...Object.keys(was).flatMap((key) => (is[key] ? [] : `${place}: the field "${key}" was removed.`)),
  ...Object.entries(is).flatMap(([key, field]) => {
    const before = was[key];
    return [
      ...(field.required && !before?.required ? [`${place}: the field "${key}" is required and was not.`] : []),
      ...(before && field.type !== before.type
        ? [`${place}: the field "${key}" is ${field.type}, was ${before.type}.`]
        : []),
    ];
  }),
];

const changedType = (place: string, was: string, is: string): string[] =>
  was === is ? [] : [`${place}: the type is ${is}, was ${was}.`];

const changedStep = (
  place: string,
  was: Release['steps'][string],
  is: Release['steps'][string] | undefined,
): string[] =>
  is
    ? [
        ...changedType(place, was.type, is.type),
        ...changedInputs(place, was.inputs, is.inputs),
        ...was.outputs
          .filter((key) => !is.outputs.includes(key))
          .map((key) => `${place}: the result "${key}" was removed.`),
      ]
    : [`${place} was removed or hidden.`];

/** A sentence for each change that breaks Zaps. */
export const breakingChanges = (was: Release, is: Release): string[] => [
  ...changedType('authentication', was.authentication.type, is.authentication.type),
  ...changedInputs('authentication', was.authentication.inputs, is.authentication.inputs),
  ...Object.entries(was.steps).flatMap(([place, step]) => changedStep(place, step, is.steps[place])),
];

const major = ({ version }: Release): number => Number.parseInt(version, 10);

const isMajor = (was: Release, is: Release): boolean => major(is) > major(was);

/** Of these changes, what Zapier refuses to promote or would break Zaps: all, or none when the major version is new. */
export const refusedChanges = (was: Release, is: Release): string[] =>
  isMajor(was, is) ? [] : breakingChanges(was, is);

const kept = join(__dirname, '../docs/last-release.json');

/** The last release, from the repository or another file. */
export const readRelease = (path = kept): Release => release.parse(JSON.parse(readFileSync(path, 'utf8')));

const report = (was: Release, is: Release): string => {
  const changes = breakingChanges(was, is);
  if (changes.length === 0) return `Version ${is.version} breaks nothing that people built with ${was.version}.`;
  return [
    `What breaks Zaps that people built with ${was.version}:`,
    ...changes.map((change) => `- ${change}`),
    isMajor(was, is)
      ? `Version ${is.version} may do that. Zaps stay on ${was.version} until people move them by hand.`
      : 'Zapier refuses to promote that, or Zaps would fail. Take it back, or make it a new major version.',
  ].join('\n');
};

const compare = (was: Release, is: Release): void => {
  console.log(report(was, is));
  if (refusedChanges(was, is).length > 0) process.exitCode = 1;
};

const keep = (is: Release): void => {
  writeFileSync(kept, JSON.stringify(is, null, 2));
  execFileSync('biome', ['format', '--write', kept]);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ options: { released: { type: 'boolean' } }, allowPositionals: true });
  const is = releaseOf(await presentInFull());
  if (values.released) keep(is);
  else compare(readRelease(positionals[0]), is);
};

if (require.main === module) main();

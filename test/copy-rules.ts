/** Zapier's rules for the words of an app (below its integration checks). */
import { type Definition, type Field, plainFields, type Step, stepsOf } from '../scripts/docs/definition';
import * as things from '../src/api/resources';
import type { Check } from './integration-checks';

export type Rule = Omit<Check, 'id'>;

const stepsLike = (app: Definition, like: (step: Step, kind: string) => boolean): string[] =>
  stepsOf(app).flatMap(({ place, kind, step }) => (like(step, kind) ? place : []));

const fieldsLike = (app: Definition, like: (field: Field, index: number, fields: Field[]) => boolean): string[] =>
  stepsOf(app).flatMap(({ place, step }) =>
    plainFields(step)
      .filter(like)
      .map(({ key }) => `${place}.${key}`),
  );

/** Fields that belong side by side. */
const pairs = [
  ['first_name', 'last_name'],
  ['phone', 'email'],
  ['add_tags', 'remove_tags'],
  ['channel', 'template'],
  ['to', 'default_country'],
];

const isApart = (fields: Field[], pair: string[]): boolean => {
  const places = pair.map((key) => fields.findIndex((field) => field.key === key));
  return !places.includes(-1) && Math.abs((places[0] ?? 0) - (places[1] ?? 0)) > 1;
};

const known = new Set(
  Object.values(things).flatMap((thing) =>
    typeof thing === 'object' && 'sample' in thing ? Object.keys(thing.sample) : [],
  ),
);

const describes = (pattern: RegExp, only: string) => (app: Definition) =>
  stepsLike(app, ({ display }, kind) => kind === only && !pattern.test(display.description));

export const copyRules: Rule[] = [
  {
    says: 'actions say what they do: "Sends a …."',
    find: describes(/^[A-Z][a-z]+s an? .+\.$/, 'creates'),
  },
  {
    says: 'searches say what they find: "Finds a …."',
    find: describes(/^Finds an? .+\.$/, 'searches'),
  },
  {
    says: 'searches are called "Find …", and nothing is called "Get …"',
    find: (app) =>
      stepsLike(
        app,
        ({ display: { label } }, kind) => /\bGet\b/.test(label) || (kind === 'searches' && !/^Find /.test(label)),
      ),
  },
  {
    says: 'nouns are singular',
    find: (app) => stepsLike(app, ({ noun }) => /[^s]s$/.test(noun)),
  },
  {
    says: 'what is required comes first, but for what belongs together',
    find: (app) =>
      stepsLike(app, (step) => {
        const fields = plainFields(step).filter(({ type }) => type !== 'copy');
        return fields.some(({ required }, index) => required && index > 0 && !fields[index - 1]?.required);
      }),
  },
  {
    says: 'related fields stand together',
    find: (app) => stepsLike(app, (step) => pairs.some((pair) => isApart(plainFields(step), pair))),
  },
  {
    says: 'no field is called "… ID"',
    find: (app) => fieldsLike(app, ({ label = '' }) => /\bIDs?$/.test(label)),
  },
  {
    says: 'no trigger starts at just any change',
    find: (app) =>
      stepsLike(
        app,
        ({ noun, display: { label } }, kind) =>
          kind === 'triggers' && [`Updated ${noun}`, `${noun} Updated`].includes(label),
      ),
  },
  {
    says: "what deletes says that it can't be undone, in its description and in a note in its form",
    find: (app) =>
      stepsLike(app, (step) => {
        const notes = plainFields(step).filter(({ type }) => type === 'copy');
        const texts = [step.display.description, notes.map(({ helpText }) => helpText).join(' ')];
        return /delete|remove/.test(step.key) && !texts.every((text) => text.includes("can't be undone"));
      }),
  },
  {
    says: 'what creates or updates comes with steps that do only one of them',
    find: ({ creates }) =>
      Object.keys(creates).filter(
        (key) =>
          key.startsWith('upsert_') && !['create_', 'update_'].every((verb) => key.replace('upsert_', verb) in creates),
      ),
  },
  {
    says: 'names come in two fields, in forms and in results',
    find: (app) =>
      stepsLike(app, (step) => {
        const keys = [...plainFields(step).map(({ key }) => key), ...Object.keys(step.operation.sample)];
        return keys.includes('full_name') || keys.includes('first_name') !== keys.includes('last_name');
      }),
  },
  {
    says: 'results do not repeat what only the form knows',
    find: (app) =>
      stepsLike(app, (step) => plainFields(step).some(({ key }) => key in step.operation.sample && !known.has(key))),
  },
];

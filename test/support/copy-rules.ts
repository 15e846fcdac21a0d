/** Zapier's rules for names and texts, which its integration checks don't cover. */

import {
  type AppDefinition,
  type FieldOfApp,
  plainFields,
  type StepOfApp,
  stepsOf,
} from '../../lab/zapier/core/app-definition';
import * as things from '../../src/api/resources';
import type { Check } from './integration-checks';

export type Rule = Omit<Check, 'id'>;

const stepsLike = (app: AppDefinition, like: (step: StepOfApp, kind: string) => boolean): string[] =>
  stepsOf(app).flatMap(({ place, kind, step }) => (like(step, kind) ? place : []));

const fieldsLike = (
  app: AppDefinition,
  like: (field: FieldOfApp, index: number, fields: FieldOfApp[]) => boolean,
): string[] =>
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
];

const isApart = (fields: FieldOfApp[], pair: string[]): boolean => {
  const places = pair.map((key) => fields.findIndex((field) => field.key === key));
  return !places.includes(-1) && Math.abs((places[0] ?? 0) - (places[1] ?? 0)) > 1;
};

const known = new Set([
  ...Object.values(things).flatMap((thing) =>
    typeof thing === 'object' && 'sample' in thing ? Object.keys(thing.sample) : [],
  ),
  // A fact about each conversation, also when a search isn't limited by it.
  'awaiting_reply',
]);

const describes = (pattern: RegExp, only: string) => (app: AppDefinition) =>
  stepsLike(app, ({ display }, kind) => kind === only && !pattern.test(display.description));

export const copyRules: Rule[] = [
  {
    says: 'descriptions of actions start like "Sends a"',
    find: describes(/^[A-Z][a-z]+s (everyone in )?an? .+\.$/, 'creates'),
  },
  {
    says: 'descriptions of searches start with "Finds a"',
    find: describes(/^Finds an? .+\.$/, 'searches'),
  },
  {
    says: 'searches are named "Find …", and no step "Get …"',
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
    says: 'required fields come first in each section of a form',
    find: (app) =>
      stepsLike(app, (step) => {
        const fields = plainFields(step).filter(({ type }) => type !== 'copy');
        const sections = Map.groupBy(fields, ({ group, when }) => `${group} ${when}`);
        return [...sections.values()].some((section) =>
          section.some(({ required }, index) => required && index > 0 && !section[index - 1]?.required),
        );
      }),
  },
  {
    says: 'related fields are next to each other',
    find: (app) => stepsLike(app, (step) => pairs.some((pair) => isApart(plainFields(step), pair))),
  },
  {
    says: 'no field is named "… ID"',
    find: (app) => fieldsLike(app, ({ label = '' }) => /\bIDs?$/.test(label)),
  },
  {
    says: 'a trigger says what changed, instead of "Contact Updated"',
    find: (app) =>
      stepsLike(
        app,
        ({ noun, display: { label } }, kind) =>
          kind === 'triggers' && [`Updated ${noun}`, `${noun} Updated`].includes(label),
      ),
  },
  {
    says: 'people have a first and a last name, in forms and results',
    find: (app) =>
      stepsLike(app, (step) => {
        const keys = [...plainFields(step).map(({ key }) => key), ...Object.keys(step.operation.sample)];
        return keys.includes('full_name') || keys.includes('first_name') !== keys.includes('last_name');
      }),
  },
  {
    says: "results don't repeat the input",
    find: (app) =>
      stepsLike(app, (step) => plainFields(step).some(({ key }) => key in step.operation.sample && !known.has(key))),
  },
];

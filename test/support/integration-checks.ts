/** Zapier's integration checks that the appDefinition alone decides, by their numbers. */
import { version as newestKnown } from 'zapier-platform-cli/package.json';
import * as z from 'zod/mini';
import {
  type AppDefinition,
  appDefinition,
  type FieldOfApp,
  plainFields,
  type StepOfApp,
  stepsOf,
} from '../../lab/zapier/core/app-definition';
import { hasListedChoices } from '../../lab/zapier/fields/form';

export interface Check {
  id: string;
  says: string;
  /** Where the app breaks the check. */
  find: (app: AppDefinition) => string[];
}

type Placed<T> = [place: string, part: T];

/** Every text and number in a part. */
const walk = (part: unknown, place: string): Placed<string>[] => {
  if (typeof part === 'string' || typeof part === 'number') return [[place, String(part)]];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, inner]) => walk(inner, `${place}.${key}`));
};

/** The places whose part does not pass. */
const failing = <T>(parts: Placed<T>[], passes: (part: T) => boolean): string[] =>
  parts.filter(([, part]) => !passes(part)).map(([place]) => place);

const steps = (app: AppDefinition, ...only: string[]): Placed<StepOfApp>[] =>
  stepsOf(app)
    .filter(({ kind }) => only.length === 0 || only.includes(kind))
    .map(({ place, step }) => [place, step]);

const triggers = (app: AppDefinition, type: 'hook' | 'polling'): Placed<StepOfApp>[] =>
  steps(app, 'triggers').filter(([, { operation }]) => operation.type === type);

const fields = (app: AppDefinition): Placed<FieldOfApp>[] =>
  steps(app).flatMap(([place, step]) =>
    plainFields(step).map((field): Placed<FieldOfApp> => [`${place}.${field.key}`, field]),
  );

const labels = (app: AppDefinition): Placed<string>[] =>
  [...steps(app), ...Object.entries(app.searchOrCreates)].map(([place, { display }]) => [place, display.label]);

/** The texts that Zapier shows as Markdown. */
const markdown = (app: AppDefinition): Placed<string>[] => [
  ...steps(app).map(([place, { display }]): Placed<string> => [place, display.description]),
  ...fields(app).map(([place, { helpText }]): Placed<string> => [place, helpText ?? '']),
  ...app.authentication.fields.map(({ key, helpText }): Placed<string> => [key, helpText ?? '']),
];

const link = /\[[^\]]+\]\(https:\/\/[^\s)]+\)/;
const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

/** Whether a value is meant to be a date or a point in time, by its name or by its look. */
const isMoment = ([place, text]: Placed<string>): boolean =>
  /_(at|on|date)$/.test(place) || /^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2} [A-Z][a-z]{2,8} \d{4})/.test(text);

/** The dates and times in a record that are not written as ISO 8601 with a zone. */
export const unclearMoments = (record: unknown, place: string): string[] =>
  failing(walk(record, place).filter(isMoment), (text) => iso.test(text));

const typeChecks: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  datetime: (value) => typeof value === 'string' && iso.test(value),
  number: (value) => typeof value === 'number',
  file: (value) => typeof value === 'string' && /^hydrate\|{3}.+\|{3}hydrate$/.test(value),
};

/** The values in a record at the path of an output field: one for each line item, none where a part is missing. */
const valuesAt = (value: unknown, path: string[]): unknown[] => {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [key, ...rest] = path;
  return key === undefined ? [value] : valuesAt(Object(value)[key], rest);
};

const pathOf = ({ key }: FieldOfApp): string[] => key.split(/__|\[\]/);

/** The output fields of a step that a record does not keep to: a required one is missing, or a type differs. */
export const brokenPromises = (record: Record<string, unknown>, { operation }: StepOfApp, place: string): string[] =>
  (operation.outputFields ?? [])
    .filter((field) => {
      const values = valuesAt(record, pathOf(field));
      const hasType = typeChecks[field.type ?? ''] ?? (() => field.type === undefined);
      return (field.required && values.length === 0) || !values.every(hasType);
    })
    .map(({ key }) => `${place}.${key}`);

const smallWord = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;

/** Whether a label is written as a title: every word with a capital, but for small ones in the middle. */
const isTitle = (label: string): boolean =>
  label
    .split(' ')
    .every(
      (word, index, words) => /^[A-Z]/.test(word) || (index > 0 && index < words.length - 1 && smallWord.test(word)),
    );

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** The column that a reference such as `list_channels.id.name` or `find_contact.id` asks for and does not get. */
const leadsNowhere = (reference: string | undefined, among: Record<string, StepOfApp>): boolean => {
  const [key = '', ...columns] = (reference ?? '').split('.');
  return columns.some((column) => !(column in (among[key]?.operation.sample ?? {})));
};

const isDropdown = (field: FieldOfApp): boolean => field.dynamic !== undefined || hasListedChoices(field);

/** What the service can list, by the key of a field for it. */
const listed = (app: AppDefinition): Set<string> =>
  new Set(fields(app).flatMap(([, field]) => (isDropdown(field) ? field.key : [])));

const isStatic = ({ operation }: StepOfApp): boolean =>
  operation.type === 'hook' && !(operation.performSubscribe && operation.performUnsubscribe);

const put = (part: unknown, [key, ...rest]: string[], value: unknown): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(part)) return part.map((item, index) => (String(index) === key ? put(item, rest, value) : item));
  const whole = z.record(z.string(), z.unknown()).parse(part);
  return { ...whole, [key]: put(whole[key], rest, value) };
};

/** The app with other parts in some places, such as `triggers.new_contact.display.label`. */
export const withParts = (app: AppDefinition, parts: Record<string, unknown>): AppDefinition =>
  appDefinition.parse(
    Object.entries(parts).reduce<unknown>((at, [place, value]) => put(at, place.split('.'), value), app),
  );

/** Whether a record has the path of an output field. A null or an empty list leaves out what would be in it. */
const hasPath = (value: unknown, [key, ...rest]: string[]): boolean => {
  if (!key || value === null || value === undefined) return true;
  if (Array.isArray(value)) return hasPath(value[0], [key, ...rest]);
  return (
    typeof value === 'object' &&
    key in value &&
    hasPath(Object.entries(value).find(([name]) => name === key)?.[1], rest)
  );
};

export const checks: Check[] = [
  {
    id: 'D001',
    says: 'no step asks for a key, token or password',
    find: (app) =>
      failing(fields(app), ({ key, label }) => !/api.?key|token|password|secret|credential/i.test(`${key} ${label}`)),
  },
  {
    id: 'D002',
    says: 'help for what the connection asks for has a link',
    find: (app) =>
      app.authentication.fields
        .filter(({ required, helpText }) => required && !link.test(helpText ?? ''))
        .map(({ key }) => key),
  },
  {
    id: 'D003',
    says: 'the connection has a label, which differs from account to account',
    find: ({ authentication: { connectionLabel } }) => (/\{\{\w+\}\}/.test(String(connectionLabel)) ? [] : ['label']),
  },
  {
    id: 'D004',
    says: 'fields for an ID, or for what the service can list, have a dropdown',
    find: (app) => {
      const things = listed(app);
      return fields(app)
        .filter(([, { key, label = '' }]) => things.has(key) || /(^|_)ids?$/.test(key) || /\bID\b/.test(label))
        .filter(([, field]) => !isDropdown(field))
        .map(([place]) => place);
    },
  },
  {
    id: 'D005',
    says: 'dropdowns lead to triggers that are there and give what is asked for',
    find: (app) => fields(app).flatMap(([place, { dynamic }]) => (leadsNowhere(dynamic, app.triggers) ? place : [])),
  },
  {
    id: 'D006',
    says: 'instant triggers list recent records for their test',
    find: (app) => failing(triggers(app, 'hook'), ({ operation }) => typeof operation.performList === 'function'),
  },
  {
    id: 'D007',
    says: 'every address begins with https',
    find: (app) => failing(walk(app, 'app'), (text) => !text.includes('http://')),
  },
  {
    id: 'D008',
    says: 'links are complete, and bare addresses are in backticks',
    find: (app) =>
      failing(markdown(app), (text) => {
        const rest = text.replace(/`[^`]*`/g, '').replace(new RegExp(link, 'g'), '');
        return !/\]\(|\[[^\]]*\(|\bhttps?:|\bwww\./.test(rest);
      }),
  },
  {
    id: 'D009',
    says: 'searches have a field',
    find: (app) => failing(steps(app, 'searches'), (step) => plainFields(step).length > 0),
  },
  {
    id: 'D010',
    says: 'examples of what is polled have the id that tells records apart',
    find: (app) => failing(triggers(app, 'polling'), ({ operation: { sample } }) => Boolean(sample.id)),
  },
  {
    id: 'D011',
    says: 'help says more than the label',
    find: (app) =>
      fields(app)
        .filter(([, { label = '', helpText }]) => {
          const known = words(label);
          return helpText !== undefined && words(helpText).every((word) => known.includes(word));
        })
        .map(([place]) => place),
  },
  {
    id: 'D012',
    says: 'every step has an example',
    find: (app) => failing(steps(app), ({ operation: { sample } }) => Object.keys(sample).length > 0),
  },
  {
    id: 'D013',
    says: 'fields that can be found lead to searches that are there and give what is asked for',
    find: (app) => fields(app).flatMap(([place, { search }]) => (leadsNowhere(search, app.searches) ? place : [])),
  },
  {
    id: 'D014',
    says: 'fields that can be found have a dropdown as well, and hold one plain text or number',
    find: (app) =>
      fields(app)
        .filter(([, { search }]) => search)
        .filter(
          ([, field]) =>
            !isDropdown(field) ||
            field.list ||
            field.dict ||
            !['string', 'integer', 'number'].includes(field.type ?? 'string'),
        )
        .map(([place]) => place),
  },
  {
    id: 'D015',
    says: 'what finds or creates has both its halves',
    find: (app) =>
      Object.entries(app.searchOrCreates).flatMap(([place, { search, create }]) =>
        search in app.searches && create in app.creates ? [] : place,
      ),
  },
  {
    id: 'D016',
    says: 'the app is more than a web address to deliver to',
    find: (app) => (steps(app).some(([, step]) => !isStatic(step)) ? [] : ['app']),
  },
  {
    id: 'D017',
    says: 'instant triggers subscribe and unsubscribe by themselves',
    find: (app) => failing(steps(app), (step) => !isStatic(step)),
  },
  {
    id: 'D018',
    says: 'labels are written as titles',
    find: (app) => failing(labels(app), isTitle),
  },
  {
    id: 'D021',
    says: 'descriptions of triggers say "Triggers when …."',
    find: (app) => failing(steps(app, 'triggers'), ({ display }) => /^Triggers when \S.*\.$/.test(display.description)),
  },
  {
    id: 'D022',
    says: 'actions have fields that everybody sees',
    find: (app) => failing(steps(app, 'creates'), (step) => plainFields(step).length > 0),
  },
  {
    id: 'D023',
    says: 'dates and times in examples are ISO 8601 with a zone',
    find: (app) => steps(app).flatMap(([place, { operation }]) => unclearMoments(operation.sample, place)),
  },
  {
    id: 'D024',
    says: 'examples keep to the output fields, and have each of them',
    find: (app) =>
      steps(app).flatMap(([place, step]) => [
        ...brokenPromises(step.operation.sample, step, place),
        ...(step.operation.outputFields ?? []).flatMap((field) =>
          hasPath(step.operation.sample, pathOf(field)) ? [] : `${place}.${field.key}`,
        ),
      ]),
  },
  {
    id: 'D025',
    says: 'no text holds an address that runs something',
    find: (app) => failing(walk(app, 'app'), (text) => !/\b(javascript|vbscript|data|file|blob):\S/i.test(text)),
  },
  {
    id: 'D027',
    says: 'the platform is the newest that is known here',
    find: ({ platformVersion }) => (platformVersion === newestKnown ? [] : [platformVersion]),
  },
  {
    id: 'D028',
    says: 'Zapier leaves what people fill in as it is',
    find: ({ flags }) => (flags.cleanInputData === false ? [] : ['flags']),
  },
];

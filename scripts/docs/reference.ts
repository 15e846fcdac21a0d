import { endpoints } from '../../src/api/endpoints';
import { toLabel } from '../../src/api/labels';
import { brand } from '../../src/brand';
import { type Definition, type Field, type Kind, plainFields, type Step, visibleStepsOf } from './definition';
import { table } from './table';

/** Returns the link to a heading on the same page. */
const anchor = (heading: string): string => `#${heading.toLowerCase().replaceAll(' ', '-')}`;

const maxListedChoices = 12;

const choicesOf = ({ choices = {}, list }: Field): string => {
  const names = 'perform' in choices ? [] : Object.values(choices);
  if (names.length === 0 || names.length > maxListedChoices) return 'Choose from the list.';
  return `${list ? 'Any of' : 'One of'}: ${names.join('; ')}.`;
};

const howToFill = (field: Field, app: Definition): string => {
  const search = app.searches[field.search?.split('.')[0] ?? '']?.display.label;
  return [
    field.when && `Only with ${field.when}.`,
    (field.choices || field.dynamic) && choicesOf(field),
    search && `A step before can find it: [${search}](${anchor(search)}).`,
    field.dynamic && field.altersDynamicFields && 'Your choice decides which fields follow.',
    field.list && !field.choices && 'One or more.',
    field.type === 'integer' && 'A whole number.',
    field.helpText,
  ]
    .filter(Boolean)
    .join(' ');
};

const fieldList = (fields: Field[], app: Definition): string =>
  fields
    .map((field) => `- **${field.label}**${field.required ? ' (required)' : ''}: ${howToFill(field, app)}`)
    .map((line) => line.replace(/:\s*$/, ''))
    .join('\n');

const typeNames: Record<string, string> = {
  string: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  datetime: 'Date and time',
};

const typeOf = ({ key, type, list }: Field): string => {
  const name = type ? (typeNames[type] ?? type) : 'Names and values';
  if (key.includes('[]')) return `${name}, for each line item`;
  return list ? `List of ${name.toLowerCase()}` : name;
};

/** Returns the value in a sample at the key of an output field, such as `contact__phone` or `messages[]text`. */
const valueAt = (sample: object, key: string): unknown =>
  key.split(/__|\[\]/).reduce<unknown>((at, name) => {
    const record = Array.isArray(at) ? at[0] : at;
    return typeof record === 'object' && record !== null ? Reflect.get(record, name) : undefined;
  }, sample);

const showExample = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(showExample).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, item]) => `${name}: ${item}`)
    .join(', ');
};

const outputTable = ({ operation: { outputFields = [], sample } }: Step): string =>
  table(
    ['Field', 'Type', 'Example'],
    outputFields.map((field) => [field.label ?? field.key, typeOf(field), showExample(valueAt(sample, field.key))]),
  );

const describeTiming = ({ operation: { type } }: Step): string => {
  if (type === 'hook') return ` Starts at once. Needs the ${toLabel(endpoints.createWebhook.plan)} plan.`;
  return type === 'polling' ? ' Zapier looks for new ones every few minutes.' : '';
};

const searchOrCreateOf = (step: Step, app: Definition): string => {
  const either = app.searchOrCreates[step.key];
  return either ? `With **${either.display.label}**: ${either.display.description}` : '';
};

const stepSection = (step: Step, app: Definition): string =>
  [
    `### ${step.display.label}`,
    step.display.description + describeTiming(step),
    searchOrCreateOf(step, app),
    fieldList(plainFields(step), app),
    'Gives:',
    outputTable(step),
  ]
    .filter(Boolean)
    .join('\n\n');

const sections: { kind: Kind; title: string; says: string }[] = [
  { kind: 'triggers', title: 'Triggers', says: 'A trigger starts a Zap.' },
  { kind: 'creates', title: 'Actions', says: 'An action does something in your workspace.' },
  {
    kind: 'searches',
    title: 'Searches',
    says: "A search finds something that later steps can use. A search with no results isn't an error: you choose what the Zap does then.",
  },
];

/** Renders the reference for people who build Zaps: every step with its fields and an example result. */
export const renderReference = (app: Definition): string => {
  const stepsOf = (kind: Kind): Step[] =>
    visibleStepsOf(app)
      .filter((placed) => placed.kind === kind)
      .map(({ step }) => step);
  const contents = sections.map(
    ({ kind, title }) =>
      `- ${title}: ${stepsOf(kind)
        .map(({ display: { label } }) => `[${label}](${anchor(label)})`)
        .join(', ')}`,
  );
  const chapters = sections.flatMap(({ kind, title, says }) => [
    `## ${title}`,
    says,
    ...stepsOf(kind).map((step) => stepSection(step, app)),
  ]);
  return `${[
    '<!-- Made from the app by `npm run docs`. -->',
    `# ${brand.name} on Zapier`,
    `Every trigger, action and search of ${brand.name}, with the fields to fill in and the fields that later steps can use.`,
    contents.join('\n'),
    '## Connect your account',
    fieldList(app.authentication.fields, app),
    ...chapters,
    `For help, see ${brand.help} or write to ${brand.support}.`,
  ].join('\n\n')}\n`;
};

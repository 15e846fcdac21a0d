import { endpoints } from '../../src/api/endpoints';
import { brand } from '../../src/brand';
import { type Definition, type Field, type Kind, plainFields, type Step, visibleStepsOf } from './definition';

const cell = (text: string): string => text.replace(/\s*\n\s*/g, '<br>').replaceAll('|', '\\|');

/** Renders a Markdown table with padded columns, as the formatter does. */
export const table = (head: string[], rows: string[][]): string => {
  const lines = [head, ...rows].map((cells) => cells.map(cell));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const even = (cells: string[], filler: string): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [even(first, ' '), even([], '-'), ...others.map((cells) => even(cells, ' '))].join('\n');
};

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

const abbreviations: Record<string, string> = { id: 'ID', url: 'URL' };

/** Returns the label that Zapier derives from a key: `campaign_id` is "Campaign ID". */
export const toLabel = (key: string): string =>
  key
    .split('_')
    .map((word) => abbreviations[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists a step's outputs as Zapier shows them in the next step: a label and an example value. */
export const outputsOf = (record: Record<string, unknown>, before = ''): { label: string; example: string }[] =>
  Object.entries(record).flatMap(([key, value]) => {
    const label = before + toLabel(key);
    const inner = Array.isArray(value) ? value[0] : value;
    if (isRecord(inner)) return outputsOf(inner, `${label} `);
    return { label, example: Array.isArray(value) ? value.join(', ') : String(value ?? '') };
  });

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
    table(
      ['Field', 'Example'],
      outputsOf(step.operation.sample).map(({ label, example }) => [label, example]),
    ),
  ]
    .filter(Boolean)
    .join('\n\n');

const sections: { kind: Kind; title: string; says: string }[] = [
  { kind: 'triggers', title: 'Triggers', says: 'A trigger starts a Zap.' },
  { kind: 'creates', title: 'Actions', says: 'An action does something in your workspace.' },
  {
    kind: 'searches',
    title: 'Searches',
    says: 'A search finds something that later steps can use. Finding nothing is no error: you choose what the Zap does then.',
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
    `Everything that a Zap can do with ${brand.name}: what starts it, what it can do, and what each step gives to the next.`,
    contents.join('\n'),
    '## Connect your account',
    fieldList(app.authentication.fields, app),
    ...chapters,
    `Something does not work? See ${brand.help} or write to ${brand.support}.`,
  ].join('\n\n')}\n`;
};

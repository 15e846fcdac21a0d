import { capitalize } from '../../src/api/labels';
import { brand } from '../../src/brand';
import type { Access } from './access';
import { type Definition, type Field, type Kind, plainFields, type Step } from './definition';
import { blocks, bullets, codes, linkTo, page } from './markdown';
import { describeRecords, describeResult } from './results';

const maxListedChoices = 12;

const choicesOf = ({ choices = {}, list }: Field): string => {
  const names = 'perform' in choices ? [] : Object.values(choices);
  if (names.length === 0 || names.length > maxListedChoices) return '';
  return `${list ? 'Choose one or more' : 'Choose one'}: ${names.join('; ')}.`;
};

const searchHint = ({ search, helpText = '' }: Field, app: Definition): string => {
  const label = app.searches[search?.split('.')[0] ?? '']?.display.label;
  return label && !helpText.includes(label) ? `${linkTo(label)} can find it in an earlier step.` : '';
};

const howToFill = (field: Field, app: Definition): string => {
  const { when, dynamic, choices, altersDynamicFields, list, type, helpText = '' } = field;
  const named = choicesOf(field);
  return [
    when && `Appears if ${when}.`,
    (dynamic || choices) && !named && !/^Choose|list/.test(helpText) && 'Choose from the list.',
    helpText,
    named,
    searchHint(field, app),
    dynamic && altersDynamicFields && 'The form then shows the fields for your choice.',
    list && !choices && !helpText && 'One or more.',
    type === 'integer' && 'A whole number.',
  ]
    .filter(Boolean)
    .join(' ');
};

const fieldLine = (field: Field, app: Definition): string => {
  const label = `**${field.label}**${field.required ? ' (required)' : ''}`;
  const text = howToFill(field, app);
  return text ? `${label}: ${text}` : label;
};

const isNote = ({ type }: Field): boolean => type === 'copy';

const noteOf = ({ when, helpText }: Field): string =>
  `> ${[when && `Appears if ${when}.`, helpText].filter(Boolean).join(' ')}`;

const fieldList = (fields: Field[], app: Definition): string =>
  blocks(
    ...fields.filter(isNote).map(noteOf),
    bullets(fields.filter((field) => !isNote(field)).map((field) => fieldLine(field, app))),
  );

const timing: Record<string, string> = {
  hook: ' It starts the Zap at once.',
  polling: ' Zapier checks for new ones every 1 to 15 minutes, depending on your Zapier plan.',
};

const scopesOf = ({ run, setUp }: Access): string => {
  if (run.length === 0) return setUp.length > 0 ? codes(setUp) : 'those of the request that you send';
  return codes(run) + (setUp.length > 0 ? `; to set it up and test it, also ${codes(setUp)}` : '');
};

const accessLines = (access: Access): string =>
  bullets([`Plan: ${capitalize(access.plan)} or above`, `Token scopes: ${scopesOf(access)}`]);

const searchOrCreateOf = (step: Step, app: Definition): string => {
  const either = app.searchOrCreates[step.key];
  return either ? `With **${either.display.label}**: ${either.display.description}` : '';
};

const stepSection = (access: Access, app: Definition): string => {
  const { step } = access;
  return blocks(
    `### ${step.display.label}`,
    step.display.description + (timing[step.operation.type ?? ''] ?? ''),
    accessLines(access),
    searchOrCreateOf(step, app),
    '**Fields:**',
    fieldList(plainFields(step), app),
    describeResult(step),
  );
};

const sections: { kind: Kind; title: string; says: string }[] = [
  { kind: 'triggers', title: 'Triggers', says: 'A trigger starts a Zap.' },
  { kind: 'creates', title: 'Actions', says: 'An action does something in your workspace.' },
  {
    kind: 'searches',
    title: 'Searches',
    says: "A search finds something that later steps can use. A search with no results isn't an error: you choose what the Zap does then.",
  },
];

/** Renders the reference for people who build Zaps: every step with its fields and its result. */
export const renderReference = (app: Definition, accesses: Access[]): string => {
  const stepsOf = (kind: Kind): Access[] => accesses.filter((access) => access.kind === kind);
  const contents = sections.map(
    ({ kind, title }) =>
      `${title}: ${stepsOf(kind)
        .map(({ step }) => linkTo(step.display.label))
        .join(', ')}`,
  );
  const chapters = sections.flatMap(({ kind, title, says }) => [
    `## ${title}`,
    says,
    ...stepsOf(kind).map((access) => stepSection(access, app)),
  ]);
  return page(
    '<!-- Made from the app by `npm run docs`. Meanings of results are in scripts/docs/meanings.ts. -->',
    `# ${brand.name} on Zapier`,
    'Every trigger, action and search: what it does, what you fill in, and what later steps can use. For whole Zaps, see [Recipes](recipes.md). For error messages, see [Troubleshooting](troubleshooting.md).',
    bullets([...contents, linkTo('What results mean')]),
    '## Connect your account',
    'Zapier asks for these when you add the first step. To connect an account again, open **App Connections** in Zapier.',
    fieldList(app.authentication.fields, app),
    ...chapters,
    '## What results mean',
    'This section explains the fields of each result. A field is empty if the service has no value for it. Times are in UTC, such as `2026-06-11T09:40:12Z`. To change how they look, use Formatter by Zapier. The service may add values to those listed.',
    ...describeRecords(),
    `For help, see ${brand.help} or write to ${brand.support}.`,
  );
};

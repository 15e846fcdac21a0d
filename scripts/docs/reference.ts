import { capitalize } from '../../src/api/labels';
import type { Access } from './access';
import { type Definition, type Field, type Kind, kinds, plainFields, type Step } from './definition';
import { blocks, bullets, codes, linkTo, table } from './markdown';
import { renderPage } from './page';
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

/** Returns the sentence in a help text that says how to prevent a Zap from starting itself; undefined when none does. */
export const loopAdvice = (helpText = ''): string | undefined =>
  helpText.split(/(?<=\.) /).find((sentence) => /\bto prevent loops\b/i.test(sentence));

const loopTable = (accesses: Access[]): string => {
  const rows = accesses
    .filter(({ kind }) => kind === 'triggers')
    .flatMap(({ step }) =>
      plainFields(step).flatMap(({ label = '', helpText }) => {
        const advice = loopAdvice(helpText);
        return advice ? [[step.display.label, `**${label}**`, advice]] : [];
      }),
    );
  return table(['Trigger', 'Field', 'What to do'], rows);
};

const titles: Record<Kind, string> = { triggers: 'Triggers', creates: 'Actions', searches: 'Searches' };

const contents = (accesses: Access[]): string =>
  bullets(
    kinds.map((kind) => {
      const steps = accesses.filter((access) => access.kind === kind);
      return `${titles[kind]}: ${steps.map(({ step }) => linkTo(step.display.label)).join(', ')}`;
    }),
  );

/** Renders the reference for people who build Zaps: every step with its fields and its result. */
export const renderReference = (app: Definition, accesses: Access[]): string => {
  const stepSections = (kind: Kind): string =>
    blocks(...accesses.filter((access) => access.kind === kind).map((access) => stepSection(access, app)));
  return renderPage('reference', {
    'list of steps': contents(accesses),
    'fields of the account': fieldList(app.authentication.fields, app),
    'table loops': loopTable(accesses),
    triggers: stepSections('triggers'),
    actions: stepSections('creates'),
    searches: stepSections('searches'),
    records: blocks(...describeRecords()),
  });
};

import {
  type AppDefinition,
  type FieldOfApp,
  type Kind,
  plainFields,
  type StepOfApp,
} from '../../lab/zapier/core/app-definition';
import { capitalize } from '../../src/api/labels';
import { yesAndNoWords } from '../../src/reply/yes-or-no';
import type { Access } from './access';
import { namesOf, whenOf } from './definition';
import { blocks, bullets, codes, linkTo, table } from './markdown';
import { renderPage } from './page';
import { describeRecords, describeResult } from './results';

const maxListedChoices = 12;

const choicesOf = ({ choices, list }: FieldOfApp): string => {
  const names = Object.values(namesOf(choices));
  if (names.length === 0 || names.length > maxListedChoices) return '';
  return `${list ? 'Choose one or more' : 'Choose one'}: ${names.join('; ')}.`;
};

const searchHint = ({ search, helpText = '' }: FieldOfApp, app: AppDefinition): string => {
  const label = app.searches[search?.split('.')[0] ?? '']?.display.label;
  return label && !helpText.includes(label) ? `${linkTo(label)} can find it in an earlier step.` : '';
};

const howToFill = (field: FieldOfApp, app: AppDefinition): string => {
  const { choices, list, type, helpText = '' } = field;
  const when = whenOf(field);
  const named = choicesOf(field);
  return [
    when && `Appears if ${when}.`,
    choices && !named && !helpText && 'Choose from the list.',
    helpText,
    named,
    searchHint(field, app),
    list && !choices && !helpText && 'One or more.',
    type === 'integer' && 'A whole number.',
  ]
    .filter(Boolean)
    .join(' ');
};

const isNote = ({ type }: FieldOfApp): boolean => type === 'copy';

const noteOf = (field: FieldOfApp): string => {
  const when = whenOf(field);
  return `> **Note.** ${when ? `This applies if ${when}. ` : ''}${field.helpText}`;
};

const fieldTable = (fields: FieldOfApp[], app: AppDefinition): string => {
  if (fields.length === 0) return 'The form has no fields.';
  return blocks(
    ...fields.filter(isNote).map(noteOf),
    table(
      ['Field', 'Required', 'What to enter'],
      fields
        .filter((field) => !isNote(field))
        .map((field) => [field.label ?? field.key, field.required ? 'yes' : '', howToFill(field, app)]),
    ),
  );
};

const pollingTime = ' Zapier checks for new ones every 1 to 15 minutes, depending on your Zapier plan.';

const scopesOf = ({ run, setUp }: Access): string => {
  if (run.length === 0) return setUp.length > 0 ? codes(setUp) : 'those of the request that you send';
  return codes(run) + (setUp.length > 0 ? `; to set up and test, also ${codes(setUp)}` : '');
};

const accessLine = (access: Access): string => `Plan: ${capitalize(access.plan)}. Scopes: ${scopesOf(access)}.`;

const searchOrCreateOf = (step: StepOfApp, app: AppDefinition): string => {
  const either = app.searchOrCreates[step.key];
  return either
    ? `**${either.display.label}** does the same, and creates the ${step.noun.toLowerCase()} if it finds no match.`
    : '';
};

const detailsOf = (access: Access, app: AppDefinition): string =>
  blocks(
    accessLine(access),
    searchOrCreateOf(access.step, app),
    fieldTable(plainFields(access.step), app),
    describeResult(access.step),
  );

/** Returns a step's section. It says so if everything but the description is as in a step before it. */
const stepSection = (access: Access, app: AppDefinition, before: Access[]): string => {
  const { display, operation } = access.step;
  const details = detailsOf(access, app);
  const same = before.find((each) => detailsOf(each, app) === details);
  return blocks(
    `### ${display.label}`,
    display.description + (operation.type === 'polling' ? pollingTime : ''),
    same ? `The plan, the scopes, the form and the result are those of ${linkTo(same.step.display.label)}.` : details,
  );
};

/** The sections, in the order of the page. Most Zaps send a message, so actions come first. */
const titles: Record<Kind, string> = { creates: 'Actions', triggers: 'Triggers', searches: 'Searches' };

const contents = (accesses: Access[]): string =>
  bullets(
    Object.entries(titles).map(([kind, title]) => {
      const steps = accesses.filter((access) => access.kind === kind);
      return `${title}: ${steps.map(({ step }) => linkTo(step.display.label)).join(', ')}`;
    }),
  );

const wordTable = (): string =>
  table(
    ['Language', 'Yes', 'No'],
    Object.entries(yesAndNoWords).map(([language, { yes, no }]) => [language, yes.join(', '), no.join(', ')]),
  );

/** Renders the reference for people who build Zaps: every step with its fields and its result. */
export const renderReference = (app: AppDefinition, accesses: Access[]): string => {
  const stepSections = (kind: Kind): string => {
    const all = accesses.filter((access) => access.kind === kind);
    return blocks(...all.map((access, index) => stepSection(access, app, all.slice(0, index))));
  };
  return renderPage('reference', {
    'list of steps': contents(accesses),
    'fields of the account': fieldTable(app.authentication.fields, app),
    triggers: stepSections('triggers'),
    actions: stepSections('creates'),
    searches: stepSections('searches'),
    records: blocks(...describeRecords(accesses.map(({ step }) => step))),
    'words for yes and no': wordTable(),
  });
};

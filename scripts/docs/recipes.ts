import { definition } from '../../lab/playground/service/zapier';
import { recipes } from '../../lab/recipes';
import { describeTasks, type Recipe, stepsOf } from '../../lab/recipes/recipe';
import { templates } from '../../lab/sandbox/seed/data';
import { type FieldOfApp, plainFields, type StepOfApp } from '../../lab/zapier/core/app-definition';
import { describeValue } from '../../lab/zapier/fields/form';
import { isMapped, outputKey, replaceReferences } from '../../lab/zapier/fields/mapping';
import { type AppStep, kindOf, type Step } from '../../lab/zapier/kinds';
import { describeSettings } from '../../lab/zapier/kinds/search-results';
import { isPath } from '../../lab/zapier/zap/paths';
import { asApp, hasRecord, hasRules, operationOf } from '../../lab/zapier/zap/steps';
import { capitalize, toLabel } from '../../src/api/labels';
import { brand } from '../../src/brand';
import { type Access, highestPlan } from './access';
import { namesOf } from './definition';
import { blocks, code, linkTo, table } from './markdown';
import { renderPage } from './page';

type Steps = Map<string, StepOfApp>;
type RecipeStep = Recipe['steps'][number];

const stepTitle = (step: Step): string => {
  if (isPath(step)) return `**Paths by Zapier**: path "${step.name}", with the rule`;
  const { app, event } = kindOf(step).named(step, definition);
  return app === undefined ? `**${brand.name}**: ${linkTo(event, 'reference.md')}` : `**${app}**: ${event}`;
};

/** Returns the label of an output of a step: `contact.phone` is "Contact Phone Number". */
const outputLabel = (step: Step | undefined, path: string): string => {
  const field =
    step &&
    kindOf(step)
      .outputs(step, definition)
      .find(({ key }) => key === outputKey(path));
  if (field) return field.label ?? field.key;
  const words = path.replace(/([a-z])([A-Z])/g, '$1_$2').split('.');
  return words.map(toLabel).join(' ');
};

/** Returns what shows the data that a text of a recipe maps, by the number of the step and the label of the field. */
export const showMapped =
  (steps: readonly Step[]) =>
  (text: string): string =>
    replaceReferences(text, (at, path) => `{${at}. ${outputLabel(steps[at - 1], path)}}`);

const isTemplateField = (key: string): boolean => key.startsWith('variable_');

const templateOf = (choices: AppStep['values']) =>
  templates.find(({ name, channel }) => name === choices?.template && channel === choices.channel);

/** Returns what the form calls a variable of the template. */
const variableLabel = (choices: AppStep['values'], key: string): string => {
  const name = key.replace(/^variable_/, '');
  const label = templateOf(choices)?.variables?.find((variable) => variable.name === name)?.label;
  return toLabel(label ?? name).replace(/^\d+$/, 'Variable $&');
};

/** Returns the text of the template that the recipe was tried with. */
const exampleOf = (choices: AppStep['values']): string[] => {
  const template = templateOf(choices);
  if (!template) return [];
  const text = template.body.replace(/\{\{(.+?)\}\}/g, (_, name) => `[${variableLabel(choices, name)}]`);
  const buttons = template.buttons?.flatMap((button) => button.text ?? []).join(', ');
  return [`Text of the template, for example: "${text}"${buttons ? ` Its buttons: ${buttons}` : ''}`];
};

/** What a person chooses, and the fields of the template that data of earlier steps fills in. */
const choiceLines = (
  choices: AppStep['values'],
  known: Map<string, FieldOfApp>,
  show: (text: string) => string,
): string[] => {
  const labels = Object.keys(choices).flatMap((key) => (isTemplateField(key) ? [] : (known.get(key)?.label ?? key)));
  const mapped = Object.entries(choices).flatMap(([key, value]) =>
    isTemplateField(key) && isMapped(describeValue(value))
      ? `**${variableLabel(choices, key)}** ← ${show(describeValue(value))}`
      : [],
  );
  const isAll = Object.keys(choices).filter(isTemplateField).length === mapped.length;
  const rest = isAll ? [] : ['the other fields of your template'];
  return [`You choose: ${[...labels, ...rest].join(', ')}`, ...exampleOf(choices), ...mapped];
};

/** What a step of the app is filled in with, after what the person chooses. */
const appLines = (
  { operation, search = {} }: AppStep,
  written: RecipeStep,
  show: (text: string) => string,
  ours: Steps,
): string[] => {
  if (written.type !== 'app') return [];
  const form = ours.get(operation);
  const known = new Map((form ? plainFields(form) : []).map((field) => [field.key, field]));
  const fields = Object.entries(written.values ?? {}).map(([key, value]) => {
    const { label = key, choices } = known.get(key) ?? {};
    const text = describeValue(value);
    return `**${label}** ← ${show(namesOf(choices)[text] ?? text)}`;
  });
  const settings = describeSettings(search).map(([label, text]) => `**${label}** ← ${code(text)}`);
  return [...(written.choices ? choiceLines(written.choices, known, show) : []), ...fields, ...settings];
};

const stepLines = (recipe: Recipe, ours: Steps): string => {
  const steps = stepsOf(recipe);
  const mapped = showMapped(steps);
  const show = (text: string): string => mapped(text).split('\n').filter(Boolean).map(code).join('<br>');
  const linesOf = (step: Step, written: RecipeStep): string[] => {
    const own = asApp(step);
    if (own) return appLines(own, written, show, ours);
    const lines = kindOf(step).guide(step, show);
    return lines.map(([label, text]) => (hasRules(step) ? text : `**${label}** ← ${text}`));
  };
  return recipe.steps
    .flatMap((written, index) => {
      const step = steps[index];
      if (!step) return [];
      const number = `${index + 1}. `;
      const indent = ' '.repeat(number.length);
      const lines = linesOf(step, written);
      if (isPath(step) && lines.length === 1) return `${number}${stepTitle(step)} ${lines[0]}`;
      return [`${number}${stepTitle(step)}`, ...lines.map((line) => `${indent}- ${line}`)];
    })
    .join('\n');
};

const planOf = (recipe: Recipe, accesses: Access[]): string => {
  const operations = stepsOf(recipe).map(operationOf);
  const used = accesses.filter(({ place }) => operations.includes(place));
  return capitalize(highestPlan(used.map(({ plan }) => plan)));
};

const section = (recipe: Recipe, ours: Steps): string =>
  blocks(
    `## ${recipe.name}`,
    recipe.needs ? `Needs ${linkTo(recipe.needs.name)} as well.` : '',
    recipe.description,
    stepLines(recipe, ours),
    `**Watch out:** ${recipe.watchOut}`,
  );

const appsOf = (recipe: Recipe): string =>
  [
    ...new Set(
      stepsOf(recipe)
        .filter(hasRecord)
        .map(({ app }) => app),
    ),
  ].join(', ');

/** Renders the ready-made Zaps for people who build Zaps: the steps with their mappings, and what to watch out for. */
export const renderRecipes = (accesses: Access[]): string => {
  const ours = new Map(accesses.map(({ place, step }) => [place, step]));
  return renderPage('recipes', {
    'table recipes': table(
      ['Recipe', 'Plan', 'A run costs', 'Other apps'],
      recipes.map((recipe) => [linkTo(recipe.name), planOf(recipe, accesses), describeTasks(recipe), appsOf(recipe)]),
    ),
    recipes: blocks(...recipes.map((recipe) => section(recipe, ours))),
  });
};

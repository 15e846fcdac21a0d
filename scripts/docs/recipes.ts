import { recipes } from '../../recipes';
import {
  type Fields,
  hasPaths,
  type OtherRecipeStep,
  type OwnRecipeStep,
  type Recipe,
  type RecipeCondition,
} from '../../recipes/recipe';
import { capitalize, toLabel } from '../../src/api/labels';
import { brand } from '../../src/brand';
import { replaceReferences } from '../../zapier/mapping';
import { type Access, highestPlan } from './access';
import { type Field, namesOf, plainFields, type Step } from './definition';
import { blocks, bullets, code, linkTo } from './markdown';
import { renderPage } from './page';

type Steps = Map<string, Step>;
type RecipeStep = Recipe['steps'][number];

const stepTitle = (step: RecipeStep, ours: Steps): string => {
  if ('delayHours' in step) return '**Delay by Zapier**: Delay For';
  if ('app' in step) return `**${step.app}**: ${step.event}`;
  const label = ours.get(step.operation)?.display.label ?? step.operation;
  return `**${brand.name}**: ${linkTo(label, 'reference.md')}`;
};

/** Returns the label of an output of a step: `contact.phone` is "Contact Phone Number". */
const outputLabel = (step: RecipeStep | undefined, path: string, ours: Steps): string => {
  const declared = step && 'operation' in step ? ours.get(step.operation)?.operation.outputFields : undefined;
  const field = declared?.find(({ key }) => key === path.replaceAll('.', '__'));
  if (field) return field.label ?? field.key;
  const words = path.replace(/([a-z])([A-Z])/g, '$1_$2').split('.');
  return words.map(toLabel).join(' ');
};

const fieldsOfStep = (step: OwnRecipeStep | OtherRecipeStep, ours: Steps): Map<string, Field> => {
  const form = 'operation' in step ? ours.get(step.operation) : undefined;
  return new Map((form ? plainFields(form) : []).map((field) => [field.key, field]));
};

const isTemplateField = (key: string): boolean => key.startsWith('variable_');

const toChoose = (choices: Fields, known: Map<string, Field>): string => {
  const labels = Object.keys(choices).map((key) =>
    isTemplateField(key) ? 'the fields of your template' : (known.get(key)?.label ?? key),
  );
  return [...new Set(labels)].join(', ');
};

const linesOf = (step: RecipeStep, recipe: Recipe, ours: Steps): string[] => {
  if ('delayHours' in step) return [`**Time Delayed For** ← ${code(`${step.delayHours} hours`)}`];
  const show = (text: string): string =>
    code(replaceReferences(text, (at, path) => `{${at}. ${outputLabel(recipe.steps[at - 1], path, ours)}}`));
  const rule = ({ value, ...wanted }: RecipeCondition): string =>
    `${show(value)} ${'is' in wanted ? `is ${code(wanted.is)}` : `isn't ${code(wanted.isNot)}`}`;
  const known = fieldsOfStep(step, ours);
  const fields = Object.entries(step.fields ?? {}).map(([key, value]) => {
    const { label = key, choices } = known.get(key) ?? {};
    return `**${label}** ← ${show(namesOf(choices)[`${value}`] ?? `${value}`)}`;
  });
  return [
    ...(step.onlyIf
      ? [`${hasPaths(recipe) ? 'On a path with the rule' : 'After a filter with the rule'}: ${rule(step.onlyIf)}`]
      : []),
    ...('choices' in step && step.choices ? [`You choose: ${toChoose(step.choices, known)}`] : []),
    ...fields,
  ];
};

const stepLines = (recipe: Recipe, ours: Steps): string =>
  recipe.steps
    .map((step, index) =>
      [`${index + 1}. ${stepTitle(step, ours)}`, ...linesOf(step, recipe, ours).map((line) => `   - ${line}`)].join(
        '\n',
      ),
    )
    .join('\n');

const planOf = ({ steps }: Recipe, accesses: Access[]): string => {
  const used = accesses.filter(({ place }) => steps.some((step) => 'operation' in step && step.operation === place));
  return capitalize(highestPlan(used.map(({ plan }) => plan)));
};

const section = (recipe: Recipe, ours: Steps, accesses: Access[]): string =>
  blocks(
    `## ${recipe.title}`,
    recipe.description,
    `Your ${brand.name} plan: ${planOf(recipe, accesses)} or above.`,
    stepLines(recipe, ours),
    `**Watch out:** ${recipe.watchOut}`,
  );

/** Renders the Zap templates for people who build Zaps: the steps with their mappings, and what to watch out for. */
export const renderRecipes = (accesses: Access[]): string => {
  const ours = new Map(accesses.map(({ place, step }) => [place, step]));
  return renderPage('recipes', {
    'list of recipes': bullets(recipes.map(({ title }) => linkTo(title))),
    recipes: blocks(...recipes.map((recipe) => section(recipe, ours, accesses))),
  });
};

import { recipes } from '../../playground/recipes';
import type { Fields, OtherRecipeStep, OwnRecipeStep, Recipe, RecipeCondition } from '../../playground/recipes/recipe';
import { replaceReferences } from '../../playground/zaps/references';
import { capitalize, toLabel } from '../../src/api/labels';
import { brand } from '../../src/brand';
import { type Access, highestPlan } from './access';
import { type Field, namesOf, plainFields, type Step } from './definition';
import { blocks, bullets, code, linkTo, page } from './markdown';

type Steps = Map<string, Step>;
type RecipeStep = Recipe['steps'][number];

const nameOf = (step: RecipeStep, ours: Steps): string => {
  if ('delayHours' in step) return '**Delay by Zapier**: Delay For';
  if ('app' in step) return `**${step.app}**: ${step.event}`;
  const label = ours.get(step.place)?.display.label ?? step.place;
  return `**${brand.name}**: ${linkTo(label, 'reference.md')}`;
};

/** Returns the label of an output of a step: `contact.phone` is "Contact Phone Number". */
const outputLabel = (step: RecipeStep | undefined, path: string, ours: Steps): string => {
  const declared = step && 'place' in step ? ours.get(step.place)?.operation.outputFields : undefined;
  const field = declared?.find(({ key }) => key === path.replaceAll('.', '__'));
  if (field) return field.label ?? field.key;
  const words = path.replace(/([a-z])([A-Z])/g, '$1_$2').split('.');
  return words.map(toLabel).join(' ');
};

const fieldsOf = (step: OwnRecipeStep | OtherRecipeStep, ours: Steps): Map<string, Field> => {
  const form = 'place' in step ? ours.get(step.place) : undefined;
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
  const isOnPath = recipe.steps.filter((each) => 'onlyIf' in each).length > 1;
  const known = fieldsOf(step, ours);
  const fields = Object.entries(step.fields ?? {}).map(([key, value]) => {
    const { label = key, choices } = known.get(key) ?? {};
    return `**${label}** ← ${show(namesOf(choices)[`${value}`] ?? `${value}`)}`;
  });
  return [
    ...(step.onlyIf
      ? [`${isOnPath ? 'On a path with the rule' : 'After a filter with the rule'}: ${rule(step.onlyIf)}`]
      : []),
    ...('choices' in step && step.choices ? [`You choose: ${toChoose(step.choices, known)}`] : []),
    ...fields,
  ];
};

const stepLines = (recipe: Recipe, ours: Steps): string =>
  recipe.steps
    .map((step, index) =>
      [`${index + 1}. ${nameOf(step, ours)}`, ...linesOf(step, recipe, ours).map((line) => `   - ${line}`)].join('\n'),
    )
    .join('\n');

const planOf = ({ steps }: Recipe, accesses: Access[]): string => {
  const used = accesses.filter(({ place }) => steps.some((step) => 'place' in step && step.place === place));
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
  return page(
    '<!-- Made from playground/recipes by `npm run docs`. -->',
    '# Recipes',
    'Zaps that you can copy step by step. You can replace an app with the one that you use, such as another form or booking app.',
    'An arrow shows what to enter in a field. `{1. Phone Number}` means: insert the field **Phone Number** of step 1. Everything else is typed text.',
    'Before you turn on a Zap that sends messages, enter your own number in **Send Tests To** and test it. New to Zapier? Start with [your first Zap](first-zap.md).',
    bullets(recipes.map(({ title }) => linkTo(title))),
    ...recipes.map((recipe) => section(recipe, ours, accesses)),
  );
};

import { recipes } from '../../recipes';
import type { Fields, OtherRecipeStep, OwnRecipeStep, Recipe, RecipeRule } from '../../recipes/recipe';
import { capitalize, toLabel } from '../../src/api/labels';
import { brand } from '../../src/brand';
import { formatHours } from '../../zapier/definition';
import { replaceReferences } from '../../zapier/mapping';
import { type Access, highestPlan } from './access';
import { type Field, namesOf, plainFields, type Step } from './definition';
import { blocks, code, linkTo, table } from './markdown';
import { renderPage } from './page';

type Steps = Map<string, Step>;
type RecipeStep = Recipe['steps'][number];

const stepTitle = (step: RecipeStep, ours: Steps): string => {
  if ('delayHours' in step) return '**Delay by Zapier**: Delay For';
  if ('filter' in step) return '**Filter by Zapier**: Only Continue If';
  if ('path' in step)
    return `**Paths by Zapier**: add a path named "${step.path}". The steps below, up to the next path, belong to it`;
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
  const show = (text: string): string =>
    code(replaceReferences(text, (at, path) => `{${at}. ${outputLabel(recipe.steps[at - 1], path, ours)}}`));
  const showRule = ({ value, condition, text }: RecipeRule): string => `${show(value)} ${condition} ${show(text)}`;
  if ('filter' in step) return [showRule(step.filter)];
  if ('path' in step) return [showRule(step.rule)];
  if ('delayHours' in step) return [`**Time Delayed For** ← ${code(formatHours(step.delayHours))}`];
  const known = fieldsOfStep(step, ours);
  const fields = Object.entries(step.fields ?? {}).map(([key, value]) => {
    const { label = key, choices } = known.get(key) ?? {};
    return `**${label}** ← ${show(namesOf(choices)[`${value}`] ?? `${value}`)}`;
  });
  return [...('choices' in step && step.choices ? [`You choose: ${toChoose(step.choices, known)}`] : []), ...fields];
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

const section = (recipe: Recipe, ours: Steps): string =>
  blocks(
    `## ${recipe.name}`,
    recipe.notATemplate ? '' : `Zapier's title: *${recipe.title}*`,
    recipe.description,
    stepLines(recipe, ours),
    `**Watch out:** ${recipe.watchOut}`,
  );

const appsOf = ({ steps }: Recipe): string =>
  [...new Set(steps.flatMap((step) => ('app' in step ? step.app : [])))].join(', ');

/** Renders the ready-made Zaps for people who build Zaps: the steps with their mappings, and what to watch out for. */
export const renderRecipes = (accesses: Access[]): string => {
  const ours = new Map(accesses.map(({ place, step }) => [place, step]));
  return renderPage('recipes', {
    'table recipes': table(
      ['Recipe', 'Plan', 'Other apps'],
      recipes.map((recipe) => [linkTo(recipe.name), planOf(recipe, accesses), appsOf(recipe)]),
    ),
    recipes: blocks(...recipes.map((recipe) => section(recipe, ours))),
  });
};

/** The Zap templates as people enter them in Zapier: one file each. */
import { definition } from '../../lab/playground/service/zapier';
import { recipes } from '../../lab/recipes';
import { type Recipe, stepsOf } from '../../lab/recipes/recipe';
import { type FieldOfApp, plainFields, visibleStepsOf } from '../../lab/zapier/core/app-definition';
import { describeValue } from '../../lab/zapier/fields/form';
import { isMapped } from '../../lab/zapier/fields/mapping';
import { kindOf } from '../../lab/zapier/kinds';
import { asApp } from '../../lab/zapier/zap/steps';
import { currentApp, namesOf } from '../docs/definition';
import { blocks } from '../docs/markdown';
import { showMapped } from '../docs/recipes';

/** The recipes that Zapier's rules allow as templates. */
export const templates = recipes.filter(({ notATemplate }) => !notATemplate);

/** Apps whose accounts name their own columns or questions. A template knows none of them. */
const appsWithOwnFields = ['Google Sheets', 'Typeform'];

type WrittenStep = Recipe['steps'][number];

const hasOwnFields = (step: WrittenStep | undefined): boolean =>
  step !== undefined && 'app' in step && appsWithOwnFields.includes(step.app);

const fieldsOf = (operation: string): Map<string, FieldOfApp> => {
  const found = visibleStepsOf(currentApp).find(({ place }) => place === operation);
  return new Map((found ? plainFields(found.step) : []).map((field) => [field.key, field]));
};

const numbersIn = (text: string): number[] => [...text.matchAll(/\{\{(\d+)\./g)].map(([, number]) => Number(number));

/** The fields of a step of the app: those that the template fills in, and those that only its user can. */
const split = ({ steps }: Recipe, step: WrittenStep) => {
  if (!('operation' in step)) return { prefilled: [], chosen: [] };
  const fields = fieldsOf(step.operation);
  const labelOf = (key: string) => fields.get(key)?.label ?? 'the fields of the template';
  const entries = Object.entries(step.values ?? {}).map(([key, value]) => [key, describeValue(value)] as const);
  const isOwn = (text: string) => numbersIn(text).some((number) => hasOwnFields(steps[number - 1]));
  return {
    prefilled: entries
      .filter(([, text]) => !isOwn(text))
      .map(([key, text]) => `${labelOf(key)}: ${namesOf(fields.get(key)?.choices)[text] ?? text}`),
    chosen: [
      ...entries.filter(([, text]) => isOwn(text)).map(([key]) => labelOf(key)),
      ...new Set(Object.keys(step.choices ?? {}).map(labelOf)),
    ],
  };
};

const describeStep = (recipe: Recipe, written: WrittenStep, index: number): string => {
  const steps = stepsOf(recipe);
  const step = steps[index];
  const { app, event } = step ? kindOf(step).named(step, definition) : { app: undefined, event: '' };
  const { prefilled, chosen } = split(recipe, written);
  const lines = !step || asApp(step) ? [] : kindOf(step).guide(step, (text) => text);
  const set = lines.map(([label, text]) => `${label}: ${text}`);
  const own = hasOwnFields(written);
  return [
    `${index + 1}. ${app ?? 'This integration'}: ${event}`,
    ...(own ? [] : [...prefilled, ...set]).map((line) => `   - Prefill ${showMapped(steps)(line)}`),
    ...(chosen.length > 0 ? [`   - Leave to the user: ${chosen.join(', ')}`] : []),
    ...(own && isMapped(JSON.stringify(written)) ? ['   - Leave to the user: every column or question'] : []),
  ].join('\n');
};

/** Returns what a person enters for a template. */
export const renderTemplate = (recipe: Recipe): string =>
  blocks(
    `# ${recipe.title}`,
    '## Description',
    recipe.description,
    `*Note: ${recipe.watchOut}*`,
    '## Steps',
    recipe.steps.map((step, index) => describeStep(recipe, step, index)).join('\n'),
  );

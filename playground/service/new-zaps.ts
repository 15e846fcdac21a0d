import { randomUUID } from 'node:crypto';
import { recipes } from '../../recipes';
import type { Fields, OtherRecipeStep, Recipe, RecipeStep, ServiceEvent } from '../../recipes/recipe';
import type { OtherStep, OwnStep, Step, Zap } from '../../zapier/zap';
import type { Zaps } from '../../zapier/zaps';

/** A step of this app with an empty form. */
export const emptyStep = (operation = 'creates.send_message'): OwnStep => ({
  type: 'own',
  id: randomUUID(),
  operation,
  values: {},
  labels: {},
});

const toValues = (fields: Fields = {}): OtherStep['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? value : [...value]]),
  );

/** A step of another app, with its example as JSON. */
export const toOtherStep = (id: string, { app, event, fields, record = {} }: OtherRecipeStep): OtherStep => ({
  type: 'other',
  id,
  app,
  event,
  fields: toValues(fields),
  json: JSON.stringify(record, null, 2),
});

const toStep = (step: RecipeStep): Step => {
  const id = randomUUID();
  if ('delayHours' in step) return { type: 'delay', id, hours: step.delayHours };
  if ('filter' in step) return { type: 'filter', id, rules: [step.filter] };
  if ('path' in step) return { type: 'path', id, name: `Path: ${step.path}`, rules: [step.rule] };
  if ('operation' in step) {
    const values = toValues({ ...step.fields, ...step.choices });
    return { type: 'own', id, operation: step.operation, values, labels: {} };
  }
  return toOtherStep(id, step);
};

/** The steps of a recipe, filled in as far as the recipe goes. */
export const fromRecipe = ({ steps }: Recipe): Step[] => steps.map(toStep);

/** What happens in the service before the Zap of a recipe runs. Its last event starts a Zap whose trigger is ours. */
export const eventsOf = (zap: Zap): readonly ServiceEvent[] =>
  recipes.find(({ title }) => title === (zap.madeFrom ?? zap.title))?.examples[0].before ?? [];

/** The steps of the Zap that the page begins with. */
export const startingSteps = (): Step[] => [
  {
    type: 'own',
    id: randomUUID(),
    operation: 'triggers.message_received',
    values: { channel: 'whatsapp', contains: ['parcel'], match: 'contains' },
    labels: { channel: 'WhatsApp' },
  },
  {
    type: 'own',
    id: randomUUID(),
    operation: 'creates.send_message',
    values: {
      channel: 'whatsapp',
      template: 'parcel_out_for_delivery',
      variable_parcel_id: 'PX-20418',
      variable_arrival_time: '14:30',
      to: '{{1.from}}',
      deduplication_key: '{{1.id}}',
    },
    labels: { channel: 'WhatsApp', template: 'parcel_out_for_delivery (en)' },
  },
];

/** Adds a Zap with a trigger and an action that have nothing filled in. */
export const addEmptyZap = (zaps: Zaps): Zap => zaps.add([emptyStep('triggers.message_received'), emptyStep()]);

/** Adds the Zap of a recipe by its index. Returns undefined when there is none. */
export const addRecipe = (zaps: Zaps, index: number): Zap | undefined => {
  const recipe = recipes[index];
  return recipe && zaps.add(fromRecipe(recipe), recipe.name, recipe.title);
};

/** Returns the newest Zap. Adds the one that the page begins with when there is none. */
export const newestZap = (zaps: Zaps): Zap => zaps.list().at(-1) ?? zaps.add(startingSteps(), 'Send the delivery time');

/** Returns the Zap with this id, or the newest one when there is none or it's deleted. */
export const wantedZap = (zaps: Zaps, id = ''): Zap => zaps.list().find((zap) => zap.id === id) ?? newestZap(zaps);

import { randomUUID } from 'node:crypto';
import { recipes } from '../recipes';
import type { Fields, Recipe, RecipeStep, ServiceEvent } from '../recipes/recipe';
import type { OtherStep, Step, Zap } from './zap';

const toValues = (fields: Fields = {}): OtherStep['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? value : [...value]]),
  );

const toStep = (step: RecipeStep): Step => {
  const id = randomUUID();
  if ('delayHours' in step) return { type: 'delay', id, hours: step.delayHours };
  const { onlyIf } = step;
  if ('place' in step) {
    const values = toValues({ ...step.fields, ...step.choices });
    return { type: 'own', id, place: step.place, values, labels: {}, onlyIf };
  }
  const { app, event, fields, record = {} } = step;
  return { type: 'other', id, app, event, fields: toValues(fields), json: JSON.stringify(record, null, 2), onlyIf };
};

/** The steps of a recipe, filled in as far as the recipe goes. */
export const fromRecipe = ({ steps }: Recipe): Step[] => steps.map(toStep);

/** What happens in the service before the Zap of a recipe runs. Its last event starts a Zap whose trigger is ours. */
export const eventsOf = (zap: Zap): readonly ServiceEvent[] =>
  recipes.find(({ title }) => title === zap.title)?.examples[0].before ?? [];

/** The Zap that the page begins with. */
export const startingZap = (): Step[] => [
  {
    type: 'own',
    id: randomUUID(),
    place: 'triggers.message_received',
    values: { channel: 'whatsapp', contains: ['parcel'], match: 'contains' },
    labels: { channel: 'WhatsApp' },
  },
  {
    type: 'own',
    id: randomUUID(),
    place: 'creates.send_message',
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

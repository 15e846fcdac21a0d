import { randomUUID } from 'node:crypto';
import { recipes } from '../../recipes';
import { type Recipe, type ServiceEvent, stepsOf } from '../../recipes/recipe';
import type { Clock } from '../../zapier/clock';
import { newStep, type Step, toStep, type WrittenStep } from '../../zapier/kinds';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import type { Zap } from '../../zapier/zap/zap';
import { otherTrigger, renumbered } from './other-records';
import { findMadeFrom } from './stage';

/** What happens in the service before the Zap of a recipe runs. Its last event starts a Zap whose trigger is ours. */
export const eventsOf = (zap: Zap): readonly ServiceEvent[] =>
  recipes.find(({ title }) => title === (zap.madeFrom ?? zap.title))?.examples[0].before ?? [];

const firstSteps: readonly WrittenStep[] = [
  {
    type: 'app',
    operation: 'triggers.message_received',
    values: { channel: 'whatsapp', contains: ['open', 'opening hours'], match: 'contains' },
    labels: { channel: 'WhatsApp' },
  },
  {
    type: 'app',
    operation: 'creates.send_message',
    values: {
      channel: 'whatsapp',
      template: 'answer_to_question',
      // Everybody who asks gets the same values, so they must be true for everybody.
      variable_answer: 'We are open until 21:00, on Saturdays too.',
      to: '{{1.from}}',
      deduplication_key: '{{1.id}}',
    },
    labels: { channel: 'WhatsApp', template: 'answer_to_question (en)' },
  },
];

/** The steps of the Zap that the page begins with. */
export const startingSteps = (): Step[] => firstSteps.map(toStep);

/** Adds a Zap with a trigger and an action that have nothing filled in. */
export const addEmptyZap = (zaps: Zaps): Zap =>
  zaps.add([newStep('triggers.message_received', randomUUID()), newStep('creates.send_message', randomUUID())]);

interface NewZapParts {
  zaps: Zaps;
  clock: Clock;
  subscriptions: { turnOn(zap: Zap): Promise<unknown> };
}

/** How many records of a Zap have numbers of their own. */
const numbersPerZap = 20;

/** Adds the Zap of a recipe, whose example has other numbers than those before it. */
const addFrom = ({ zaps, clock }: NewZapParts, recipe: Recipe): Zap => {
  const before = zaps.list().filter((zap) => zap.madeFrom !== undefined && otherTrigger(zap)).length;
  const zap = zaps.add(stepsOf(recipe, clock.now()), recipe.name, recipe.title);
  const trigger = otherTrigger(zap);
  if (!trigger || before === 0) return zap;
  const json = JSON.stringify(renumbered(zap, trigger, before * numbersPerZap), null, 2);
  zap.steps = zap.steps.with(0, { ...trigger, json });
  zaps.save(zap);
  return zap;
};

/**
 * Adds the Zap of a recipe by its index, whose examples happen today, and turns on the Zap that it needs. Returns undefined
 * when there is none.
 */
export const addRecipe = async (parts: NewZapParts, index: number): Promise<Zap | undefined> => {
  const recipe = recipes[index];
  if (recipe?.needs && !findMadeFrom(parts.zaps, recipe.needs.title)) {
    await parts.subscriptions.turnOn(addFrom(parts, recipe.needs));
  }
  return recipe && addFrom(parts, recipe);
};

/** Returns the newest Zap. Adds the one that the page begins with when there is none. */
export const newestZap = (zaps: Zaps): Zap => zaps.list().at(-1) ?? zaps.add(startingSteps(), 'Send the opening hours');

/** Returns the Zap with this id, or the newest one when there is none or it's deleted. */
export const wantedZap = (zaps: Zaps, id = ''): Zap => zaps.list().find((zap) => zap.id === id) ?? newestZap(zaps);

import type { BodyOf } from '../../src/api/endpoints';
import type { vocabulary } from '../../src/api/resources';
import { type Step, toStep, type WrittenStep } from '../zapier/kinds';
import { moveDates } from './dates';

/** A step of the app, with the values that the person who uses the template chooses. */
type AppRecipeStep = Extract<WrittenStep, { type: 'app' }> & {
  choices?: Extract<WrittenStep, { type: 'app' }>['values'];
};

/** A step of another app. */
export type OtherRecipeStep = Extract<WrittenStep, { type: 'other' }>;

/** A step of a Zap, before it's in one. `{{1.contact.phone}}` in a text is an output of step 1. */
export type RecipeStep = AppRecipeStep | Exclude<WrittenStep, { type: 'app' }>;

/** An example of what another app gives, as its step has it. */
export const example = (record: object): string => JSON.stringify(record, null, 2);

/** Returns a step of another app. `gives` is an example of its record. */
export const other = (
  app: string,
  event: string,
  { gives, ...settings }: Pick<OtherRecipeStep, 'fields' | 'row'> & { gives?: object } = {},
): OtherRecipeStep => ({ type: 'other', app, event, ...settings, ...(gives && { json: example(gives) }) });

/** What a customer sends besides a text. */
interface Sent {
  type: (typeof vocabulary.attachmentType)[number];
  name: string;
}

/** Something that customers, colleagues or time do in the service. A customer who hides the number is `@username`. */
export type ServiceEvent =
  | { type: 'customer writes'; phone: string; text: string; channel?: string; attachments?: readonly Sent[] }
  /** Presses a quick reply of the newest message that has it. */
  | { type: 'customer presses'; phone: string; button: string }
  | { type: 'colleague replies'; phone: string; text: string; channel?: string }
  | { type: 'conversation closes'; phone: string; channel?: string }
  /** Another Zap runs with the next row of the app that starts it. */
  | { type: 'row is added'; zap: Recipe['title'] }
  | { type: 'contact is added'; contact: BodyOf<'createContact'> }
  | { type: 'contact opts out'; phone: string }
  | { type: 'reviewer decides'; decision: 'approved' | 'declined'; content?: Record<string, string> }
  | { type: 'message is sent'; message: BodyOf<'sendMessage'> }
  | { type: 'campaign completes'; name: string };

/** The result of a run. What is left out stays empty. */
interface RecipeOutcome {
  /** Why the run is safely halted. */
  halted?: string;
  /** Every message that the run sends, in order. */
  sent?: { to: string; text: string }[];
  /** How many runs start, which all receive the same. 1 when left out. */
  runs?: number;
  /** Contacts after the run. */
  contacts?: (BodyOf<'createContact'> & { phone: string })[];
  /** Every action of another app that runs, in order, with a text that each field contains, or with texts in different lines. */
  received?: { app: string; fields: Record<string, string | readonly string[]> }[];
}

/** A run of the Zap, from what happens to what comes out. */
export interface Example {
  name: string;
  /** Events before the run. The last one starts a Zap whose trigger is ours. */
  before?: ServiceEvent[];
  /** Events while the Zap waits. */
  meanwhile?: ServiceEvent[];
  outcome: RecipeOutcome;
}

/** What recipes are about. */
export const groups = ['Orders', 'Leads', 'Appointments', 'Questions', 'Safety nets', 'Campaigns'] as const;

/** A Zap template: a Zap that needs only accounts and a few choices to run. */
export interface Recipe {
  /** A few words for a list. */
  name: string;
  group: (typeof groups)[number];
  /** What it's good for, in one line below the name. */
  line: string;
  title: string;
  description: string;
  /** What can surprise the person who uses it, and how to prevent that. */
  watchOut: string;
  /** Why Zapier's rules don't allow it as a Zap template. Left out if they do. */
  notATemplate?: string;
  /** A recipe whose Zap has to be on as well. */
  needs?: Recipe;
  steps: readonly [AppRecipeStep | OtherRecipeStep, ...RecipeStep[]];
  examples: readonly [Example, ...Example[]];
}

const fill = (step: RecipeStep, now: number | undefined): WrittenStep => {
  if (step.type === 'app') return { ...step, values: { ...step.values, ...step.choices } };
  if (step.type !== 'other' || !step.json || now === undefined) return step;
  return { ...step, json: moveDates(step.json, now) };
};

/** The steps of a recipe's Zap, filled in as far as the recipe goes. Its examples happen on the day of `now`, in ms since 1970. */
export const stepsOf = ({ steps }: Recipe, now?: number): Step[] => steps.map((step) => toStep(fill(step, now)));

const isTask = ({ type }: RecipeStep): boolean => type === 'app' || type === 'other';

/** The most tasks that a run costs: one for each action and search, and none for the trigger and Zapier's own tools. */
const tasksOf = ({ steps: [, ...steps] }: Recipe): number => {
  const starts = [...steps.keys()].filter((at) => steps.slice(at, at + 1).some(({ type }) => type === 'path'));
  const ends = [...starts.slice(1), steps.length];
  const tasksIn = (from: number, to?: number): number => steps.slice(from, to).filter(isTask).length;
  return (
    tasksIn(0, starts[0] ?? steps.length) + Math.max(0, ...starts.map((start, path) => tasksIn(start, ends[path])))
  );
};

const varies = ({ steps }: Recipe): boolean => steps.some(({ type }) => type === 'filter' || type === 'path');

/** The tasks before a loop, and those of each of its items. Every loop of a recipe is over people. */
const describeLoop = (steps: readonly RecipeStep[], loop: number): string => {
  const [before, inside] = [steps.slice(1, loop), steps.slice(loop)].map((some) => some.filter(isTask).length);
  return `${before} ${before === 1 ? 'task' : 'tasks'}, and ${inside} for each person`;
};

/** What a run costs at most, such as "1 task" or "up to 4 tasks". */
export const describeTasks = (recipe: Recipe): string => {
  const loop = recipe.steps.findIndex(({ type }) => type === 'loop');
  if (loop > 0) return describeLoop(recipe.steps, loop);
  const tasks = tasksOf(recipe);
  return `${varies(recipe) && tasks > 1 ? 'up to ' : ''}${tasks} ${tasks === 1 ? 'task' : 'tasks'}`;
};

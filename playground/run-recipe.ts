import * as z from 'zod/mini';
import app from '../src';
import { encodeDelivery } from '../src/api/encode';
import { message } from '../src/api/resources';
import type { Fields, OwnRecipeStep, Recipe, RecipeCondition, RecipeStep } from './recipes/recipe';
import type { Zapier } from './zapier';
import { valueAt } from './zaps/mapping';
import { replaceReferences } from './zaps/references';

/** Everything that a run needs besides the app. */
interface RunContext {
  zapier: Zapier;
  /** Lets the hours of a delay pass. */
  wait: (hours: number) => Promise<unknown>;
  /** Returns the message that ends a wait for a reply, or undefined when nobody replies. */
  nextReply: () => Promise<unknown>;
}

/** The fields that an action of another app received. */
export interface Received {
  app: string;
  event: string;
  fields: Fields;
}

const records = z.array(z.looseObject({ id: z.optional(z.string()) }));

const read = (results: readonly unknown[], step: number, path: string): string => {
  // The result of a skipped step is null, and a mapping from it is an error.
  const value = valueAt(results[step - 1], path);
  if (value === undefined) throw new Error(`Step ${step} gives no ${path}.`);
  return value === null ? '' : String(value);
};

/** Replaces each mapping such as `{{1.contact.phone}}` with the result of that step. */
const fillIn = (text: string, results: readonly unknown[]): string =>
  replaceReferences(text, (step, path) => read(results, step, path));

const fillInAll = (fields: Fields, results: readonly unknown[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'string' ? fillIn(value, results) : value.map((item) => fillIn(item, results)),
    ]),
  );

const holds = (condition: RecipeCondition | undefined, results: readonly unknown[]): boolean => {
  if (!condition) return true;
  const value = fillIn(condition.value, results);
  return 'is' in condition ? value === condition.is : value !== condition.isNot;
};

/** The time zone of the Zap. */
const timezone = 'Europe/Amsterdam';

/** Runs a step of this app. Returns undefined when the run ends here: nothing was found, or nobody replied. */
const runOwn = async (step: OwnRecipeStep, results: readonly unknown[], context: RunContext): Promise<unknown> => {
  const inputData = fillInAll({ ...step.choices, ...step.fields }, results);
  const run = (method: string, bundle: object = {}) =>
    context.zapier.run(`${step.place}.operation.${method}`, { inputData, meta: { timezone }, ...bundle });
  const result = await run('perform');
  if (step.place.startsWith('searches.')) return records.parse(result)[0];
  if (step.place !== 'creates.send_message_and_wait') return result;
  const reply = await context.nextReply();
  if (!reply) return undefined;
  const data = message.schema.parse(reply);
  const cleanedRequest = encodeDelivery({ id: 'evt_1', type: 'message.received', created_at: data.created_at, data });
  return run('performResume', { outputData: result, cleanedRequest });
};

/**
 * Runs every step after the first, with `first` as the result of that one. Returns what the actions of other apps
 * received. Throws the error of a step that fails, and an error when a mapping leads nowhere.
 */
export const runSteps = async ({ steps }: Recipe, first: unknown, context: RunContext): Promise<Received[]> => {
  const results = [first];
  const received: Received[] = [];
  const runOne = async (step: RecipeStep): Promise<unknown> => {
    if ('delayHours' in step) return context.wait(step.delayHours);
    if (!holds(step.onlyIf, results)) return null;
    if ('place' in step) return runOwn(step, results, context);
    received.push({ app: step.app, event: step.event, fields: fillInAll(step.fields ?? {}, results) });
    return step.record ?? null;
  };
  for (const step of steps.slice(1)) {
    const result = await runOne(step);
    if (result === undefined) break;
    results.push(result);
  }
  return received;
};

const pollOnce = async (zapier: Zapier, place: string, inputData: Fields) =>
  records.parse(await zapier.run(`${place}.operation.perform`, { inputData }));

const runPolling = async (zapier: Zapier, place: string, inputData: Fields, cause: () => Promise<unknown>) => {
  const before = new Set((await pollOnce(zapier, place, inputData)).map(({ id }) => id));
  await cause();
  return (await pollOnce(zapier, place, inputData)).find(({ id }) => !before.has(id));
};

const runInstant = async (zapier: Zapier, key: string, inputData: Fields, cause: () => Promise<unknown>) => {
  const zap = await zapier.turnOn(key, inputData);
  await cause();
  for (;;) {
    // An event that the filters of the trigger hold back gives a run without records.
    const [record] = await zap.nextRun();
    if (record === undefined) continue;
    await zap.turnOff();
    return record;
  }
};

/** Turns on a recipe's trigger and lets `cause` start it. Returns the record that it starts with. */
export const startRecipe = async (
  { steps: [trigger] }: Recipe,
  zapier: Zapier,
  cause: () => Promise<unknown>,
): Promise<unknown> => {
  if ('app' in trigger) {
    await cause();
    return trigger.record;
  }
  const { place, fields, choices } = trigger;
  const inputData = { ...choices, ...fields };
  const key = place.replace('triggers.', '');
  const isPolling = Object.values(app.triggers).some((each) => each.key === key && each.operation.type === 'polling');
  return isPolling ? runPolling(zapier, place, inputData, cause) : runInstant(zapier, key, inputData, cause);
};

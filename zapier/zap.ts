import * as z from 'zod/mini';
import { fieldValue, form } from './form';

/** A filter: the step runs only when the value is this text, or isn't. */
const condition = z.object({ value: z.string(), is: z.optional(z.string()), isNot: z.optional(z.string()) });
export type Condition = z.output<typeof condition>;

/** Sentences of the last test, by field, each with the value that it is about. */
const problems = z.optional(z.record(z.string(), z.object({ sentence: z.string(), value: fieldValue })));

const ownStep = z.object({
  type: z.literal('own'),
  /** Stays the same when an earlier step is removed. */
  id: z.string(),
  /** The path of the operation in the app, such as `creates.send_message`. */
  operation: z.string(),
  values: z.record(z.string(), fieldValue),
  /** What people chose in a dropdown, by the field's key. */
  labels: z.record(z.string(), z.string()),
  /** Undefined until the step was opened. */
  form: z.optional(form),
  /** The record that later steps map from while the Zap is built. */
  example: z.optional(z.unknown()),
  problems,
  onlyIf: z.optional(condition),
});

const otherStep = z.object({
  type: z.literal('other'),
  id: z.string(),
  app: z.string(),
  event: z.string(),
  /** Values by label. */
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  json: z.string(),
  onlyIf: z.optional(condition),
});

/** Delay by Zapier. A run waits here by the playground's clock. */
const delayStep = z.object({ type: z.literal('delay'), id: z.string(), hours: z.number() });

/** What the step was with other operations, by operation. Switching back restores it. */
const before = {
  before: z.optional(z.record(z.string(), z.discriminatedUnion('type', [ownStep, otherStep, delayStep]))),
};
const own = z.extend(ownStep, before);
const other = z.extend(otherStep, before);
const delay = z.extend(delayStep, before);
/** A step of this app. */
export type OwnStep = z.output<typeof own>;
/** A step of another app, with an example of what it gives as JSON. */
export type OtherStep = z.output<typeof other>;
export type DelayStep = z.output<typeof delay>;

const step = z.discriminatedUnion('type', [own, other, delay]);
export type Step = z.output<typeof step>;

const subscription = z.object({
  id: z.string(),
  targetUrl: z.string(),
  /** The result of the app's subscribe step. */
  data: z.unknown(),
  expiresAt: z.optional(z.string()),
  /** What the service says that it sends, in short texts. */
  watches: z.optional(z.array(z.string())),
});
/** A subscription of a Zap that is on. */
export type Subscription = z.output<typeof subscription>;

const steps = z.array(step).check(z.minLength(1));

export const zap = z.object({
  id: z.string(),
  title: z.string(),
  /** The title of the recipe that it was made from. A person may rename the Zap. */
  madeFrom: z.optional(z.string()),
  /** The steps as the editor has them. */
  steps,
  /** The steps that run while the Zap is on. */
  published: z.optional(steps),
  isOn: z.boolean(),
  /** A deleted Zap is kept, so that it can be restored. */
  isDeleted: z.optional(z.boolean()),
  subscription: z.optional(subscription),
  /** Why a Zap that is on has no subscription at the moment. */
  problem: z.optional(z.string()),
  /** Ids that a polling trigger has seen. */
  seen: z.array(z.string()),
  /** The account that has these ids. */
  seenIn: z.optional(z.string()),
});
export type Zap = z.output<typeof zap>;

/** The steps that run: the published ones of a Zap that is on. */
export const runningSteps = ({ isOn, published, steps: draft }: Zap): Step[] => (isOn && published) || draft;

export const maxSteps = 8;

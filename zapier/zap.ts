import * as z from 'zod/mini';
import { fieldValue, form } from './form';
import { rule } from './rules';

/** What a person calls a step. */
const name = z.optional(z.string());

/** A condition of an earlier version. A step that has one can't be read, because without it the step would always run. */
const onlyIf = z.optional(z.undefined());

const values = z.record(z.string(), fieldValue);

/** Sentences of the last test, by field, each with the value that it is about. `others` are those of fields that it names. */
const problems = z.optional(
  z.record(z.string(), z.object({ sentence: z.string(), value: fieldValue, others: z.optional(values) })),
);

const ownStep = z.object({
  type: z.literal('own'),
  /** Stays the same when an earlier step is removed. */
  id: z.string(),
  /** The path of the operation in the app, such as `creates.send_message`. */
  operation: z.string(),
  values,
  /** What people chose in a dropdown, by the field's key. */
  labels: z.record(z.string(), z.string()),
  /** Undefined until the step was opened. */
  form: z.optional(form),
  /** The record that later steps map from while the Zap is built. */
  example: z.optional(z.unknown()),
  problems,
  name,
  onlyIf,
});

const otherStep = z.object({
  type: z.literal('other'),
  id: z.string(),
  app: z.string(),
  event: z.string(),
  /** Values by label. */
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  json: z.string(),
  name,
  onlyIf,
});

/** Delay by Zapier. A run waits here by the playground's clock. */
const delayStep = z.object({ type: z.literal('delay'), id: z.string(), hours: z.number(), name });

const rules = z.array(rule);

/** Filter by Zapier. A run stops here unless all rules match. */
const filterStep = z.object({ type: z.literal('filter'), id: z.string(), rules, name });

/** A path of Paths by Zapier, with the steps up to the next one. They run when all rules match. */
const pathStep = z.object({ type: z.literal('path'), id: z.string(), rules, name });

/** What the step was with other operations, by operation. Switching back restores it. */
const before = {
  before: z.optional(
    z.record(z.string(), z.discriminatedUnion('type', [ownStep, otherStep, delayStep, filterStep, pathStep])),
  ),
};
const own = z.extend(ownStep, before);
const other = z.extend(otherStep, before);
const delay = z.extend(delayStep, before);
const filter = z.extend(filterStep, before);
const path = z.extend(pathStep, before);
/** A step of this app. */
export type OwnStep = z.output<typeof own>;
/** A step of another app, with an example of what it gives as JSON. */
export type OtherStep = z.output<typeof other>;
export type DelayStep = z.output<typeof delay>;
/** A step that decides by rules whether a run continues. */
export type RulesStep = z.output<typeof filter> | z.output<typeof path>;

const step = z.discriminatedUnion('type', [own, other, delay, filter, path]);
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

/** Whether a step decides by rules whether a run continues. */
export const hasRules = (of: Step): of is RulesStep => of.type === 'filter' || of.type === 'path';

/** The steps that run: the published ones of a Zap that is on. */
export const runningSteps = ({ isOn, published, steps: draft }: Zap): Step[] => (isOn && published) || draft;

export const maxSteps = 20;

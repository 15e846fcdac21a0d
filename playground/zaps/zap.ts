import * as z from 'zod/mini';

const fieldValue = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())]);
/** A value of a field: text, the items of a list, or the entries of a dictionary. Texts may hold `{{1.path}}`. */
export type FieldValue = z.output<typeof fieldValue>;

/** A filter: the step runs only when the value is this text, or isn't. */
const condition = z.object({ value: z.string(), is: z.optional(z.string()), isNot: z.optional(z.string()) });
export type Condition = z.output<typeof condition>;

const ownStep = z.object({
  type: z.literal('own'),
  /** Stays the same when an earlier step is removed. */
  id: z.string(),
  place: z.string(),
  values: z.record(z.string(), fieldValue),
  /** What people chose in a dropdown, by the field's key. */
  labels: z.record(z.string(), z.string()),
  /** The `meta` of each field when the form was last loaded, by the field's key. Zapier passes it to a run. */
  fieldMeta: z.optional(z.record(z.string(), z.unknown())),
  /** The record that later steps map from while the Zap is built. */
  example: z.optional(z.unknown()),
  onlyIf: z.optional(condition),
});
/** A step of this app. */
export type OwnStep = z.output<typeof ownStep>;

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
/** A step of another app, with an example of what it gives as JSON. */
export type OtherStep = z.output<typeof otherStep>;

/** Delay by Zapier. A run waits here by the playground's clock. */
const delayStep = z.object({ type: z.literal('delay'), id: z.string(), hours: z.number() });
export type DelayStep = z.output<typeof delayStep>;

const step = z.discriminatedUnion('type', [ownStep, otherStep, delayStep]);
export type Step = z.output<typeof step>;

const subscription = z.object({
  id: z.string(),
  targetUrl: z.string(),
  /** The result of the app's subscribe step. */
  data: z.unknown(),
  expiresAt: z.optional(z.string()),
  /** What the service says that it sends, such as `message.received` and `channel: whatsapp`. */
  watches: z.optional(z.array(z.string())),
});
/** A subscription of a Zap that is on. */
export type Subscription = z.output<typeof subscription>;

export const zap = z.object({
  id: z.string(),
  title: z.string(),
  steps: z.array(step).check(z.minLength(1)),
  isOn: z.boolean(),
  subscription: z.optional(subscription),
  /** Why a Zap that is on has no subscription at the moment. */
  problem: z.optional(z.string()),
  /** Ids that a polling trigger has seen. */
  seen: z.array(z.string()),
  /** The plan during the last poll. Each plan has a different workspace. */
  seenPlan: z.optional(z.enum(['advanced', 'growth'])),
});
export type Zap = z.output<typeof zap>;

export const maxSteps = 8;

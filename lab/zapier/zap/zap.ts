import * as z from 'zod/mini';
import { type AppStep, type Step, step } from '../kinds';
import { asApp } from './steps';

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
  /** What a polling trigger has seen: the ids, or what else tells the records apart. */
  seen: z.array(z.string()),
  /** The account that has these records. */
  seenIn: z.optional(z.string()),
});
export type Zap = z.output<typeof zap>;

/** The steps that run: the published ones of a Zap that is on. */
export const runningSteps = ({ isOn, published, steps: draft }: Zap): Step[] => (isOn && published) || draft;

/** The trigger that runs, if it's one of the app. */
export const runningTrigger = (zap: Zap): AppStep | undefined => asApp(runningSteps(zap)[0]);

export const maxSteps = 20;

/** Why nothing can be added to a Zap that has as many steps as it can. */
export const fullZap = `A Zap has at most ${maxSteps} steps here.`;

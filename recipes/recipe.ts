import type { BodyOf } from '../src/api/endpoints';

/** Values by field. `{{1.contact.phone}}` in a text is an output of step 1. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A filter or a path: the step runs only when the value is this text, or isn't. */
export type RecipeCondition = { value: string; is: string } | { value: string; isNot: string };

/** A step of this app. */
export interface OwnRecipeStep {
  /** Such as `creates.send_message`. */
  operation: string;
  /** Values by field key that the template fills in. */
  fields?: Fields;
  /** Values by field key that the person who uses the template chooses. */
  choices?: Fields;
  onlyIf?: RecipeCondition;
}

/** A step of another app. */
export interface OtherRecipeStep {
  app: string;
  event: string;
  /** Values by field label. */
  fields?: Fields;
  /** An example of what the step gives to later ones. */
  record?: Readonly<Record<string, unknown>>;
  onlyIf?: RecipeCondition;
}

/** Delay by Zapier. */
interface DelayRecipeStep {
  delayHours: number;
}

export type RecipeStep = OwnRecipeStep | OtherRecipeStep | DelayRecipeStep;

/** Something that customers, colleagues or time do in the service. */
export type ServiceEvent =
  | { type: 'customer writes'; phone: string; text: string; channel?: string }
  | { type: 'colleague replies'; phone: string; text: string; channel?: string }
  | { type: 'conversation closes'; phone: string; channel?: string }
  | { type: 'contact is added'; contact: BodyOf<'createContact'> }
  | { type: 'message is sent'; message: BodyOf<'sendMessage'> }
  | { type: 'campaign fails' | 'campaign completes'; name: string };

/** The result of a run. What is left out stays empty. */
interface RecipeOutcome {
  /** Every message that the run sends, in order. */
  sent?: { to: string; text: string }[];
  /** Contacts after the run. */
  contacts?: (BodyOf<'createContact'> & { phone: string })[];
  /** Every action of another app that runs, in order, with a text that each field contains. */
  received?: { app: string; fields: Record<string, string> }[];
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

/** A Zap template: a Zap that needs only accounts and a few choices to run. */
export interface Recipe {
  /** A few words for a list. */
  name: string;
  title: string;
  description: string;
  /** What can surprise the person who uses it, and how to prevent that. */
  watchOut: string;
  /** Why Zapier's rules don't allow it as a Zap template. Left out if they do. */
  notATemplate?: string;
  steps: readonly [OwnRecipeStep | OtherRecipeStep, ...RecipeStep[]];
  examples: readonly [Example, ...Example[]];
}

/** Whether a recipe continues on several paths. One step with a condition needs only a filter. */
export const hasPaths = ({ steps }: Recipe): boolean => steps.filter((step) => 'onlyIf' in step).length > 1;

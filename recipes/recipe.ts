import type { BodyOf } from '../src/api/endpoints';

/** Values by field. `{{1.contact.phone}}` in a text is an output of step 1. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A rule of a filter or a path, with a condition in Zapier's words. */
export interface RecipeRule {
  value: string;
  condition: '(Text) Exactly matches' | '(Text) Does not exactly match' | '(Number) Greater than';
  text: string;
}

/** A step of this app. */
export interface OwnRecipeStep {
  /** Such as `creates.send_message`. */
  operation: string;
  /** Values by field key that the template fills in. */
  fields?: Fields;
  /** Values by field key that the person who uses the template chooses. */
  choices?: Fields;
}

/** A step of another app. */
export interface OtherRecipeStep {
  app: string;
  event: string;
  /** Values by field label. */
  fields?: Fields;
  /** An example of what the step gives to later ones. */
  record?: Readonly<Record<string, unknown>>;
}

/** Delay by Zapier. */
interface DelayRecipeStep {
  delayHours: number;
}

/** Filter by Zapier. The run continues when the rule matches. */
interface FilterRecipeStep {
  filter: RecipeRule;
}

/** A path of Paths by Zapier, with the steps up to the next one. They run when the rule matches. */
interface PathRecipeStep {
  path: string;
  rule: RecipeRule;
}

export type RecipeStep = OwnRecipeStep | OtherRecipeStep | DelayRecipeStep | FilterRecipeStep | PathRecipeStep;

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

/** Whether a recipe continues on several paths. */
export const hasPaths = ({ steps }: Recipe): boolean => steps.some((step) => 'path' in step);

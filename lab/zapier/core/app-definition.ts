/** The definition of an app as Zapier reads it. What it doesn't name is kept. */
import * as z from 'zod/mini';

const text = z.string();
const { optional } = z;

export const fieldOfApp = z.looseObject({
  key: text,
  label: optional(text),
  helpText: optional(text),
  type: optional(text),
  required: optional(z.boolean()),
  list: optional(z.boolean()),
  dict: optional(z.boolean()),
  dynamic: optional(text),
  search: optional(text),
  choices: optional(z.unknown()),
  altersDynamicFields: optional(z.boolean()),
  /** Whether Zapier tells polled records apart by this output. */
  primary: optional(z.boolean()),
});
/** A field of a form or of a result. */
export type FieldOfApp = z.output<typeof fieldOfApp>;

const display = z.looseObject({ label: text, description: z._default(text, ''), hidden: optional(z.boolean()) });

/** A function that returns fields for the current input. */
const fieldFunction = z.custom<() => unknown>((value) => typeof value === 'function');
const field = z.union([fieldFunction, fieldOfApp]);
const isPlain = (each: z.output<typeof field>): each is FieldOfApp => typeof each !== 'function';
const fields = z._default(z.array(field), []);

const scope = optional(z.array(z.enum(['user', 'auth', 'account', 'action'])));
/** How often an operation may run in a window of seconds. Zapier retries what is over the limit by itself. */
const throttle = z.object({
  window: z.number(),
  limit: z.number(),
  key: optional(text),
  scope,
  retry: optional(z.literal(true)),
});
/** Which runs of an operation go one after the other. */
const lock = z.object({ key: text, scope, timeout: optional(z.number()) });

const step = z.looseObject({
  key: text,
  noun: text,
  display,
  operation: z.looseObject({
    type: optional(text),
    performResume: optional(z.unknown()),
    throttle: optional(throttle),
    lock: optional(lock),
    inputFields: fields,
    inputFieldGroups: z._default(z.array(z.object({ key: text, label: text, emphasize: optional(z.boolean()) })), []),
    /** Those that every result has. */
    outputFields: z.pipe(
      fields,
      z.transform((all) => all.filter(isPlain)),
    ),
    sample: z._default(z.looseObject({}), {}),
  }),
});
/** A trigger, an action or a search. */
export type StepOfApp = z.output<typeof step>;

const steps = z._default(z.record(text, step), {});

export const appDefinition = z.looseObject({
  version: text,
  platformVersion: text,
  flags: z._default(z.looseObject({ cleanInputData: optional(z.boolean()) }), {}),
  /** Without one, people connect no account. */
  authentication: z._default(
    z.looseObject({
      type: optional(text),
      connectionLabel: optional(z.unknown()),
      fields: z._default(z.array(fieldOfApp), []),
    }),
    { fields: [] },
  ),
  triggers: steps,
  creates: steps,
  searches: steps,
  searchOrCreates: z._default(z.record(text, z.looseObject({ key: text, display, search: text, create: text })), {}),
});
export type AppDefinition = z.output<typeof appDefinition>;

export const kinds = ['triggers', 'creates', 'searches'] as const;
export type Kind = (typeof kinds)[number];

/** A step, and where the app defines it, such as `creates.send_message`. */
export interface PlacedStep {
  kind: Kind;
  place: string;
  step: StepOfApp;
}

/** Lists every step of an app, including hidden ones. */
export const stepsOf = (app: AppDefinition): PlacedStep[] =>
  kinds.flatMap((kind) => Object.entries(app[kind]).map(([key, step]) => ({ kind, place: `${kind}.${key}`, step })));

/** Lists every step that people can choose in the Zap editor. */
export const visibleStepsOf = (app: AppDefinition): PlacedStep[] =>
  stepsOf(app).filter(({ step: { display: shown } }) => !shown.hidden);

/** Lists the fields that a form always shows. */
export const plainFields = ({ operation }: StepOfApp): FieldOfApp[] => operation.inputFields.filter(isPlain);

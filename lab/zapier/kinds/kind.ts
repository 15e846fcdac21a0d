import * as z from 'zod/mini';
import type { Clock } from '../clock';
import type { Definition } from '../core/definition';
import type { Outcome } from '../core/result';
import { type Field, fieldValue } from '../fields/form';
import type { MappedValue } from '../fields/references';
import type { Entered, Problems } from '../fields/values';
import type { AppRunner, StepContext } from './app-runner';
import { byFields } from './by-fields';

/** What other apps have and give. */
export interface OtherApps {
  /** Finds the row of another app that has the value in the column of the step. Undefined when there is none. */
  findRow(
    step: { id: string; app: string; fields: Entered; row?: { column: string } | undefined },
    value: string,
  ): object | undefined;
  /** What an action gives for these fields, by its example. */
  resultFor(example: object, fields: Readonly<Record<string, string>>): object;
}

/** What a step runs with, and what it runs on. */
export interface Running extends StepContext {
  clock: Clock;
  app: AppRunner;
  /** Without them, a step of another app gives its example. */
  others?: OtherApps | undefined;
}

/** An output of a step, as its app declares it. */
export interface DeclaredOutput {
  key: string;
  label?: string | undefined;
  type?: string | undefined;
}

/** What a person recognizes one of Zapier's own apps by. */
interface Tool {
  /** What the lists of steps call it. */
  title: string;
  /** An icon of Lucide. */
  icon: string;
  hue: 'amber' | 'rust' | 'violet';
}

/** Everything in which the steps of one kind differ from others. `S` is such a step. */
export interface Kind<S> {
  /** Set for one of Zapier's own apps, which is never a trigger. A step of another app has the icon of that app. */
  tool?: Tool;
  /** The app and the event as Zapier names them. Without an app, it's the one that this Zapier is for. */
  named(step: S, definition: Definition): { app?: string | undefined; event: string };
  /** What a step is called that nobody renamed. */
  title(step: S, definition: Definition): string;
  /** What its form says first. */
  description: string;
  /** What a step gives while its Zap is built and the steps before give `before`. Undefined when that is unknown. */
  example(step: S, definition: Definition, before: readonly unknown[]): unknown;
  /** Whether what a test gives is its example from then on. */
  keepsExample: boolean;
  /** What its app says that it gives. */
  outputs(step: S, definition: Definition): readonly DeclaredOutput[];
  /** The fields of its form. A kind with a form that isn't a list of fields has none. */
  fields(step: S): readonly Field[];
  /** What its form shows: values, or defaults. */
  entered(step: S): Entered;
  /** The step with what was entered in its form. `labels` has what dropdowns call the values that were chosen. */
  enter(step: S, entered: Entered, labels: Record<string, string>): S;
  /** Every value that may map data of earlier steps. */
  mapped(step: S): MappedValue[];
  /** The step with each text that may map data changed. */
  remap(step: S, change: (text: string) => string): S;
  /** What is left to fill in before it can run. */
  unfilled(step: S, definition: Definition, isTrigger: boolean): Problems;
  /** Carries it out. `context.isTest` says whether it's the editor's test. */
  run(step: S, context: Running): Promise<Outcome> | Outcome;
  /** Goes on with what its callback brings. `waited` is what it gave before. A step of the app has a method of its own. */
  resume?(step: S, waited: unknown, given: unknown): Outcome;
  /** Whether the editor has a test for it. */
  isTestable: boolean;
  /** Its fields with their values, for a person who builds it in the real editor. `show` formats a text that maps data. */
  guide(step: S, show: (text: string) => string): [label: string, text: string][];
}

/** What every step has. */
interface Base<T> {
  type: T;
  /** Stays the same when an earlier step is removed. */
  id: string;
  /** What a person calls the step. */
  name?: string | undefined;
  /** What its last test gave, for a kind that keeps it. */
  example?: unknown;
}

type Required = 'title' | 'run';

/** What a file says of its kind. What it leaves out is as it is for a kind whose form is a list of fields. */
type Declared<T extends string, Settings extends object, Written> = Partial<Kind<Base<T> & Settings>> &
  Pick<Kind<Base<T> & Settings>, Required> & {
    type: T;
    /** The app and the event, if they are the same for every step. */
    app?: string;
    event?: string;
    /** In what two steps of the kind differ. */
    schema: z.ZodMiniType<Settings, Written>;
    /** What a new step has. */
    empty: NoInfer<Settings>;
  };

const texts = z.record(z.string(), fieldValue);

/** A kind of steps, with the schema of its steps. */
export const kind = <T extends string, Settings extends object, Written>(declared: Declared<T, Settings, Written>) => {
  type S = Base<T> & Settings;
  const { type, app, event = '', schema: settings, empty, fields = () => [] } = declared;
  const common: Omit<Kind<S>, Required> = {
    named: () => ({ app, event }),
    description: '',
    example: () => ({}),
    outputs: () => [],
    fields,
    isTestable: true,
    keepsExample: false,
    ...byFields<S>({
      fields,
      values: (step) => texts.parse(settings.parse(step)),
      withValues: (step, values) => ({ ...step, ...values }),
    }),
  };
  const name = z.optional(z.string());
  const base = z.object({ type: z.literal(type), id: z.string(), name, example: z.optional(z.unknown()) });
  const whole: Kind<S> = { ...common, ...declared };
  return { ...whole, type, empty, schema: z.intersection(base, settings) };
};

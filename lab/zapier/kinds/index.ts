import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { app } from './app';
import { approval } from './approval';
import { delay } from './delay';
import { filter } from './filter';
import { formatter } from './formatter';
import type { Kind } from './kind';
import { loop } from './loop';
import { other } from './other';
import { path } from './path';

/** Every kind of steps. */
const kinds = { app, other, filter, path, delay, loop, approval, formatter };

type Alone = { [T in keyof typeof kinds]: z.output<(typeof kinds)[T]['schema']> };

/** A step as it is with one operation. */
export const stepAlone = z.union(Object.values(kinds).map(({ schema }) => schema));
export type StepAlone = Alone[keyof Alone];

type WithoutId<S> = S extends unknown ? Omit<S, 'id'> : never;
/** A step as a file has it, before it's in a Zap. */
export type WrittenStep = WithoutId<z.input<typeof stepAlone>>;

/** What the step was with other operations, by operation. Switching back restores it. */
const before = z.object({ before: z.optional(z.record(z.string(), stepAlone)) });

export const step = z.intersection(stepAlone, before);
/** A step of a Zap. */
export type Step = StepAlone & z.output<typeof before>;

/** A step of the app. */
export type AppStep = Extract<Step, { type: 'app' }>;
/** A step of another app, with an example of what that gives. */
export type OtherStep = Extract<Step, { json: string }>;
/** A step that decides by rules whether a run continues. */
export type RulesStep = Extract<Step, { rules: readonly unknown[] }>;

const table: { [T in keyof Alone]: Kind<Alone[T]> } = kinds;

/** Everything in which a step differs from those of other kinds. */
export const kindOf = <T extends keyof Alone>({ type }: { type: T }): Kind<Alone[T]> => table[type];

/** A step that a file has, with an id. */
export const toStep = (written: WrittenStep): Step => stepAlone.parse({ ...written, id: randomUUID() });

/** The name of each kind. */
export const types: readonly string[] = Object.keys(kinds);

/** Zapier's own apps. */
export const tools = Object.values(kinds).flatMap(({ type, tool }) => (tool ? [{ type, ...tool }] : []));

/** An empty step with an operation of the app, or of another kind. */
export const newStep = (operation: string, id: string): StepAlone => {
  const found = Object.values(kinds).find(({ type }) => type === operation && type !== 'app');
  return stepAlone.parse({ ...(found?.empty ?? { ...app.empty, operation }), type: found?.type ?? 'app', id });
};

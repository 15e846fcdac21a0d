import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { isEmpty } from '../fields/form';
import { replaceReferences } from '../fields/mapping';
import { mapEntries } from '../fields/values';
import { kindOf, type Step, type StepAlone } from '../kinds';
import { asApp } from './steps';
import type { Store } from './store';
import { type Zap, zap } from './zap';

/** What a person changes of a Zap. */
const version = z.pick(zap, { title: true, steps: true });
type Version = z.output<typeof version>;

const history = z.object({ id: z.string(), past: z.array(version), future: z.array(version) });
type History = z.output<typeof history>;

const maxVersions = 50;

const withoutForm = (step: StepAlone): StepAlone => (step.type === 'app' ? { ...step, form: undefined } : step);

/** A step without the form that its app gives, which isn't a person's change. */
const asEntered = ({ before, ...step }: Step): Step => ({
  ...withoutForm(step),
  before: before && mapEntries(before, withoutForm),
});

const versionOf = ({ title, steps }: Version): Version => structuredClone({ title, steps: steps.map(asEntered) });

/** The step of a version, with what the app gave the same step since. */
const restoreStep = (step: Step, current: readonly Step[]): Step => {
  const same = asApp(current.find(({ id }) => id === step.id));
  return step.type === 'app' && step.operation === same?.operation
    ? { ...step, form: same.form, example: same.example ?? step.example }
    : step;
};

/** What a step does. Two steps with the same effect do the same. */
export const effectOf = (step: Step): object => {
  if (step.type !== 'app') return { ...step, before: undefined, example: undefined };
  const { type, id, operation, name } = step;
  // A field that is empty is one that nobody filled in.
  const filled = Object.entries(kindOf(step).entered(step)).filter(([, value]) => !isEmpty(value));
  return { type, id, operation, name, filled: Object.fromEntries(filled) };
};

/** A short text that differs when the text does. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** With the keys of objects in order, which says nothing of what a step does. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A short text that differs when a step does something else than when it was tested. `steps` are those of its Zap. */
export const fingerprintOf = (step: Step, steps: readonly Step[]): string => {
  // A step that moves maps the same data by another number.
  const effect = replaceReferences(
    JSON.stringify({ ...effectOf(step), name: undefined }, inOrder),
    (number, path) => `{{${steps[number - 1]?.id}.${path}}}`,
  );
  return digest(effect);
};

/** Whether two steps have the same operation and values. */
export const hasSameValues = (one: Step | undefined, other: Step): boolean =>
  one !== undefined && isDeepStrictEqual(effectOf(one), effectOf(other));

/** Whether two versions have the same title and do the same. */
const isSame = (one: Version, other: Version): boolean =>
  one.title === other.title && isDeepStrictEqual(one.steps.map(effectOf), other.steps.map(effectOf));

/** Whether a Zap that is on runs other steps than its editor has. */
export const hasDraft = ({ title, steps, published, isOn }: Zap): boolean =>
  isOn && published !== undefined && !isSame({ title, steps }, { title, steps: published });

/** The versions of Zaps, for Undo and Redo. Each Zap keeps the last 50. */
export class Versions {
  readonly #store: Store;
  readonly #histories: Map<string, History>;

  constructor(store: Store) {
    this.#store = store;
    this.#histories = new Map(store.list('versions', history).map((each) => [each.id, each]));
  }

  #of({ id }: Zap): History {
    return this.#histories.get(id) ?? { id, past: [], future: [] };
  }

  #keep(changed: History): void {
    this.#histories.set(changed.id, changed);
    this.#store.put('versions', changed.id, changed);
  }

  /** Changes a Zap, and keeps what it was before unless that is the same. */
  change(changed: Zap, change: Partial<Version>): void {
    const { title, steps } = changed;
    Object.assign(changed, change);
    if (isSame({ title, steps }, changed)) return;
    const before = versionOf({ title, steps });
    const { id, past } = this.#of(changed);
    this.#keep({ id, past: [...past, before].slice(-maxVersions), future: [] });
  }

  canUndo(of: Zap): boolean {
    return this.#of(of).past.length > 0;
  }

  canRedo(of: Zap): boolean {
    return this.#of(of).future.length > 0;
  }

  /** Goes back to the version before. Returns whether there was one. */
  undo(changed: Zap): boolean {
    const { id, past, future } = this.#of(changed);
    const target = past.at(-1);
    if (!target) return false;
    this.#keep({ id, past: past.slice(0, -1), future: [...future, versionOf(changed)] });
    this.#restore(changed, target);
    return true;
  }

  /** Goes forward to the version that Undo left. Returns whether there was one. */
  redo(changed: Zap): boolean {
    const { id, past, future } = this.#of(changed);
    const target = future.at(-1);
    if (!target) return false;
    this.#keep({ id, past: [...past, versionOf(changed)], future: future.slice(0, -1) });
    this.#restore(changed, target);
    return true;
  }

  #restore(changed: Zap, { title, steps }: Version): void {
    const current = changed.steps;
    Object.assign(changed, { title, steps: structuredClone(steps).map((step) => restoreStep(step, current)) });
  }
}

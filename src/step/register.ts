import type { InputField } from 'zapier-platform-core';
import type { Part } from '../api/endpoints';
import { exists } from '../api/missing';

interface Step {
  key: string;
  operation?: { inputFields?: InputField[] };
}

/** A step, what it can't do without, and what fields of its form can't do without, by their keys. */
type Entry = readonly [step: Step, needs: readonly Part[], fields?: Readonly<Record<string, Part>>];

const needs = new WeakMap<object, readonly Part[]>();

/** Returns what a registered step can't do without. */
export const needsOf = (step: object): readonly Part[] => needs.get(step) ?? [];

const gone: { key: string; lacks: Part[] }[] = [];

/** Returns the keys of the steps that the app does without, and what the service lacks for each. */
export const goneSteps = (): readonly { key: string; lacks: readonly Part[] }[] => gone;

/** Returns a step whose form has only fields that the service can use. */
const withKnownFields = <S extends Step>(step: S, parts: Readonly<Record<string, Part>>): S => {
  const isKnown = (field: InputField): boolean => {
    const part = 'key' in field ? parts[field.key] : undefined;
    return part === undefined || exists(part);
  };
  const { operation } = step;
  if (!operation?.inputFields || operation.inputFields.every(isKnown)) return step;
  return { ...step, operation: { ...operation, inputFields: operation.inputFields.filter(isKnown) } };
};

/** Returns the steps by key, without those that need something that the service lacks. */
export const register = <const E extends readonly Entry[]>(entries: E): Record<string, E[number][0]> => {
  const steps: Record<string, E[number][0]> = {};
  for (const [step, all, fields = {}] of entries) {
    const lacks = all.filter((need) => !exists(need));
    const shown = withKnownFields(step, fields);
    needs.set(shown, all);
    if (lacks.length > 0) gone.push({ key: step.key, lacks });
    else steps[step.key] = shown;
  }
  return steps;
};

import type { InputField, PlainInputField } from 'zapier-platform-core';
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

const hidden = new Map<string, readonly PlainInputField[]>();

/** Returns the fields that the form of a step does without, because the service keeps no value for them. */
export const hiddenFieldsOf = (key: string): readonly PlainInputField[] => hidden.get(key) ?? [];

/** Returns a step whose form has only fields, and choices that name fields, that the service can use. */
const withKnownFields = <S extends Step>(step: S, parts: Readonly<Record<string, Part>>): S => {
  const isKnown = (key: string): boolean => parts[key] === undefined || exists(parts[key]);
  const { operation } = step;
  const plain = operation?.inputFields?.filter((field) => typeof field !== 'function') ?? [];
  const unknown = plain.filter(({ key }) => !isKnown(key));
  if (unknown.length === 0) return step;
  hidden.set(step.key, unknown);
  const inputFields = operation?.inputFields
    ?.filter((field) => !('key' in field) || isKnown(field.key))
    .map((field) =>
      'choices' in field && Array.isArray(field.choices)
        ? { ...field, choices: field.choices.filter((each) => typeof each === 'string' || isKnown(each.value)) }
        : field,
    );
  return { ...step, operation: { ...operation, inputFields } };
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

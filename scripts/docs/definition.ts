/** This app's definition, with every field that its forms can show. */
import * as z from 'zod/mini';
import { definition, runStep } from '../../lab/playground/service/zapier';
import {
  type AppDefinition,
  type FieldOfApp,
  fieldOfApp,
  plainFields,
  type StepOfApp,
  stepsOf,
} from '../../lab/zapier/core/app-definition';
import { choicesOf } from '../../lab/zapier/fields/form';

/** Returns the labels of a field's choices by their keys, where they are the same for everyone. */
export const namesOf = (choices: unknown): Record<string, string> =>
  Object.fromEntries(choicesOf(choices).map(({ value, label }) => [value, label]));

/** Returns the choice that adds a field to its form, such as `**Audience** is One recipient`. */
export const whenOf = ({ when }: FieldOfApp): string | undefined => (typeof when === 'string' ? when : undefined);

/** Lists inputs that together bring up every field: a value mapped from an earlier step, and each choice. */
const formInputs = (fields: FieldOfApp[]): { inputData: Record<string, string>; when?: string }[] => {
  const altering = fields.filter(({ altersDynamicFields }) => altersDynamicFields);
  const mapped = Object.fromEntries(altering.map(({ key }) => [key, '{{1__value}}']));
  const chosen = altering.flatMap(({ key, label, choices: given }) =>
    Object.entries(namesOf(given)).map(([choice, name]) => ({
      inputData: { ...mapped, [key]: choice },
      when: `**${label}** is ${name}`,
    })),
  );
  return [{ inputData: mapped }, ...chosen];
};

/** Lists every field that a step's form can show without a request. Fields that depend on a choice come last. */
const formOf = async (place: string, of: StepOfApp): Promise<FieldOfApp[]> => {
  const fields = new Map<string, FieldOfApp>();
  for (const { inputData, when } of formInputs(plainFields(of))) {
    const shown = await runStep(`${place}.operation.inputFields`, { inputData, inputDataRaw: inputData });
    for (const each of z.array(fieldOfApp).parse(shown)) {
      if (!fields.has(each.key)) fields.set(each.key, { ...each, when });
    }
  }
  return [...fields.values()];
};

/** The definition of this app, as the code has it now. */
export const currentApp = definition.parsed;

const fillForms = async (): Promise<AppDefinition> => {
  const filled: AppDefinition = { ...currentApp, triggers: {}, creates: {}, searches: {} };
  for (const { kind, place, step } of stepsOf(currentApp)) {
    const inputFields = await formOf(place, step);
    filled[kind][step.key] = { ...step, operation: { ...step.operation, inputFields } };
  }
  return filled;
};

let expanded: Promise<AppDefinition> | undefined;

/**
 * Returns the definition of this app with every field that its forms can show, in place of the functions that return
 * them. Runs once, because core ends a process that has run many steps and uses as much memory as a test runner.
 */
export const expandForms = (): Promise<AppDefinition> => {
  expanded ??= fillForms();
  return expanded;
};

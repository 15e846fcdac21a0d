/** The app's definition as Zapier reads it, parsed. */
import * as z from 'zod/mini';
import { runStep } from '../../playground/service/zapier';
import app from '../../src';

const text = z.string();
const { optional } = z;

const labeled = z.array(z.looseObject({ value: text, label: text }));
const choices = z.union([
  z.record(text, text),
  z.array(text),
  labeled,
  z.looseObject({ perform: z.custom<() => unknown>() }),
]);

const field = z.looseObject({
  key: text,
  label: optional(text),
  helpText: optional(text),
  type: optional(text),
  required: optional(z.boolean()),
  list: optional(z.boolean()),
  dict: optional(z.boolean()),
  dynamic: optional(text),
  search: optional(text),
  choices: optional(choices),
  altersDynamicFields: optional(z.boolean()),
  /** The choice that adds the field to the form, such as `**Audience** is One recipient`. */
  when: optional(text),
});
export type Field = z.output<typeof field>;

/** A function that returns fields for the current input. */
const fieldFunction = z.custom<() => unknown>((value) => typeof value === 'function');

const display = z.looseObject({ label: text, description: text, hidden: optional(z.boolean()) });
const sample = z.looseObject({});

const step = z.looseObject({
  key: text,
  noun: text,
  display,
  operation: z.looseObject({
    type: optional(text),
    inputFields: optional(z.array(z.union([fieldFunction, field]))),
    outputFields: optional(z.array(field)),
    sample,
  }),
});
export type Step = z.output<typeof step>;

const searchOrCreate = z.looseObject({ key: text, display, search: text, create: text });

export const definition = z.looseObject({
  version: text,
  platformVersion: text,
  flags: z.looseObject({ cleanInputData: optional(z.boolean()) }),
  authentication: z.looseObject({ type: text, connectionLabel: z.unknown(), fields: z.array(field) }),
  triggers: z.record(text, step),
  creates: z.record(text, step),
  searches: z.record(text, step),
  searchOrCreates: z._default(z.record(text, searchOrCreate), {}),
});
export type Definition = z.output<typeof definition>;

export const kinds = ['triggers', 'creates', 'searches'] as const;
export type Kind = (typeof kinds)[number];

export interface PlacedStep {
  kind: Kind;
  /** Such as `triggers.new_contact`. */
  place: string;
  step: Step;
}

/** Lists every step of an app, including hidden ones. */
export const stepsOf = (app: Definition): PlacedStep[] =>
  kinds.flatMap((kind) =>
    Object.entries(app[kind]).map(([key, each]) => ({ kind, place: `${kind}.${key}`, step: each })),
  );

/** Lists every step that people see in the Zap editor. */
export const visibleStepsOf = (app: Definition): PlacedStep[] =>
  stepsOf(app).filter(({ step: { display: shown } }) => !shown.hidden);

/** Lists the fields that a form always shows. */
export const plainFields = ({ operation }: Step): Field[] =>
  (operation.inputFields ?? []).filter((each) => typeof each !== 'function');

/** Whether a function lists the choices of a field. */
export const hasListedChoices = (each: unknown): boolean => {
  const { data } = field.safeParse(each);
  return data?.choices !== undefined && 'perform' in data.choices;
};

/** Returns the choices of a field by their keys, where they are the same for everyone. */
export const namesOf = (given: Field['choices']): Record<string, string> => {
  const listed =
    labeled.safeParse(given).data ??
    z
      .array(text)
      .safeParse(given)
      .data?.map((value) => ({ value, label: value }));
  return listed
    ? Object.fromEntries(listed.map(({ value, label }) => [value, label]))
    : (z.record(text, text).safeParse(given).data ?? {});
};

/** Lists inputs that together bring up every field: a value mapped from an earlier step, and each choice. */
const formInputs = (fields: Field[]): { inputData: Record<string, string>; when?: string }[] => {
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
const formOf = async (place: string, of: Step): Promise<Field[]> => {
  const fields = new Map<string, Field>();
  for (const { inputData, when } of formInputs(plainFields(of))) {
    const shown = await runStep(`${place}.operation.inputFields`, { inputData, inputDataRaw: inputData });
    for (const each of z.array(field).parse(shown)) {
      if (!fields.has(each.key)) fields.set(each.key, { ...each, when });
    }
  }
  return [...fields.values()];
};

/** The definition of this app, as the code has it now. */
export const currentApp = definition.parse(app);

const fillForms = async (): Promise<Definition> => {
  const filled: Definition = { ...currentApp, triggers: {}, creates: {}, searches: {} };
  for (const { kind, place, step } of stepsOf(currentApp)) {
    const inputFields = await formOf(place, step);
    filled[kind][step.key] = { ...step, operation: { ...step.operation, inputFields } };
  }
  return filled;
};

let expanded: Promise<Definition> | undefined;

/**
 * Returns the definition of this app with every field that its forms can show, in place of the functions that return
 * them. Runs once, because core ends a process that has run many steps and uses as much memory as a test runner.
 */
export const expandForms = (): Promise<Definition> => {
  expanded ??= fillForms();
  return expanded;
};

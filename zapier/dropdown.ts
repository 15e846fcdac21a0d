import * as z from 'zod/mini';
import type { Definition } from './definition';
import type { Field } from './form';
import { isMapped } from './mapping';
import type { StepContext, StepRunner } from './step';
import type { OwnStep } from './zap';

export interface Choice {
  value: string;
  label: string;
}

export interface ChoicePage {
  choices: Choice[];
  hasMore: boolean;
}

const rows = z.array(z.record(z.string(), z.unknown()));
const results = z.object({ results: z.array(z.object({ id: z.string(), label: z.string() })) });

const pageSize = 100;

const contains = (text: string, search: string): boolean => text.toLowerCase().includes(search.toLowerCase());

/** A dropdown of a step's form while the form is open. */
interface Open {
  definition: Definition;
  runner: StepRunner;
  step: OwnStep;
  context: StepContext;
}

/** Which page of a dropdown, of the choices that a person searches for. */
export interface Wanted {
  search: string;
  page: number;
}

/** One page of the rows of the hidden trigger that fills the field, such as `list_templates.id.name`. */
const listDynamic = async (
  { runner, step, context }: Open,
  dynamic: string,
  { search, page }: Wanted,
): Promise<ChoicePage> => {
  const [trigger = '', valueKey = 'id', labelKey = 'name'] = dynamic.split('.');
  const extra = { inputData: { ...(search && { search }) }, meta: { page, isFillingDynamicDropdown: true } };
  const path = `triggers.${trigger}.operation.perform`;
  const found = rows.parse(await runner.runPath(path, step, context, extra));
  const choices = found.map((row) => ({ value: String(row[valueKey]), label: String(row[labelKey] ?? row[valueKey]) }));
  const matches = choices.filter(({ label, value }) => contains(`${label} ${value}`, search));
  // A list that searches by itself may match on what isn't in the label.
  return { choices: matches.length > 0 ? matches : choices, hasMore: found.length >= pageSize };
};

/** The choices that a function of the field gives. */
const listComputed = async (
  { definition, runner, step, context }: Open,
  { key }: Field,
  { search }: Wanted,
): Promise<ChoicePage> => {
  const fields = definition.find(step.operation)?.inputFields ?? [];
  const index = fields.findIndex((each) => z.object({ key: z.literal(key) }).safeParse(each).success);
  const found = results.parse(await runner.runMethod(step, `inputFields.${index}.choices.perform`, context));
  const choices = found.results
    .filter(({ label }) => contains(label, search))
    .map(({ id, label }) => ({ value: id, label }));
  return { choices, hasMore: false };
};

/** One page of the choices of a dropdown. */
export const listChoices = async (open: Open, field: Field, wanted: Wanted): Promise<ChoicePage> => {
  if (field.options) {
    return { choices: field.options.filter(({ label }) => contains(label, wanted.search)), hasMore: false };
  }
  return field.dynamic ? listDynamic(open, field.dynamic, wanted) : listComputed(open, field, wanted);
};

/** What a dropdown calls a value: on its first page, or when searched for. The value itself when it isn't listed. */
const findLabel = async (open: Open, field: Field, value: string): Promise<string> => {
  for (const search of field.dynamic ? ['', value] : ['']) {
    const { choices } = await listChoices(open, field, { search, page: 0 });
    const found = choices.find((choice) => choice.value === value);
    if (found) return found.label;
  }
  return value;
};

/** What the dropdowns of a step call the values that nobody chose in them, such as those of a recipe, by key. */
export const findLabels = async (open: Open): Promise<Record<string, string>> => {
  const { form, labels, values } = open.step;
  const unnamed = form?.fields.filter(({ key, isDropdown }) => isDropdown && labels[key] === undefined) ?? [];
  const found = unnamed.map(async (field): Promise<[string, string][]> => {
    const value = values[field.key];
    if (typeof value !== 'string' || value === '' || isMapped(value)) return [];
    return findLabel(open, field, value).then(
      (label) => [[field.key, label]],
      () => [],
    );
  });
  return Object.fromEntries((await Promise.all(found)).flat());
};

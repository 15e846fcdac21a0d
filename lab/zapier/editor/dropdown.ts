import * as z from 'zod/mini';
import type { Definition } from '../core/definition';
import type { Field } from '../fields/form';
import { isMapped } from '../fields/mapping';
import type { AppStep } from '../kinds';
import type { AppRunner, StepContext } from '../kinds/app-runner';
import { platform } from '../platform';

export interface Choice {
  value: string;
  label: string;
}

export interface ChoicePage {
  choices: Choice[];
  /** Where the next page starts. Missing on the last page. */
  next?: string | undefined;
}

const rows = z.array(z.record(z.string(), z.unknown()));
const results = z.object({
  results: z.array(z.object({ id: z.string(), label: z.string() })),
  paging_token: z.nullish(z.string()),
});

/** A dropdown of a step's form while the form is open. */
interface Open {
  definition: Definition;
  runner: AppRunner;
  step: AppStep;
  context: StepContext;
}

/** One page of the rows of the hidden trigger that fills the field, such as `list_templates.id.name`. */
const listDynamic = async ({ runner, step, context }: Open, dynamic: string, from = '0'): Promise<ChoicePage> => {
  const [trigger = '', valueKey = 'id', labelKey = 'name'] = dynamic.split('.');
  const page = Number.parseInt(from, 10) || 0;
  const extra = { meta: { page, isFillingDynamicDropdown: true } };
  const path = `triggers.${trigger}.operation.perform`;
  const found = rows.parse(await runner.runPath(path, step, context, extra));
  const choices = found.map((row) => ({ value: String(row[valueKey]), label: String(row[labelKey] ?? row[valueKey]) }));
  return { choices, next: found.length >= platform.dropdownPage.is ? String(page + 1) : undefined };
};

/** One page of the choices that a function of the field gives. Zapier gives it back the token of the page. */
const listComputed = async (
  { definition, runner, step, context }: Open,
  { key }: Field,
  from?: string,
): Promise<ChoicePage> => {
  const fields = definition.find(step.operation)?.inputFields ?? [];
  const index = fields.findIndex((each) => z.object({ key: z.literal(key) }).safeParse(each).success);
  const extra = { meta: { isFillingDynamicDropdown: true, ...(from && { paging_token: from }) } };
  const method = `inputFields.${index}.choices.perform`;
  const found = results.parse(await runner.runMethod(step, method, context, extra));
  const choices = found.results.map(({ id, label }) => ({ value: id, label }));
  return { choices, next: found.paging_token || undefined };
};

/**
 * One page of the choices that the app gives for a dropdown: the first, or the one that starts at `from`. Zapier passes on
 * nothing that a person types there.
 */
export const listChoices = async (open: Open, field: Field, from?: string): Promise<ChoicePage> =>
  field.dynamic ? listDynamic(open, field.dynamic, from) : listComputed(open, field, from);

/** What the first page of a dropdown calls a value. The value itself when it isn't listed there. */
const findLabel = async (open: Open, field: Field, value: string): Promise<string> => {
  const { choices } = await listChoices(open, field);
  return choices.find((choice) => choice.value === value)?.label ?? value;
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

import * as z from 'zod/mini';
import { runOnCore } from './core';
import type { Field } from './fields';
import { bundleOf, runPart, type StepContext } from './run-step';
import type { OwnStep } from './zap';

export interface Choice {
  value: string;
  label: string;
}

interface ChoicePage {
  choices: Choice[];
  hasMore: boolean;
}

const rows = z.array(z.record(z.string(), z.unknown()));
const results = z.object({ results: z.array(z.object({ id: z.string(), label: z.string() })) });

const pageSize = 100;

/** One page of the rows of the hidden trigger that fills the field, such as `list_templates.id.name`. */
const listDynamic = async (
  dynamic: string,
  step: OwnStep,
  context: StepContext,
  { search, page }: { search: string; page: number },
): Promise<ChoicePage> => {
  const [trigger = '', valueKey = 'id', labelKey = 'name'] = dynamic.split('.');
  const bundle = bundleOf(step, context);
  const found = rows.parse(
    await runOnCore(
      `triggers.${trigger}.operation.perform`,
      {
        ...bundle,
        inputData: { ...bundle.inputData, ...(search && { search }) },
        meta: { ...bundle.meta, page, isFillingDynamicDropdown: true },
      },
      { rpcUrl: context.rpcUrl, storeKey: `${trigger}:${search}` },
    ),
  );
  const choices = found.map((row) => ({ value: String(row[valueKey]), label: String(row[labelKey] ?? row[valueKey]) }));
  const wanted = search.toLowerCase();
  const matches = choices.filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted));
  // A list that searches by itself may match on what isn't in the label.
  return { choices: matches.length > 0 ? matches : choices, hasMore: found.length >= pageSize };
};

/** The choices that a function of the field gives. */
const listComputed = async (
  fields: readonly unknown[],
  field: Field,
  step: OwnStep,
  context: StepContext,
  search: string,
): Promise<ChoicePage> => {
  const index = fields.findIndex((each) => z.object({ key: z.literal(field.key) }).safeParse(each).success);
  const found = results.parse(await runPart(step, `inputFields.${index}.choices.perform`, context));
  const wanted = search.toLowerCase();
  const choices = found.results
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ id, label }) => ({ value: id, label }));
  return { choices, hasMore: false };
};

/** One page of a dropdown. `fields` is the form as the app defines it. */
export const listChoices = async (
  fields: readonly unknown[],
  field: Field,
  step: OwnStep,
  context: StepContext,
  ask: { search: string; page: number },
): Promise<ChoicePage> =>
  field.dynamic
    ? listDynamic(field.dynamic, step, context, ask)
    : listComputed(fields, field, step, context, ask.search);

import * as z from 'zod/mini';
import app from '../../src';
import { Zap as ZapPane } from '../page/zap';
import { listChoices } from '../zaps/dropdown';
import { sentenceOf } from '../zaps/failures';
import { type Field, findBrokenMappings, findProblems, parseFields } from '../zaps/fields';
import { isMapped } from '../zaps/mapping';
import { findOperation } from '../zaps/operations';
import { findBrokenStep } from '../zaps/references';
import type { Run } from '../zaps/run';
import { runPart, type StepContext } from '../zaps/run-step';
import type { OwnStep, Zap } from '../zaps/zap';
import type { Parts } from './parts';
import { findJsonProblems } from './step-form';

export interface Shown {
  /** Sentences by the key of a field. */
  problems?: Record<string, string> | undefined;
  error?: string | undefined;
  /** The run of the open step alone. */
  run?: Run | undefined;
}

const definition = z.record(
  z.string(),
  z.looseObject({ operation: z.looseObject({ inputFields: z.optional(z.array(z.unknown())) }) }),
);

/** The form of an operation as the app defines it, with functions in place of some fields. */
export const definedFields = ({ place }: OwnStep): readonly unknown[] => {
  const { kind, key } = findOperation(place) ?? {};
  return kind && key ? (definition.parse(app[kind])[key]?.operation.inputFields ?? []) : [];
};

/** Reads the fields of a step's form from Zapier's core, and keeps their `meta`. None when the app can't give them, with the reason. */
export const readFields = async (
  { editor }: Parts,
  zap: Zap,
  index: number,
): Promise<{ fields: Field[]; error?: string }> => {
  const step = zap.steps[index];
  if (step?.type !== 'own') return { fields: [] };
  if (!findOperation(step.place)) return { fields: [], error: `The app no longer has the operation ${step.place}.` };
  const context = editor.contextOf(zap, index);
  try {
    const fields = parseFields(await runPart(step, 'inputFields', context));
    step.fieldMeta = Object.fromEntries(fields.map(({ key, meta }) => [key, meta ?? {}]));
    return { fields };
  } catch (error) {
    return { fields: [], error: sentenceOf(error) };
  }
};

/** What a dropdown calls a value: on its first page, or when searched for. The value itself when it isn't listed. */
const findLabel = async (field: Field, step: OwnStep, context: StepContext, value: string): Promise<string> => {
  for (const search of field.dynamic ? ['', value] : ['']) {
    const { choices } = await listChoices(definedFields(step), field, step, context, { search, page: 0 });
    const found = choices.find((choice) => choice.value === value);
    if (found) return found.label;
  }
  return value;
};

/** Keeps what each dropdown calls a value that nobody chose in it, such as one of a recipe. */
const addLabels = async ({ editor, zaps }: Parts, zap: Zap, index: number, fields: readonly Field[]): Promise<void> => {
  const step = zap.steps[index];
  if (step?.type !== 'own') return;
  const context = editor.contextOf(zap, index);
  for (const field of fields.filter(({ key, isDropdown }) => isDropdown && step.labels[key] === undefined)) {
    const value = step.values[field.key];
    if (typeof value !== 'string' || value === '' || isMapped(value)) continue;
    const label = await findLabel(field, step, context, value).catch(() => undefined);
    if (label) step.labels[field.key] = label;
  }
  zaps.save(zap);
};

/** Sentences by field about data that is missing or isn't valid JSON. */
const findBroken = (zap: Zap, index: number, fields: readonly Field[]): Record<string, string> => {
  const step = zap.steps[index];
  return step ? { ...findJsonProblems(step), ...findBrokenMappings(step, fields, zap.steps.slice(0, index)) } : {};
};

/** Renders a Zap with one step open. */
export const renderZap = async (parts: Parts, zap: Zap, index: number, shown: Shown = {}) => {
  const { fields, error } = await readFields(parts, zap, index);
  await addLabels(parts, zap, index, fields);
  return (
    <ZapPane
      zap={zap}
      zaps={parts.zaps.list()}
      index={index}
      fields={fields}
      problems={{ ...findBroken(zap, index, fields), ...shown.problems }}
      error={shown.error ?? error}
      run={shown.run}
      runs={parts.zaps.runs()}
    />
  );
};

/** Sentences by field of a step that can't run yet. */
export const findStepProblems = async (parts: Parts, zap: Zap, index: number): Promise<Record<string, string>> => {
  const step = zap.steps[index];
  if (step?.type !== 'own') return findBroken(zap, index, []);
  const { fields, error } = await readFields(parts, zap, index);
  return error ? { place: error } : findProblems(step, fields, zap.steps.slice(0, index));
};

/** The problem of the first step that can't run, as a sentence, and which step that is. */
export const findZapProblem = async (parts: Parts, zap: Zap): Promise<{ index: number; shown: Shown } | undefined> => {
  for (const [index, step] of zap.steps.entries()) {
    const problems = await findStepProblems(parts, zap, index);
    const problem = Object.values(problems)[0] ?? findBrokenStep(step, index);
    if (problem) return { index, shown: { problems, error: `Step ${index + 1}: ${problem}` } };
  }
  return undefined;
};

/** A step's error starts with the label of its field, so that the form can show it there. */
export const findFailedField = async (
  parts: Parts,
  zap: Zap,
  index: number,
  { steps: [result] }: Run,
): Promise<Record<string, string>> => {
  if (!result?.failure) return {};
  const { message } = result.failure;
  const { fields } = await readFields(parts, zap, index);
  const field = fields.find(({ label }) => message.startsWith(`${label}:`) || message.startsWith(`${label} `));
  return field ? { [field.key]: message } : {};
};

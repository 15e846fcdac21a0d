import * as z from 'zod/mini';
import { type Definition, operationOf } from './definition';
import { isEmpty } from './form';
import { emptyRule } from './rules';
import type { OwnStep, Step } from './zap';

/** A step as it is with one operation. */
type StepAlone = NonNullable<Step['before']>[string];

const emptyJson = '{\n  "id": 1,\n  "phone": "+12025550123"\n}';

/** An empty step with an operation of the app, or of another type. */
export const newStep = (operation: string, id: string): StepAlone => {
  if (operation === 'delay') return { type: 'delay', id, hours: 1 };
  if (operation === 'filter' || operation === 'path') return { type: operation, id, rules: [emptyRule] };
  if (operation !== 'other') return { type: 'own', id, operation, values: {}, labels: {} };
  return { type: 'other', id, app: 'Another app', event: 'New Record', fields: {}, json: emptyJson };
};

const keyed = z.object({ key: z.string() });

/** Fills in the fields that have no value with what the step has for them in other operations. */
export const carryOver = (step: OwnStep, keys: readonly string[]): OwnStep => {
  const [values, labels] = [{ ...step.values }, { ...step.labels }];
  for (const earlier of Object.values(step.before ?? {})) {
    if (earlier.type !== 'own') continue;
    for (const key of keys) {
      const [value, label] = [earlier.values[key], earlier.labels[key]];
      if (step.values[key] !== undefined || value === undefined || isEmpty(value)) continue;
      values[key] = value;
      if (label !== undefined) labels[key] = label;
    }
  }
  return { ...step, values, labels };
};

/**
 * The step with another operation. It is as it was when it had that operation before. Else the fields that both have
 * keep their values.
 */
export const withOperation = (definition: Definition, { before = {}, ...step }: Step, operation: string): Step => {
  const { [operationOf(step)]: _, [operation]: earlier, ...others } = before;
  // The newest is the last.
  const kept = { ...others, [operationOf(step)]: step };
  if (earlier) return { ...earlier, before: kept };
  const created = newStep(operation, step.id);
  const changed: Step = { ...created, before: kept };
  if (changed.type !== 'own') return changed;
  const fields = definition.find(operation)?.inputFields ?? [];
  return carryOver(
    changed,
    fields.flatMap((field) => keyed.safeParse(field).data?.key ?? []),
  );
};

import * as z from 'zod/mini';
import type { Definition } from '../core/definition';
import { isEmpty } from '../fields/form';
import { type AppStep, newStep, type Step } from '../kinds';
import { asApp, operationOf } from '../zap/steps';

const keyed = z.object({ key: z.string() });

/** Fills in the fields that have no value with what the step has for them in other operations. */
export const carryOver = (step: AppStep, keys: readonly string[]): AppStep => {
  const [values, labels] = [{ ...step.values }, { ...step.labels }];
  for (const earlier of Object.values(step.before ?? {})) {
    if (earlier.type !== 'app') continue;
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
  const own = asApp(changed);
  if (!own) return changed;
  const fields = definition.find(operation)?.inputFields ?? [];
  return carryOver(
    own,
    fields.flatMap((field) => keyed.safeParse(field).data?.key ?? []),
  );
};

import type { InputField } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { isMissing } from '../api/wire';

/** Returns a step whose form has no field that the service lacks in the body of the request. */
export const acceptedBy = <S extends { operation: { inputFields?: InputField[] } }>(
  { shape }: zod.ZodMiniObject,
  step: S,
): S => {
  const isAccepted = (field: InputField): boolean =>
    typeof field === 'function' || !Object.hasOwn(shape, field.key) || !isMissing(shape[field.key]);
  const inputFields = (step.operation.inputFields ?? []).filter(isAccepted);
  return { ...step, operation: { ...step.operation, inputFields } };
};

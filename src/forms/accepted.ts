import type { InputField } from 'zapier-platform-core';
import type * as zod from 'zod/mini';
import { isMissing } from '../api/wire';
import { attributesField, otherPersonFields } from './contact-form';

/** Returns a step whose form has the fields of a contact that the service takes in the body of the request. */
export const acceptedBy = <S extends { operation: { inputFields?: InputField[] } }>(
  { shape }: zod.ZodMiniObject,
  step: S,
): S => {
  const isAccepted = (field: InputField): boolean =>
    typeof field === 'function' || !Object.hasOwn(shape, field.key) || !isMissing(shape[field.key]);
  const fields = step.operation.inputFields ?? [];
  const last = fields.findIndex((field) => 'key' in field && field.key === attributesField.key);
  const inputFields = fields.toSpliced(last, 0, ...otherPersonFields).filter(isAccepted);
  return { ...step, operation: { ...step.operation, inputFields } };
};

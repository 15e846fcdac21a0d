import { e164 } from '../../../src/api/e164';
import { validationError } from '../engine/api-error';

/** Fictional numbers (US 555-01xx) for which messages have a special outcome. */
export const specialNumbers = {
  unreachable: '+12025550101',
  failsLater: '+12025550102',
  optedOut: '+12025550103',
  replies: '+12025550104',
  neverReads: '+12025550105',
} as const;

/** Throws a 422 when the number isn't E.164. */
export const requireE164 = (field: string, number: string): void => {
  if (e164.test(number)) return;
  throw validationError([
    { field, message: 'must be a phone number in E.164 with a leading plus, such as +12025550123' },
  ]);
};

import { isDeepStrictEqual } from 'node:util';
import { isEmpty } from './form';
import type { OwnStep } from './zap';

/** What a trigger subscribes with: its operation and the fields that are filled in. An empty field has its default. */
const settingsOf = ({ operation, values }: OwnStep, defaults: Record<string, string>): unknown => {
  const filled = Object.entries(values).filter(([, value]) => !isEmpty(value));
  return { operation, values: { ...defaults, ...Object.fromEntries(filled) } };
};

/** Whether a trigger listens for other events than the one before. */
export const changesTrigger = (before: OwnStep, changed: OwnStep): boolean => {
  const defaults = Object.fromEntries((before.form?.fields ?? []).map(({ key, default: value }) => [key, value ?? '']));
  return !isDeepStrictEqual(settingsOf(before, defaults), settingsOf(changed, defaults));
};

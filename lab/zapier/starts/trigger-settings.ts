import { isDeepStrictEqual } from 'node:util';
import { isEmpty } from '../fields/form';
import type { AppStep } from '../kinds';

/** What a trigger subscribes with: its operation and the fields that are filled in. An empty field has its default. */
const settingsOf = ({ operation, values }: AppStep, defaults: Record<string, string>): unknown => {
  const filled = Object.entries(values).filter(([, value]) => !isEmpty(value));
  return { operation, values: { ...defaults, ...Object.fromEntries(filled) } };
};

/** Whether a trigger listens for other events than the one before. */
export const changesTrigger = (before: AppStep, changed: AppStep): boolean => {
  const defaults = Object.fromEntries((before.form?.fields ?? []).map(({ key, default: value }) => [key, value ?? '']));
  return !isDeepStrictEqual(settingsOf(before, defaults), settingsOf(changed, defaults));
};

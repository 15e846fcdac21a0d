import { vocabulary } from '../../../src/api/resources';
import { reference } from '../../zapier/fields/mapping';
import type { Step } from '../../zapier/kinds';
import { asApp } from '../../zapier/zap/steps';

/** The values that a field of the app can have, by the last name of its path. */
const values: Readonly<Record<string, readonly string[]>> = {
  answer: ['yes', 'no', 'other'],
  channel: ['whatsapp', 'sms'],
  consent: vocabulary.consent,
  direction: vocabulary.direction,
  status: vocabulary.messageStatus,
};

/** The values that the data of a rule can have, if it's one field of the app. */
export const valuesOf = (steps: readonly Step[], value: string): readonly string[] => {
  const [only, ...others] = value.matchAll(reference);
  const step = asApp(steps[Number(only?.[1]) - 1]);
  if (!only || !step || others.length > 0 || only[0] !== value.trim()) return [];
  const name = only[2]?.split('.').at(-1) ?? '';
  if (name === 'status' && step.operation.includes('campaign')) return vocabulary.campaignStatus;
  return values[name] ?? [];
};

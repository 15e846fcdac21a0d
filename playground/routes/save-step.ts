import { isDeepStrictEqual } from 'node:util';
import type { FieldValue, Step, Zap } from '../zaps/zap';
import type { Posted } from './form';
import type { Parts } from './parts';
import { applyForm, findPlaceProblem } from './step-form';
import { readFields, type Shown } from './zap-pane';

const isEmpty = (value: FieldValue): boolean => Object.keys(value).length === 0;

/** What a trigger subscribes with: its operation and the fields that are filled in. An empty field has its default. */
const settingsOf = (step: Step, defaults: Record<string, string>): unknown => {
  if (step.type !== 'own') return undefined;
  const filled = Object.entries(step.values).filter(([, value]) => !isEmpty(value));
  return { place: step.place, values: { ...defaults, ...Object.fromEntries(filled) } };
};

const changesTrigger = async (parts: Parts, zap: Zap, index: number, changed: Step): Promise<boolean> => {
  const step = zap.steps[index];
  if (index > 0 || !zap.isOn || !step) return false;
  const { fields } = await readFields(parts, zap, index);
  const defaults = Object.fromEntries(fields.map(({ key, default: value }) => [key, value ?? '']));
  return !isDeepStrictEqual(settingsOf(step, defaults), settingsOf(changed, defaults));
};

/**
 * Puts the form into the Zap's step, and returns what to tell the person. A Zap whose trigger changes is turned off,
 * because its subscription is for the trigger as it was.
 */
export const saveStep = async (parts: Parts, zap: Zap, index: number, body: Posted): Promise<Shown> => {
  const step = zap.steps[index];
  if (!step) return {};
  const place = findPlaceProblem(body, index);
  if (place) return { problems: { place } };
  const changed = applyForm(step, body);
  const mustTurnOff = await changesTrigger(parts, zap, index, changed);
  const kept = mustTurnOff ? await parts.subscriptions.turnOff(zap) : undefined;
  zap.steps[index] = changed;
  parts.zaps.save(zap);
  if (!mustTurnOff) return {};
  return { error: ['The trigger changed, so the Zap is off. Turn it on again.', kept].filter(Boolean).join(' ') };
};

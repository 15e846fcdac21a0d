import { withOperation } from '../../zapier/editor/change-operation';
import { formVersion } from '../../zapier/editor/step-state';
import type { FieldValue } from '../../zapier/fields/form';
import { emptyRule } from '../../zapier/fields/rules';
import type { Entered } from '../../zapier/fields/values';
import { kindOf, newStep, type Step } from '../../zapier/kinds';
import { asApp, hasRules, operationOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Shown } from '../page/zap';
import { Refused, StepChanged } from '../service/refused';
import { definition } from '../service/zapier';
import { type Posted, readAll, readOne, readWholeNumber } from './form';
import type { Parts } from './parts';

const keysWith = (body: Posted, prefix: string): string[] =>
  Object.keys(body).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));

/** Throws `Refused` when one of two rows with the same name would be lost. */
const refuseRepeated = (names: readonly string[]): void => {
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated === '')
    throw new Refused('Two values have no name, so nothing was saved. Enter a name on the left of each.');
  if (repeated)
    throw new Refused(`Two rows have the name "${repeated.slice(0, 40)}", so nothing was saved. Rename one of them.`);
};

/** The entries of a dictionary. Throws `Refused` when two have the same name. */
const readPairs = (body: Posted, key: string): Record<string, string> => {
  const values = readAll(body, `v.${key}`);
  const pairs = readAll(body, `k.${key}`)
    .map((name, at): [string, string] => [name.trim(), values[at] ?? ''])
    .filter(([name, value]) => name !== '' || value !== '');
  refuseRepeated(pairs.map(([name]) => name));
  return Object.fromEntries(pairs);
};

/** The values of the fields that a form posts: `f.` one text, `l.` the items of a list, `k.` and `v.` a dictionary. */
const readValues = (body: Posted): Record<string, FieldValue> =>
  Object.fromEntries([
    ...keysWith(body, 'f.').map((key): [string, FieldValue] => [key, readOne(body, `f.${key}`) ?? '']),
    ...keysWith(body, 'l.').map((key): [string, FieldValue] => [key, readAll(body, `l.${key}`).filter(Boolean)]),
    ...keysWith(body, 'k.').map((key): [string, FieldValue] => [key, readPairs(body, key)]),
  ]);

/** Returns a sentence when a step can't have an operation, or undefined. */
const findOperationProblem = (chosen: string | undefined, index: number): string | undefined => {
  if (chosen === undefined) return undefined;
  const step = newStep(chosen, '');
  if (!asApp(step) && (index > 0 || !kindOf(step).tool)) return undefined;
  const operation = definition.find(chosen);
  if (!operation) return `There is no operation "${chosen.slice(0, 60)}". Choose one from the list.`;
  if ((operation.kind === 'triggers') === (index === 0)) return undefined;
  return `${operation.label} can't be step ${index + 1}. A Zap begins with its only trigger.`;
};

/** What a form posts for the fields of a step. A list of which nothing is checked posts nothing. */
const readEntered = (body: Posted): Entered => {
  return { ...Object.fromEntries(readAll(body, 'shown').map((key) => [key, []])), ...readValues(body) };
};

/** What a person chose in a dropdown. */
const readPicked = (body: Posted): { entered: Entered; labels: Record<string, string> } => {
  const key = readOne(body, 'pick');
  if (key === undefined) return { entered: {}, labels: {} };
  return { entered: { [key]: readOne(body, 'value') ?? '' }, labels: { [key]: readOne(body, 'label') ?? '' } };
};

const maxRules = 20;

/** Adds or removes a rule, if a button asks for that. */
const changeRules = (step: Step, body: Posted): Step => {
  if (!hasRules(step)) return step;
  const { rules } = step;
  const removed = readWholeNumber(readOne(body, 'remove-rule'), maxRules);
  if (removed !== undefined) return { ...step, rules: rules.toSpliced(removed, 1) };
  return 'add-rule' in body && rules.length < maxRules ? { ...step, rules: [...rules, emptyRule] } : step;
};

/** The step as the form has it, which may be about an operation that the step no longer has. */
export const applyForm = (step: Step, index: number, body: Posted): Step => {
  const [now, of] = [operationOf(step), readOne(body, 'fields-of') ?? operationOf(step)];
  const chosen = readOne(body, 'operation') ?? of;
  // An operation that the step has may be one that the app no longer has.
  const others = [of, chosen].filter((each) => each !== now);
  const problem = others.map((each) => findOperationProblem(each, index)).find((each) => each !== undefined);
  if (problem) throw new Refused(problem, 400);
  // The operation was chosen by a request before this one, which the form doesn't show yet.
  if (of !== now && chosen === now) return step;
  const shown = of === now ? step : withOperation(definition, step, of);
  const picked = readPicked(body);
  const posted = kindOf(shown).enter(shown, { ...readEntered(body), ...picked.entered }, picked.labels);
  const entered = changeRules(posted, body);
  return chosen === of ? entered : withOperation(definition, entered, chosen);
};

/** The version that the form shows, or that a person who keeps theirs wants to replace. */
const versionIn = (body: Posted): string | undefined => readOne(body, 'over') ?? readOne(body, 'version');

/**
 * Puts the form into the Zap's step, and returns what to tell the person. Throws `StepChanged` when another tab changed
 * the step since the form was shown.
 */
export const saveStep = (parts: Parts, zap: Zap, index: number, body: Posted): Shown => {
  const step = zap.steps[index];
  if (!step) return {};
  const operation = findOperationProblem(readOne(body, 'operation'), index);
  if (operation) return { problems: { operation } };
  const changed = applyForm(step, index, body);
  const [shown, now] = [versionIn(body), formVersion(step)];
  if (shown !== undefined && shown !== now && formVersion(changed) !== now)
    throw new StepChanged(readOne(body, 'version') ?? shown, { version: now, zap: zap.id, index });
  parts.zaps.change(zap, { steps: zap.steps.with(index, changed) });
  return {};
};

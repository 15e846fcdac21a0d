import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { withOperation } from '../../zapier/editor/change-operation';
import { type Fingerprints, mergeEntered } from '../../zapier/editor/merge';
import { changedRows, changeRecord, findConflict, type PostedRow } from '../../zapier/editor/record-rows';
import type { FieldValue } from '../../zapier/fields/form';
import { readRecord } from '../../zapier/fields/json-record';
import { emptyRule, type Rule } from '../../zapier/fields/rules';
import type { Entered } from '../../zapier/fields/values';
import { kindOf, newStep, type Step, stepAlone } from '../../zapier/kinds';
import { rulesFrom } from '../../zapier/kinds/by-rules';
import { asApp, hasRules, operationOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Shown } from '../page/zap';
import { otherAppsAt } from '../service/other-apps';
import { Refused } from '../service/refused';
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

/** Returns a sentence when the form chooses an operation that the step can't have, or undefined. */
const findOperationProblem = (body: Posted, index: number): string | undefined => {
  const chosen = readOne(body, 'operation');
  if (chosen === undefined) return undefined;
  const step = newStep(chosen, '');
  if (!asApp(step) && (index > 0 || !kindOf(step).tool)) return undefined;
  const operation = definition.find(chosen);
  if (!operation) return `There is no operation "${chosen.slice(0, 60)}". Choose one from the list.`;
  if ((operation.kind === 'triggers') === (index === 0)) return undefined;
  return `${operation.label} can't be step ${index + 1}. A Zap begins with its only trigger.`;
};

/** What the form showed when the person began to change it. A table says so for each of its rows. */
const readEarlier = (body: Posted): Fingerprints =>
  Object.fromEntries(
    keysWith(body, 'was.')
      .filter((key) => key !== 'json' || !(rowName in body))
      .map((key) => [key, readOne(body, `was.${key}`) ?? '']),
  );

/** Whether the step got another operation since the form was shown. */
const isForOther = (step: Step, body: Posted): boolean =>
  (readOne(body, 'fields-of') ?? operationOf(step)) !== operationOf(step);

/** What each row of a table posts. */
const rowName = 'record.row';

const shownRow = z.object({ path: z.optional(z.array(z.string())), was: z.optional(z.string()) });

const readShownRow = (text: string): z.output<typeof shownRow> => {
  const { record } = readRecord(text);
  const { success, data } = shownRow.safeParse(record);
  if (!success) throw new Refused('The table arrived incomplete, so nothing was saved. Reload the page.');
  return data;
};

const readRows = (body: Posted): PostedRow[] => {
  const [names, texts] = [readAll(body, 'record.name'), readAll(body, 'record.value')];
  return readAll(body, rowName).map((shown, at) => {
    const { path, was } = readShownRow(shown);
    return { path, was, name: names[at] ?? '', text: (texts[at] ?? '').replaceAll('\r\n', '\n') };
  });
};

/**
 * The JSON of another app with what its table changed, or undefined when nothing changed. Throws `Refused` when two rows
 * have the same name, and when another tab changed the same value.
 */
const readTable = (json: string, body: Posted): string | undefined => {
  const { record } = readRecord(json);
  const rows = changedRows(readRows(body));
  if (!record || rows.length === 0) return undefined;
  const conflict = findConflict(record, rows)?.name;
  if (conflict !== undefined)
    throw new Refused(`Another tab changed "${conflict.slice(0, 40)}" too, so nothing was saved. Reload the page.`);
  const entries = changeRecord(record, rows);
  refuseRepeated(entries.map(([name]) => name));
  const changed = Object.fromEntries(entries);
  return isDeepStrictEqual(changed, record) ? json : JSON.stringify(changed, null, 2);
};

/** What a form posts for the fields of a step. A list of which nothing is checked posts nothing. */
export const readEntered = (step: Step, body: Posted): Entered => {
  const json = rowName in body && readTable(String(kindOf(step).entered(step).json ?? ''), body);
  return {
    ...Object.fromEntries(readAll(body, 'shown').map((key) => [key, []])),
    ...readValues(body),
    ...(json && { json }),
  };
};

/** What a person chose in a dropdown, or what to take of two texts for a field. */
const readPicked = (body: Posted): { entered: Entered; labels: Record<string, string> } => {
  const key = readOne(body, 'pick');
  if (key === undefined) return { entered: {}, labels: {} };
  return { entered: { [key]: readOne(body, 'value') ?? '' }, labels: { [key]: readOne(body, 'label') ?? '' } };
};

const maxRules = 20;

/** Throws `Refused` when the form shows another rule in this place. */
const requireRule = (rule: Rule | undefined, at: number, body: Posted): void => {
  const shown = rulesFrom(readValues(body))[at];
  if (shown === undefined || isDeepStrictEqual(rule, shown)) return;
  throw new Refused('Another tab changed the rules, so no rule was removed. Reload the page.');
};

/** Adds or removes a rule, if a button asks for that. */
const changeRules = (step: Step, body: Posted): Step => {
  if (!hasRules(step)) return step;
  const { rules } = step;
  const removed = readWholeNumber(readOne(body, 'remove-rule'), maxRules);
  if (removed !== undefined) {
    requireRule(rules[removed], removed, body);
    return { ...step, rules: rules.toSpliced(removed, 1) };
  }
  return 'add-rule' in body && rules.length < maxRules ? { ...step, rules: [...rules, emptyRule] } : step;
};

/** The step as the ready example of another app that a button names. */
const withExample = (step: Step, index: number, body: Posted): Step => {
  const chosen = readWholeNumber(readOne(body, 'example'), otherAppsAt(index).length - 1);
  const example = chosen === undefined ? undefined : otherAppsAt(index)[chosen];
  if (!example) return step;
  const given = stepAlone.parse({ ...example, id: step.id });
  return { ...given, before: withOperation(definition, step, operationOf(given)).before };
};

/**
 * The step as the form has it, and what the form has for fields that another tab changed too. Throws `Refused` when
 * another tab chose another operation.
 */
export const applyForm = (step: Step, index: number, body: Posted): { changed: Step; conflicts: Entered } => {
  const problem = findOperationProblem(body, index);
  if (problem) throw new Refused(problem, 400);
  const chosen = readOne(body, 'operation') ?? operationOf(step);
  if (isForOther(step, body)) {
    // The page posts a form twice when its operation changes: the form saves itself, and the list loads the new form.
    if (chosen === operationOf(step)) return { changed: step, conflicts: {} };
    throw new Refused('Another tab chose another action for this step, so nothing was saved. Reload the page.');
  }
  const posted = readEntered(step, body);
  const { merged, conflicts } = mergeEntered(readEarlier(body), kindOf(step).entered(step), posted);
  const picked = readPicked(body);
  const entered = changeRules(kindOf(step).enter(step, { ...merged, ...picked.entered }, picked.labels), body);
  const changed = chosen === operationOf(step) ? entered : withOperation(definition, entered, chosen);
  return { changed, conflicts };
};

/** Whether the form shows the data of another app as JSON, or is about to. */
const isAsJson = (body: Posted): boolean => (readOne(body, 'as') ?? ('f.json' in body ? 'json' : 'table')) === 'json';

/** Puts the form into the Zap's step, and returns what to tell the person. */
export const saveStep = (parts: Parts, zap: Zap, index: number, body: Posted): Shown => {
  const step = zap.steps[index];
  if (!step) return {};
  const operation = findOperationProblem(body, index);
  if (operation) return { problems: { operation } };
  const { changed, conflicts } = applyForm(step, index, body);
  parts.zaps.change(zap, { steps: zap.steps.with(index, withExample(changed, index, body)) });
  return { asJson: isAsJson(body), ...(Object.keys(conflicts).length > 0 && { conflicts }) };
};

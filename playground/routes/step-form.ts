import { readWholeNumber } from '../read-whole-number';
import { Refused } from '../refused';
import { readExample } from '../zaps/example-json';
import { delayPlace, findOperation, otherPlace, placeOf } from '../zaps/operations';
import type { FieldValue, Step } from '../zaps/zap';
import { emptyStep } from '../zaps/zaps';
import { type Posted, readAll, readOne } from './form';

const keysWith = (body: Posted, prefix: string): string[] =>
  Object.keys(body).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));

/** The entries of a dictionary. Throws `Refused` when one of two rows with the same name would be lost. */
const readPairs = (body: Posted, key: string): Record<string, string> => {
  const values = readAll(body, `v.${key}`);
  const pairs = readAll(body, `k.${key}`)
    .map((name, at): [string, string] => [name.trim(), values[at] ?? ''])
    .filter(([name, value]) => name !== '' || value !== '');
  const names = pairs.map(([name]) => name);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated === '')
    throw new Refused('Two values have no name, so nothing was saved. Enter a name on the left of each.');
  if (repeated)
    throw new Refused(`Two rows have the name "${repeated.slice(0, 40)}", so nothing was saved. Rename one of them.`);
  return Object.fromEntries(pairs);
};

/** The values of the fields that a form posts: `f.` one text, `l.` the items of a list, `k.` and `v.` a dictionary. */
const readValues = (body: Posted): Record<string, FieldValue> =>
  Object.fromEntries([
    ...keysWith(body, 'f.').map((key): [string, FieldValue] => [key, readOne(body, `f.${key}`) ?? '']),
    ...keysWith(body, 'l.').map((key): [string, FieldValue] => [key, readAll(body, `l.${key}`).filter(Boolean)]),
    ...keysWith(body, 'k.').map((key): [string, FieldValue] => [key, readPairs(body, key)]),
  ]);

const newStep = (place: string, id: string): Step => {
  if (place === delayPlace) return { type: 'delay', id, hours: 1 };
  if (place !== otherPlace) return { ...emptyStep(place), id };
  const json = '{\n  "id": 1,\n  "phone": "+12025550123"\n}';
  return { type: 'other', id, app: 'Another app', event: 'New Record', fields: {}, json };
};

/** Zapier's longest delay. */
const maxDelayHours = 31 * 24;

const splitEvent = (name: string): { app: string; event: string } => {
  const at = name.indexOf(':');
  return at < 0 ? { app: name, event: 'New Record' } : { app: name.slice(0, at), event: name.slice(at + 1).trim() };
};

/** Returns a sentence when the form chooses an operation that the step can't have, or undefined. */
export const findPlaceProblem = (body: Posted, index: number): string | undefined => {
  const place = readOne(body, 'place');
  if (place === undefined || place === otherPlace || (place === delayPlace && index > 0)) return undefined;
  const operation = findOperation(place);
  if (!operation) return `There is no operation "${place.slice(0, 60)}". Choose one from the list.`;
  if ((operation.kind === 'triggers') === (index === 0)) return undefined;
  return `${operation.label} can't be step ${index + 1}. A Zap begins with its only trigger.`;
};

/** The step as the form has it. Another operation begins with an empty form. */
export const applyForm = (step: Step, body: Posted): Step => {
  const place = readOne(body, 'place');
  const current = placeOf(step);
  if (place !== undefined && place !== current) return newStep(place, step.id);
  // The page posts a form twice when its operation changes: the form saves itself, and the list loads the new form.
  if ((readOne(body, 'fields-of') ?? current) !== current) return step;
  if (step.type === 'other') {
    const { app, event } = splitEvent(readOne(body, 'event') ?? `${step.app}: ${step.event}`);
    const fields = 'k.fields' in body ? readPairs(body, 'fields') : step.fields;
    return { ...step, app, event, fields, json: readOne(body, 'json') ?? step.json };
  }
  if (step.type === 'delay')
    return { ...step, hours: readWholeNumber(readOne(body, 'hours'), maxDelayHours) || step.hours };
  const shown = new Set(readAll(body, 'shown'));
  // A field that the form couldn't show, such as a variable of a template that couldn't be read, keeps its value.
  const kept = Object.entries(step.values).filter(([key]) => !shown.has(key));
  const values = { ...Object.fromEntries(kept), ...readValues(body) };
  const picked = readOne(body, 'pick');
  const labels = { ...step.labels };
  for (const key of Object.keys(labels)) if (values[key] !== step.values[key]) delete labels[key];
  if (picked !== undefined) {
    values[picked] = readOne(body, 'value') ?? '';
    labels[picked] = readOne(body, 'label') ?? '';
  }
  return { ...step, values, labels };
};

/** What is wrong with the JSON of another app's step, by the name of its field. */
export const findJsonProblems = (step: Step): Record<string, string> => {
  const json = step.type === 'other' ? readExample(step.json).problem : undefined;
  return json ? { json } : {};
};

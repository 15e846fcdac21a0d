import { isDeepStrictEqual } from 'node:util';
import { describeValue, type Field, type FieldValue, isEmpty } from '../fields/form';
import { isMapped, textsOf } from '../fields/mapping';
import type { MappedValue } from '../fields/references';
import { changeValue, type Entered, mapEntries, type Problems } from '../fields/values';

/** Where a step keeps the values of its fields. */
interface Valued<S> {
  fields(step: S): readonly Field[];
  values(step: S): Entered;
  withValues<T extends S>(step: T, values: Entered): T;
  /** What a dropdown calls the value of a field. */
  chosen?(step: S, key: string): string | undefined;
}

const isNotNumber = ({ type }: Field, value: FieldValue): boolean =>
  (type === 'integer' || type === 'number') &&
  textsOf(value).some((text) => text.trim() !== '' && !isMapped(text) && !Number.isFinite(Number(text)));

/** A text that somebody entered, and that isn't in the list of the field by its value or its name. */
const findUnlisted = ({ options }: Field, value: FieldValue): string | undefined => {
  const names = options?.flatMap((option) => [option.value, option.label]).map((name) => name.toLowerCase());
  return textsOf(value).find(
    (text) => names && text.trim() !== '' && !isMapped(text) && !names.includes(text.trim().toLowerCase()),
  );
};

const findProblem = (field: Field, value: FieldValue): string | undefined => {
  const { label, required, type } = field;
  if (isNotNumber(field, value)) return `${label} must be a number, not "${textsOf(value).join(', ').slice(0, 40)}".`;
  const unlisted = findUnlisted(field, value);
  if (unlisted !== undefined)
    return `${label}: "${unlisted.slice(0, 40)}" isn't in the list. Choose one from the list.`;
  return required && type !== 'copy' && isEmpty(value) ? `${label} is empty. Fill it in and try again.` : undefined;
};

/** The values that a form posts. Empties the fields that depend on one with another value, unless they have another as well. */
const replaceValues = (fields: readonly Field[], before: Entered, entered: Entered): Entered => {
  const isChanged = (key: string) => key in entered && !isDeepStrictEqual(entered[key], before[key] ?? '');
  const isReplaced = (key: string) => isChanged(key) && !isEmpty(before[key] ?? '');
  const stale = fields.filter(({ key, dependsOn = [] }) => !isChanged(key) && dependsOn.some(isReplaced));
  return { ...before, ...entered, ...Object.fromEntries(stale.map(({ key }) => [key, ''])) };
};

/** How a step whose form is a list of fields shows, takes over and maps their values. */
export const byFields = <S>({ fields, values, withValues, chosen = () => undefined }: Valued<S>) => ({
  entered: (step: S): Entered => ({
    ...values(step),
    ...Object.fromEntries(fields(step).map(({ key, default: preset }) => [key, values(step)[key] ?? preset ?? ''])),
  }),
  enter: <T extends S>(step: T, entered: Entered): T =>
    withValues(step, replaceValues(fields(step), values(step), entered)),
  mapped: (step: S): MappedValue[] =>
    Object.entries(values(step)).map(([key, value]) => {
      const field = fields(step).find((each) => each.key === key);
      return { key: field?.key, name: field?.label ?? `The field ${key}`, value };
    }),
  remap: <T extends S>(step: T, change: (text: string) => string): T =>
    withValues(
      step,
      mapEntries(values(step), (value) => changeValue(value, change)),
    ),
  unfilled: (step: S): Problems =>
    Object.fromEntries(
      fields(step).flatMap((field) => {
        const problem = findProblem(field, values(step)[field.key] ?? '');
        return problem === undefined ? [] : [[field.key, problem]];
      }),
    ),
  guide: (step: S, show: (text: string) => string): [label: string, text: string][] =>
    fields(step).flatMap(({ key, label, type, required, options, default: preset = '' }): [string, string][] => {
      const value = values(step)[key] ?? preset;
      if (type === 'copy') return [];
      if (isEmpty(value)) return required ? [[label, '(fill this in)']] : [];
      const name = chosen(step, key) ?? options?.find((option) => option.value === value)?.label;
      return [[label, isMapped(value) || !name ? show(describeValue(value)) : name]];
    }),
});

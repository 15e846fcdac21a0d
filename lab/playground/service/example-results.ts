import { asPersonIn } from './people';

/** A number that tells one record from the next. The year of a date is none. */
const numbers = /(?<!\d)\d{4,15}(?!\d|-\d\d)/g;

/** How far the number of a run is at most from that of an example. */
const maxDistance = 1000;

const isOfSeries = (one: string, other: string): boolean =>
  one.length === other.length && one !== other && Math.abs(Number(one) - Number(other)) <= maxDistance;

const like = (text: string, given: readonly string[]): string => {
  const own = given.flatMap((each) => each.match(numbers) ?? []);
  const numbered = text.replace(numbers, (number) =>
    own.includes(number) ? number : (own.find((each) => isOfSeries(each, number)) ?? number),
  );
  return asPersonIn(numbered, given);
};

const change = (value: unknown, given: readonly string[]): unknown => {
  if (typeof value === 'string') return like(value, given);
  if (typeof value === 'number') return Number(like(`${value}`, given));
  if (Array.isArray(value)) return value.map((item) => change(item, given));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, given)]));
};

/** What an action of another app gives for these fields: its example, with the number and the name that the fields have. */
export const resultFor = (example: object, fields: Readonly<Record<string, string>>): object =>
  Object(change(example, Object.values(fields)));

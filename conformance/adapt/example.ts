/** Bodies that fit a JSON schema of an OpenAPI file. */
import { fieldsOf } from '../../src/api/object';
import type { JsonSchema } from './operations';

/** Deeper values are left out, because a schema may hold itself. */
const maxDepth = 6;

/** How many bodies show every word of a list, and every form of a value. */
export const turns = 12;

/** The number of values in one body. A schema that holds itself several times would have millions. */
const maxValues = 1000;

/** The texts of formats. */
const texts: Readonly<Record<string, string>> = {
  'date-time': '2026-06-11T09:40:12Z',
  date: '2026-06-11',
  uri: 'https://api.example.com/',
  email: 'noor.visser@example.com',
};

/** The text of a field whose form the file doesn't tell. Everywhere else it would be a phone number. */
export const unknownText = '+12025550123';

/** The names of times, whose format files often leave out. */
const timeName = /(_at|At|_time|Time)$/;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The joined schemas by turn. A schema that is part of itself adds nothing to itself. */
const flattened = Array.from({ length: turns }, () => new WeakMap<JsonSchema, JsonSchema>());

/** Joins the parts of `allOf` with one choice of `oneOf` and `anyOf` that isn't null, by the turn. */
const flatten = (schema: JsonSchema, turn: number): JsonSchema => {
  const known = flattened[turn]?.get(schema);
  if (known) return known;
  flattened[turn]?.set(schema, {});
  const joined = join(schema, turn);
  flattened[turn]?.set(schema, joined);
  return joined;
};

const join = (schema: JsonSchema, turn: number): JsonSchema => {
  const parts = listOf(schema.allOf).map((part) => flatten(fieldsOf(part), turn));
  const choices = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
    .map(fieldsOf)
    .filter(({ type }) => type !== 'null');
  const choice = choices[turn % choices.length];
  const all = [...parts, ...(choice ? [flatten(choice, turn)] : []), schema];
  const properties = Object.assign({}, ...all.map((part) => fieldsOf(part.properties)));
  return { ...Object.assign({}, ...all), ...(Object.keys(properties).length > 0 && { properties }) };
};

/** Returns the properties of an object by name, in each of its forms. */
export const propertiesOf = (schema: JsonSchema | undefined): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...Array.from({ length: turns }, (_, turn) => fieldsOf(flatten(schema ?? {}, turn).properties)));

const typeOf = ({ type, properties, items }: JsonSchema): unknown => {
  const [first] = listOf(type).filter((each) => each !== 'null');
  return first ?? (typeof type === 'string' ? type : undefined) ?? (properties ? 'object' : items ? 'array' : 'string');
};

/** What is left of the values that a body may have. */
interface Budget {
  values: number;
}

const bodyOf = (schema: JsonSchema, turn: number, name: string, depth: number, budget: Budget): unknown => {
  budget.values -= 1;
  const flat = flatten(schema, turn);
  const words = [...listOf(flat.enum), ...listOf(flat['x-extensible-enum'])].filter((word) => word !== null);
  if (words.length > 0) return words[turn % words.length];
  const type = typeOf(flat);
  const isFull = depth >= maxDepth || budget.values <= 0;
  const inner = (each: unknown, key: string) => bodyOf(fieldsOf(each), turn, key, depth + 1, budget);
  if (type === 'object') {
    const properties = isFull ? [] : Object.entries(fieldsOf(flat.properties));
    return Object.fromEntries(properties.map(([key, each]) => [key, inner(each, key)]));
  }
  if (type === 'array') return isFull ? [] : [inner(flat.items, name)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  const format = flat.format ?? (timeName.test(name) ? 'date-time' : undefined);
  return texts[String(format)] ?? unknownText;
};

/**
 * Returns a body that fits a schema. `turn` chooses among words and forms, so that several turns show all.
 * A time is in the form that the file names, and nothing is null.
 */
export const exampleOf = (schema: JsonSchema, turn: number): unknown =>
  bodyOf(schema, turn, '', 0, { values: maxValues });

/** A value of a record as a row of a table. */
export interface Row {
  /** The names that lead to it, of which a list has numbers. Undefined for a row that somebody added. */
  path: readonly string[] | undefined;
  /** Of a nested value, all names with dots between them. */
  name: string;
  text: string;
}

/** A row as a table shows it. */
export interface ShownRow extends Row {
  /** Whether it's a list or a record without values, which takes no text. */
  isGroup: boolean;
}

const maxRows = 100;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const hasValues = (value: unknown): value is object => isContainer(value) && Object.keys(value).length > 0;

const toText = (value: unknown): string => (isContainer(value) ? '' : String(value ?? ''));

/** The text as a browser posts it from a field that shows it. */
const asPosted = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').toWellFormed();

/** The name as a browser posts it. */
const nameAsPosted = (name: string): string => asPosted(name).replaceAll('\n', '');

function* walk(value: unknown, path: readonly string[]): Generator<ShownRow> {
  if (!hasValues(value)) {
    yield { path, name: path.join('.'), text: toText(value), isGroup: isContainer(value) };
    return;
  }
  for (const [name, item] of Object.entries(value)) yield* walk(item, [...path, name]);
}

/** The first values of a record as rows, and whether it has more. */
export const rowsOf = (record: object): { rows: ShownRow[]; hasMore: boolean } => {
  const rows: ShownRow[] = [];
  if (!hasValues(record)) return { rows, hasMore: false };
  for (const row of walk(record, [])) {
    if (rows.length === maxRows) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
};

/** What a text stands for in place of a value: a number stays a number. What shows the same text stays as it is. */
const readText = (before: unknown, text: string): unknown => {
  if (isContainer(before) || asPosted(toText(before)) === asPosted(text)) return before;
  if (typeof before === 'number' && String(Number(text)) === text) return Number(text);
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/** A value with another text at a path in it. */
const changeAt = (value: unknown, [name, ...rest]: readonly string[], text: string): unknown => {
  if (name === undefined) return readText(value, text);
  if (!isContainer(value) || !Object.hasOwn(value, name)) return value;
  if (Array.isArray(value)) return value.with(Number(name), changeAt(value[Number(name)], rest, text));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, key === name ? changeAt(item, rest, text) : item]));
};

/** Whether another text was entered for a value inside of another. */
const isChanged = (record: object, { path = [], text }: Row): boolean => {
  const value = path.reduce<unknown>((at, name) => (isContainer(at) ? Reflect.get(at, name) : undefined), record);
  return value !== undefined && readText(value, text) !== value;
};

const isBlank = ({ name, text }: Row): boolean => name === '' && text === '';

/** Whether a row was emptied, in one or two steps. The name of a value may be empty. */
const isRemoved = (key: string, value: unknown, row: Row): boolean =>
  isBlank(row) && (key !== '' || toText(value) !== '');

const isUnfilled = (value: unknown): boolean => !isContainer(value) && toText(value) === '';

/**
 * The name that a row has in the record. A request before it may have renamed it. A row that was just added has no path, and is
 * there when its name was saved before its value.
 */
const keyOf = (record: object, { path, name }: Row): string | undefined => {
  if (!path) return Object.hasOwn(record, name) && isUnfilled(Reflect.get(record, name)) ? name : undefined;
  return [path[0], name].find((key) => key !== undefined && Object.hasOwn(record, key));
};

const isNested = ({ path = [] }: Row): boolean => path.length > 1;

/** The name that a row gives a value. One that a browser can't show stays as it is. */
const renamed = (key: string, { name }: Row): string => (nameAsPosted(key) === nameAsPosted(name) ? key : name);

/**
 * The names and values of a record after a table with these rows changed it. A row without name and text is removed, and
 * one without path is added. What has no row stays as it is.
 */
export const changeRecord = (record: object, rows: readonly Row[]): [name: string, value: unknown][] => {
  const nested = rows.filter((row) => isNested(row) && isChanged(record, row));
  const own = rows.filter((row) => !isNested(row));
  const byKey = new Map(own.map((row) => [keyOf(record, row), row]));
  const change = (key: string, value: unknown): [string, unknown][] => {
    const row = byKey.get(key);
    if (row) return isRemoved(key, value, row) ? [] : [[renamed(key, row), readText(value, row.text)]];
    const inside = nested.filter(({ path = [] }) => path[0] === key);
    return [[key, inside.reduce((at, { path = [], text }) => changeAt(at, path.slice(1), text), value)]];
  };
  const added = own.filter((row) => keyOf(record, row) === undefined && !isBlank(row));
  return [
    ...Object.entries(record).flatMap(([key, value]) => change(key, value)),
    ...added.map(({ name, text }): [string, unknown] => [name, text]),
  ];
};

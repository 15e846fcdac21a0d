/** A value of a record as a row of a table. */
export interface Row {
  /** The names that lead to it, of which a list has numbers. */
  path: readonly string[];
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

/** The names and values of a record with the texts of these rows. What has no row stays as it is. */
export const changeRecord = (record: object, rows: readonly Row[]): [name: string, value: unknown][] =>
  Object.entries(record).map(([key, value]) => {
    const own = rows.filter(({ path }) => path[0] === key);
    return [key, own.reduce((at, { path, text }) => changeAt(at, path.slice(1), text), value)];
  });

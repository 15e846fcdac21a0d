import fc from 'fast-check';
import * as z from 'zod/mini';
import { changeRecord, type Row, rowsOf } from '../../zapier/editor/record-rows';

const order = {
  id: 5123,
  'a.b': 'dot',
  customer: { name: 'Noor', tags: [], address: { city: 'Utrecht' } },
  items: [{ title: 'Box' }, { title: 'Bag' }],
  gift: false,
  note: null,
};

/** The record after its table has other names or texts, by the name of the row. */
const change = (record: object, changes: Record<string, Partial<Row>>, added: readonly Row[] = []) => {
  const rows = rowsOf(record).rows.map((row) => ({ ...row, ...changes[row.name] }));
  return Object.fromEntries(changeRecord(record, [...rows, ...added]));
};

const asBrowserPosts = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').toWellFormed();
const inOneLine = (name: string) => asBrowserPosts(name).replaceAll('\n', '');

test('a table that nobody changed keeps every value, its type, and the order of names', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (given) => {
      const record = z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(given)));
      const rows = rowsOf(record).rows.map((row) => ({
        ...row,
        name: inOneLine(row.name),
        text: asBrowserPosts(row.text),
      }));
      expect(JSON.stringify(Object.fromEntries(changeRecord(record, rows)))).toBe(JSON.stringify(record));
    }),
  );
});

test('values inside of others have all names with dots between them', () => {
  expect(rowsOf(order).rows.map(({ name, text }) => [name, text])).toEqual([
    ['id', '5123'],
    ['a.b', 'dot'],
    ['customer.name', 'Noor'],
    ['customer.tags', ''],
    ['customer.address.city', 'Utrecht'],
    ['items.0.title', 'Box'],
    ['items.1.title', 'Bag'],
    ['gift', 'false'],
    ['note', ''],
  ]);
});

test('another text changes one value, and numbers and booleans keep their type', () => {
  const changed = change(order, {
    id: { text: '12.5' },
    'a.b': { text: '7' },
    'customer.address.city': { text: 'Delft' },
    'items.1.title': { text: 'Letter' },
    gift: { text: 'true' },
    note: { text: 'Ring twice' },
  });
  expect(changed).toEqual({
    id: 12.5,
    'a.b': '7',
    customer: { name: 'Noor', tags: [], address: { city: 'Delft' } },
    items: [{ title: 'Box' }, { title: 'Letter' }],
    gift: true,
    note: 'Ring twice',
  });
  expect(change(order, { id: { text: 'five' }, gift: { text: 'yes' } })).toMatchObject({ id: 'five', gift: 'yes' });
});

test('a row is renamed in its place, removed without name and text, and added at the end', () => {
  const added = { path: undefined, name: 'c.d', text: '1' };
  const changed = change(order, { 'a.b': { name: 'x.y' }, id: { name: '', text: '' } }, [added]);
  expect(Object.keys(changed)).toEqual(['x.y', 'customer', 'items', 'gift', 'note', 'c.d']);
  expect(changed).toMatchObject({ 'x.y': 'dot', 'c.d': '1' });
});

test('a row of a value that was renamed or removed meanwhile changes what has its new name, or nothing', () => {
  const renamed = { path: ['old'], name: 'gift', text: 'true' };
  const gone = { path: ['customer', 'age', 'years'], name: 'customer.age.years', text: '7' };
  expect(Object.fromEntries(changeRecord(order, [renamed, gone]))).toEqual({ ...order, gift: true });
});

test('a name that JavaScript uses itself is a name like any other', () => {
  const record = z.record(z.string(), z.unknown()).parse(JSON.parse('{"a": {"__proto__": "x", "b": "y"}}'));
  expect(JSON.stringify(change(record, { 'a.__proto__': { text: 'z' } }))).toBe('{"a":{"__proto__":"z","b":"y"}}');
});

test('a large record shows its first 100 values, and the others stay as they are', () => {
  const large = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`name ${at}`, at]));
  expect(rowsOf(large)).toMatchObject({ rows: { length: 100 }, hasMore: true });
  expect(change(large, { 'name 3': { text: '33' } })).toEqual({ ...large, 'name 3': 33 });
});

test.each(['+12025550123', '0007', '12345678901234567890', '1e5', ' 7', ''])(
  'a number that becomes "%s" is a text, because as a number it would look different',
  (text) => {
    expect(change({ id: 5 }, { id: { text } })).toEqual({ id: text });
  },
);

test('a new row with the name of a value does not take its place', () => {
  const named = { path: undefined, name: 'a', text: '' };
  const rows = [...rowsOf({ a: 'one' }).rows, named];
  expect(changeRecord({ a: 'one' }, rows)).toEqual([
    ['a', 'one'],
    ['a', ''],
  ]);
  expect(changeRecord({ a: '' }, [{ ...named, text: 'one' }])).toEqual([['a', 'one']]);
  expect(changeRecord({ a: { b: 1 } }, [{ ...named, text: 'one' }])).toEqual([
    ['a', { b: 1 }],
    ['a', 'one'],
  ]);
});

import fc from 'fast-check';
import { defineInputFields, type InputField } from 'zapier-platform-core';
import { readField, readInput } from '../../src/forms/input';
import app from '../../src/index';

const fields = defineInputFields([
  { key: 'name', label: 'Name' },
  { key: 'tags', label: 'Tags', list: true },
  { key: 'phrases', label: 'Phrases', list: true, type: 'text' },
  { key: 'facts', label: 'Facts', dict: true },
  { key: 'count', label: 'Count', type: 'integer' },
]);

const nothing = { name: undefined, tags: [], phrases: [], facts: {}, count: undefined };

test.each([undefined, null, '', '  \n', '\u00a0', '\u200b\u2060\ufeff', '\u0000', [], [''], {}, [null, ' ']])(
  'reads %j as nothing in every kind of field',
  (blank) => {
    const data = Object.fromEntries(fields.map(({ key }) => [key, blank]));
    expect(readInput(fields, data)).toEqual(nothing);
  },
);

test('reads numbers, yes and no, and several values mapped into a text field as text', () => {
  expect(readInput(fields, { name: 42 }).name).toBe('42');
  expect(readInput(fields, { name: false }).name).toBe('false');
  expect(readInput(fields, { name: 'half of an emoji: \ud83d' }).name).toBe('half of an emoji: \ufffd');
  expect(readInput(fields, { name: ['a', ' b ', null] }).name).toBe('a, b');
});

test('reads a list from a list, one value, or text with commas, but keeps the commas of prose', () => {
  for (const tags of [['a', 'b'], 'a,b', ['a, b'], 'a, ,b'])
    expect(readInput(fields, { tags }).tags).toEqual(['a', 'b']);
  expect(readInput(fields, { tags: 7 }).tags).toEqual(['7']);
  expect(readInput(fields, { tags: ['a', 'b', 'a'] }).tags).toEqual(['a', 'b']);
  expect(readInput(fields, { phrases: 'yes, please' }).phrases).toEqual(['yes, please']);
});

test('reads a dictionary without names or values that are blank', () => {
  const facts = { ' a ': ' 1 ', b: '', '': 'x', ' \n': 'x', '\u00a0': 'x', c: null, d: 2, e: ['x', 'y'] };
  expect(readInput(fields, { facts }).facts).toEqual({ a: '1', d: '2', e: 'x, y' });
});

test('halts by the label of a dictionary that has a name twice', () => {
  expect(() => readInput(fields, { facts: { size: 'S', ' size': 'M' } })).toThrow(
    'Facts: "size" has two values. Remove one of them.',
  );
  expect(readInput(fields, { facts: { size: 'S', ' size': '' } }).facts).toEqual({ size: 'S' });
});

test('halts by the label of a field that is required and empty, or no whole number', () => {
  const required = defineInputFields([{ key: 'to', label: 'Phone Number', required: true }]);
  expect(() => readInput(required, {})).toThrow(
    'Phone Number is empty. Fill it in, or check the earlier step that its value comes from.',
  );
  for (const count of ['1.5', '1'.repeat(16)]) {
    expect(() => readInput(fields, { count })).toThrow(`Count: "${count}" isn't a whole number.`);
  }
});

test('takes a list that is 30,000 deep for no text, in no time', () => {
  const deep = Array.from({ length: 30_000 }).reduce<unknown>((inner) => [inner], 'x');
  for (const key of ['name', 'tags', 'count']) expect(() => readInput(fields, { [key]: deep })).toThrow(/^\w+: /);
});

test.each([
  ['name', { deep: 1 }],
  ['tags', [{ deep: 1 }]],
  ['tags', [[{ deep: 1 }]]],
  ['tags', [[[[[[[[[[[[['too deep']]]]]]]]]]]]]],
  ['facts', 'a=b'],
  ['facts', [{ key: 'a', value: 'b' }]],
  ['facts', ['a', 'b']],
  ['facts', { a: { deep: 1 } }],
  ['facts', 5],
  ['facts', true],
  ['count', { deep: 1 }],
])('does not take for empty what it cannot read: %s of %j', (key, value) => {
  expect(() => readInput(fields, { [key]: value })).toThrow(
    /: (this is a group of values\. Map one value from it instead|this isn't a set of names with one value each\. .+)\.$/,
  );
});

test('gives what the fields promise or a sentence, whatever is mapped', () => {
  const anything = fc.record({ name: fc.anything(), tags: fc.anything(), facts: fc.anything(), count: fc.anything() });
  fc.assert(
    fc.property(anything, (data) => {
      try {
        const { name, tags, facts, count } = readInput(fields, data);
        expect(typeof (name ?? '')).toBe('string');
        expect([...(tags ?? []), ...Object.values(facts ?? {})].every((item) => typeof item === 'string')).toBe(true);
        expect(Number.isInteger(count ?? 0)).toBe(true);
      } catch (error) {
        expect(String(error)).toMatch(/^HaltedError: (Count: .+ isn't a whole number|\w+: this is)/s);
      }
    }),
  );
});

/** Every field of the app for one record, by its step. */
const fieldsForOne = [app.triggers, app.creates, app.searches].flatMap((group) =>
  Object.values(group ?? {}).flatMap(({ key, operation }) =>
    (operation.inputFields ?? []).flatMap((field: InputField) =>
      typeof field === 'object' && 'resource' in field ? [[key, field.label, field] as const] : [],
    ),
  ),
);

test('the app has fields for one record', () => {
  expect(fieldsForOne.length).toBeGreaterThan(15);
});

test.each(fieldsForOne)('%s takes only one record in %s', (_step, label, field) => {
  const onlyOne = `${label}: "con_1, con_2" is more than one. Enter only one.`;
  expect(() => readField(field, ['con_1', 'con_2'])).toThrow(onlyOne);
  expect(readField(field, ['con_1'])).toBe('con_1');
  // A template's name may have a comma.
  if (field.resource === 'template') expect(readField(field, 'con_1, con_2')).toBe('con_1, con_2');
  else expect(() => readField(field, 'con_1, con_2')).toThrow(onlyOne);
});

import * as z from 'zod/mini';
import { itemOf } from '../../src/api/schema';
import {
  closedEnum,
  fromWire,
  mapValues,
  nameOnWire,
  openEnum,
  renamed,
  toWire,
  wordsOnWire,
} from '../../src/api/wire';

const text = z.string();
const colours = ['red', 'blue'] as const;
mapValues(colours, { red: 'rouge' });

const schema = z.looseObject({
  id: text,
  note: z.optional(renamed('remark', z.nullable(text))),
  colour: renamed('tint', z.optional(openEnum(colours))),
  others: z.optional(z.array(openEnum(colours))),
  owner: renamed('keeper', z.looseObject({ name: renamed('title', text) })),
});

const ours = { id: '1', note: 'new', colour: 'red', others: ['blue', 'red'], owner: { name: 'Noor' } };
const theirs = { id: '1', remark: 'new', tint: 'rouge', others: ['blue', 'rouge'], keeper: { title: 'Noor' } };

test('what the service sent is given in our names and words, and the other way round', () => {
  expect(fromWire(schema, theirs)).toEqual(ours);
  expect(toWire(schema, ours)).toEqual(theirs);
});

test('every record of a list is translated', () => {
  expect(fromWire(z.array(schema), [theirs, theirs])).toEqual([ours, ours]);
});

test('what the schema does not know stays as it is', () => {
  expect(fromWire(schema, { ...theirs, size: 7, others: ['green'] })).toEqual({ ...ours, size: 7, others: ['green'] });
});

test('a field of the service that happens to have our name for another one is not taken for it', () => {
  expect(fromWire(schema, { colour: 'something else', id: '1' })).toEqual({ id: '1' });
});

test.each([null, undefined, 7, 'rouge', [], [1], { id: null }])(
  '%j is not an object of the schema and stays',
  (value) => {
    expect(fromWire(schema, value)).toEqual(value);
  },
);

test('a name is given to one field and not to those that share its schema', () => {
  const [named, other] = [renamed('remark', text), text];
  expect([nameOnWire('note', named), nameOnWire('note', other)]).toEqual(['remark', 'note']);
});

test('the words of a text are told as the service writes them', () => {
  expect(wordsOnWire(z.optional(z.array(openEnum(colours))))).toEqual(['rouge', 'blue']);
  expect(wordsOnWire(closedEnum(colours))).toEqual(['rouge', 'blue']);
  expect(wordsOnWire(text)).toBeUndefined();
});

test('a word takes any text, a choice only its own', () => {
  expect(openEnum(colours).parse('green')).toBe('green');
  expect(closedEnum(colours).safeParse('green').success).toBe(false);
});

test('the schema of a value is found in all that stands around it', () => {
  expect(itemOf(z.optional(z.nullable(z.array(z.optional(text)))))).toBe(text);
});

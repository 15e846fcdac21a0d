import * as z from 'zod/mini';
import { misplaced } from '../../src/api/effects';
import { itemOf } from '../../src/api/schema';
import { fromWire, readShape, toWire } from '../../src/api/translate';
import {
  closedEnum,
  kindOf,
  mapValues,
  missing,
  nameOnWire,
  openEnum,
  renamed,
  shaped,
  textOf,
  wordsOnWire,
} from '../../src/api/wire';

// As on Zapier, where the contract is translated.
delete process.env.CONTRACT;

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

test('a renamed field keeps its words and its kind', () => {
  expect(wordsOnWire(renamed('tint', openEnum(colours)))).toEqual(['rouge', 'blue']);
  expect(fromWire(z.looseObject({ colour: renamed('tint', openEnum(colours)) }), { tint: 'rouge' })).toEqual({
    colour: 'red',
  });
  expect(kindOf(renamed('at', textOf('time')))).toBe('time');
});

describe('a value in another form', () => {
  const seconds = shaped(text, {
    theirs: z.number(),
    fromWire: (value) => new Date(value * 1000).toISOString(),
    toWire: (time) => Date.parse(time) / 1000,
  });
  const list = shaped(z.looseObject({ data: renamed('items', z.array(schema)), cursor: z.nullish(text) }), {
    theirs: z.object({ items: z.array(z.unknown()), page: z.number() }),
    fromWire: ({ items, page }, { query }) => ({ items, cursor: `${page + Number(query.step)}` }),
    toWire: ({ items, cursor }, { query }) => ({ items, page: Number(cursor) - Number(query.step) }),
  });
  const sent = { query: { step: '2' }, body: {} };

  test('is read and written, within what makes it optional and in lists', () => {
    const times = z.looseObject({ at: z.nullish(seconds), all: z.array(seconds) });
    const [read, written] = [
      { at: '2026-06-11T09:40:12.000Z', all: ['1970-01-01T00:00:00.000Z'] },
      { at: 1781170812, all: [0] },
    ];
    expect(fromWire(times, written)).toEqual(read);
    expect(toWire(times, read)).toEqual(written);
  });

  test('has the names, words and forms of the service inside, and sees the request', () => {
    expect(fromWire(list, { items: [theirs], page: 1 }, sent)).toEqual({ data: [ours], cursor: '3' });
    expect(toWire(list, { data: [ours], cursor: '3' }, sent)).toEqual({ items: [theirs], page: 1 });
  });

  test('in two forms is read from the outside in', () => {
    const enveloped = shaped(list, {
      theirs: z.object({ list: z.unknown() }),
      fromWire: (value) => value.list,
      toWire: (value) => ({ list: value }),
    });
    expect(fromWire(enveloped, { list: { items: [], page: 1 } }, sent)).toEqual({ data: [], cursor: '3' });
    expect(toWire(enveloped, { data: [], cursor: '3' }, sent)).toEqual({ list: { items: [], page: 1 } });
  });

  test.each([null, undefined, 'soon', { page: 'first' }, []])(
    'stays when it is %j, which is in no known form',
    (value) => {
      expect(fromWire(seconds, value)).toEqual(value);
      expect(readShape(list, value)).toEqual(value);
    },
  );

  test('may be several values', () => {
    const batch = shaped(z.looseObject({ note: renamed('remark', text) }), {
      theirs: z.object({ events: z.array(z.unknown()) }),
      fromWire: ({ events }) => events,
      toWire: (single) => ({ events: [single] }),
    });
    expect(fromWire(batch, { events: [{ remark: 'a' }, { remark: 'b' }] })).toEqual([{ note: 'a' }, { note: 'b' }]);
  });
});

describe('what is declared where nothing looks is told', () => {
  const form = { theirs: z.number(), fromWire: String, toWire: Number };
  const record = z.looseObject({
    note: z.optional(renamed('hint', text)),
    labels: z.array(renamed('label', text)),
    sizes: z.array(shaped(text, form)),
    weight: missing(renamed('mass', text)),
    lines: z.array(missing(text)),
    both: z.nullish(renamed('all', shaped(text, form))),
  });
  const nowhere = shaped(text, { ...form, theirs: z.looseObject({ a: renamed('inside', text) }) });
  const told = misplaced([schema, record]);
  const withForm = misplaced([schema, record, nowhere]);
  const advice = 'Put it around the whole schema of a field or a query parameter.';

  test('inside a field', () => {
    expect(told).toContain(`wire.renamed('label', …) has no effect inside \`labels\`. ${advice}`);
    expect(told).toContain(`wire.missing(…) has no effect inside \`lines\`. ${advice}`);
    expect(told.filter((each) => each.includes(' inside '))).toHaveLength(2);
  });

  test('in no schema, and in the form of the service', () => {
    const forms = [told, withForm].map((all) => all.filter((each) => each.startsWith('wire.shaped(…)')).length);
    expect(forms[0]).toBe(Number(forms[1]) + 1);
    expect(withForm).toContain(`wire.renamed('inside', …) has no effect where it is. ${advice}`);
  });

  test.each(['hint', 'mass', 'all', 'keeper', 'title'])('and not what has an effect: %s', (name) => {
    expect(told.join()).not.toContain(`'${name}'`);
  });
});

test('words of a list may have another form each', () => {
  const item = shaped(openEnum(['red', 'blue']), {
    theirs: z.number(),
    fromWire: (index) => ['red', 'blue'][index],
    toWire: (word) => ['red', 'blue'].indexOf(word),
  });
  expect(toWire(z.array(item), ['blue', 'red'])).toEqual([1, 0]);
  expect(toWire(z.array(item), 'blue')).toBe(1);
  expect(fromWire(z.array(item), [1, 0])).toEqual(['blue', 'red']);
});

test('a form that gives undefined counts as absent', () => {
  const blank = shaped(text, {
    theirs: z.string(),
    fromWire: (value) => (value === '-' ? undefined : value),
    toWire: (value) => value,
  });
  expect(fromWire(z.looseObject({ note: z.nullish(blank), id: text }), { note: '-', id: '1' })).toEqual({ id: '1' });
});

describe('several words for one', () => {
  const states = ['open', 'closed'] as const;
  mapValues(states, { open: ['OPEN', 'ASSIGNED'], closed: 'CLOSED' });
  const conversation = z.looseObject({ status: z.nullish(openEnum(states)) });
  const query = z.object({ status: z.optional(z.array(closedEnum(states))) });

  test('are read as ours, and the first one is written', () => {
    const read = ['OPEN', 'ASSIGNED', 'CLOSED', 'LOST'].map((status) => fromWire(conversation, { status }));
    expect(read).toEqual(['open', 'open', 'closed', 'LOST'].map((status) => ({ status })));
    expect(toWire(conversation, { status: 'open' })).toEqual({ status: 'OPEN' });
  });

  test('are all asked for by a filter', () => {
    expect(toWire(query, { status: 'open' })).toEqual({ status: ['OPEN', 'ASSIGNED'] });
    expect(toWire(query, { status: ['closed', 'open'] })).toEqual({ status: ['CLOSED', 'OPEN', 'ASSIGNED'] });
    expect(toWire(query, { status: 'closed' })).toEqual({ status: 'CLOSED' });
    expect(wordsOnWire(query.shape.status)).toEqual(['OPEN', 'ASSIGNED', 'CLOSED']);
  });
});

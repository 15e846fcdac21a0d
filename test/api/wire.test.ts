/** Names, words and positions that a service has instead of ours. */
import * as z from 'zod/mini';
import { readOptions } from '../../lab/conformance/options';
import { checkService } from '../../lab/conformance/run';
import { connectionEntries } from '../../src/api/connection';
import { misplaced } from '../../src/api/effects';
import { vocabulary } from '../../src/api/resources';
import { itemOf } from '../../src/api/schema';
import { fromWire, toWire } from '../../src/api/translate';
import {
  byPosition,
  closedEnum,
  kindOf,
  lacking,
  mapValues,
  missing,
  nameOnWire,
  openEnum,
  renamed,
  textOf,
  wordsOnWire,
} from '../../src/api/wire';

// As on Zapier, where the contract is translated.
delete process.env.CONTRACT;

const text = z.string();
const colors = ['red', 'blue'] as const;
mapValues(colors, { red: 'rouge' });

const schema = z.looseObject({
  id: text,
  note: z.optional(renamed('remark', z.nullable(text))),
  color: renamed('tint', z.optional(openEnum(colors))),
  others: z.optional(z.array(openEnum(colors))),
  owner: renamed('keeper', z.looseObject({ name: renamed('title', text) })),
  ...lacking(['size'], { size: z.optional(text) }),
});

const ours = { id: '1', note: 'new', color: 'red', others: ['blue', 'red'], owner: { name: 'Noor' } };
const theirs = { id: '1', remark: 'new', tint: 'rouge', others: ['blue', 'rouge'], keeper: { title: 'Noor' } };

test('what the service sends is read in our names and words, and the other way round', () => {
  expect(fromWire(schema, theirs)).toEqual(ours);
  expect(toWire(schema, { ...ours, size: 'L' })).toEqual(theirs);
  expect(fromWire(z.array(schema), [theirs, theirs])).toEqual([ours, ours]);
});

test('what the schema does not know stays, but no field is taken for another one that has our name for it', () => {
  expect(fromWire(schema, { ...theirs, weight: 7, others: ['green'] })).toEqual({
    ...ours,
    weight: 7,
    others: ['green'],
  });
  expect(fromWire(schema, { color: 'something else', id: '1' })).toEqual({ id: '1' });
});

test.each([null, undefined, 7, 'rouge', [], [1], { id: null }])('%j is no object of the schema and stays', (value) => {
  expect(fromWire(schema, value)).toEqual(value);
});

test('a name is that of one field, not of those that share its schema, and the field keeps its words and kind', () => {
  const [named, other] = [renamed('remark', text), text];
  expect([nameOnWire('note', named), nameOnWire('note', other)]).toEqual(['remark', 'note']);
  expect(wordsOnWire(renamed('tint', openEnum(colors)))).toEqual(['rouge', 'blue']);
  expect(kindOf(renamed('at', textOf('time')))).toBe('time');
});

test('names have a default case, which a renamed field does not take', () => {
  jest.isolateModules(() => {
    const { mapNames, renamed: rename }: typeof import('../../src/api/wire') = require('../../src/api/wire');
    const translate: typeof import('../../src/api/translate') = require('../../src/api/translate');
    const { looseObject, string }: typeof z = require('zod/mini');
    mapNames((name) => name.toUpperCase());
    const contact = looseObject({ name: string(), note: rename('remark', string()) });
    const written = { NAME: 'Noor', remark: 'new' };
    expect(translate.toWire(contact, { name: 'Noor', note: 'new' })).toEqual(written);
    expect(translate.fromWire(contact, written)).toEqual({ name: 'Noor', note: 'new' });
  });
});

test('the words of a text are those of the service; a choice takes no other, and a text does', () => {
  expect(wordsOnWire(z.optional(z.array(openEnum(colors))))).toEqual(['rouge', 'blue']);
  expect(wordsOnWire(text)).toBeUndefined();
  expect(openEnum(colors).parse('green')).toBe('green');
  expect(closedEnum(colors).safeParse('green').success).toBe(false);
  expect(itemOf(z.optional(z.nullable(z.array(z.optional(text)))))).toBe(text);
});

test('values by position keep the order of the template, whatever the order of a form', () => {
  const sent = { query: {}, body: {}, template: ['parcel', 'time', 'note'] };
  const record = z.looseObject({ variables: z.nullish(byPosition(z.catchall(z.object({}), text))) });
  const named = { variables: { time: '14:30', parcel: 'PX-1' } };
  expect(toWire(record, named, sent)).toEqual({ variables: ['PX-1', '14:30', ''] });
  expect(fromWire(record, { variables: ['PX-1', '14:30', null] }, sent)).toEqual({
    variables: { parcel: 'PX-1', time: '14:30', note: null },
  });
  expect(fromWire(record, { variables: ['PX-1'] })).toEqual({ variables: { '1': 'PX-1' } });
  expect(fromWire(record, named, sent)).toEqual(named);
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
  });
});

describe('what is declared where nothing looks', () => {
  const record = z.looseObject({
    note: z.optional(renamed('hint', text)),
    labels: z.array(renamed('label', text)),
    weight: missing(renamed('mass', text)),
    lines: z.array(missing(text)),
  });
  renamed('nowhere', text);
  const problems = misplaced([schema, record]);
  const advice = 'Put it around the whole schema of a field or a query parameter.';

  test('is a problem, and what has an effect is none', () => {
    expect(problems).toContain(`wire.renamed('label', …) has no effect inside \`labels\`. ${advice}`);
    expect(problems).toContain(`wire.missing(…) has no effect inside \`lines\`. ${advice}`);
    expect(problems).toContain(`wire.renamed('nowhere', …) has no effect where it is. ${advice}`);
    for (const name of ['hint', 'mass', 'keeper', 'title']) expect(problems.join()).not.toContain(`'${name}'`);
  });

  const environment = Object.fromEntries(connectionEntries.map(([key, { example }]) => [key.toUpperCase(), example]));
  const check = async () =>
    checkService(readOptions(['--base-url', 'http://127.0.0.1:9'], { ...environment, API_TOKEN: 'tok_0001' }));

  // In one test, since nothing takes back what the contract says.
  test('keeps the app from being defined, and conformance from sending a request, and so does one word for two', async () => {
    await expect(import('../../src')).rejects.toThrow(/^src\/api: wire\..* has no effect /);
    await expect(check()).rejects.toThrow(/^src\/api: wire\..* has no effect /);
    mapValues(vocabulary.messageStatus, { queued: 'sent' });
    await expect(check()).rejects.toThrow(`src/api: "sent" can't stand for two of our words.`);
  });
});

/** What many services have instead of what the contract says. */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { exampleConnection as connection } from '../../src/api/connection';
import * as preset from '../../src/api/presets';
import type { Call } from '../../src/api/transport';
import { isGenuine } from '../../src/trigger/delivery';

const readNothing = () => Promise.reject(new Error('Nothing is read.'));

const call = (given: Partial<Call> = {}): Call => ({
  ...{ name: 'listContacts', method: 'GET', path: '/contacts', parameters: {}, connection, query: {}, headers: {} },
  ...{ body: undefined, ...given },
});

test.each([
  ['a bearer', preset.bearer, { headers: { authorization: 'Bearer tok_1' } }],
  ['a header', preset.inHeader('x-api-key'), { headers: { 'x-api-key': 'tok_1' } }],
  ['a header after a word', preset.inHeader('authorization', 'Token '), { headers: { authorization: 'Token tok_1' } }],
  ['a password', preset.basic(() => 'noor'), { headers: { authorization: `Basic ${btoa('noor:tok_1')}` } }],
  ['a part of the query', preset.inQuery('key'), { query: { key: 'tok_1' } }],
])('the token is %s', (_what, authorize, expected) => {
  expect(authorize('tok_1', connection)).toEqual(expected);
});

/** Reads a list to its end, as the app does. Returns the records in the order in which they came. */
const readAll = async (
  hook: ReturnType<typeof preset.list>,
  limit: number,
  serve: (query: object) => unknown,
): Promise<unknown[]> => {
  const found: unknown[] = [];
  let after: unknown;
  for (let pages = 0; pages < 100; pages += 1) {
    const asked = call({ query: { limit, ...(after !== undefined && { after }) } });
    const { query = {} } = (await hook.request?.(asked, readNothing)) ?? {};
    const read = Object(hook.response?.(serve(query), asked));
    found.push(...read.data);
    if (read.next_cursor === null) return found;
    after = read.next_cursor;
  }
  return ['no end'];
};

const numbers = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

test('pages by number give each record once, whatever says how many there are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 30 }), async (count, limit) => {
      const serve = (query: object) => {
        const { page, per_page: size = 7 } = Object(query);
        const items = numbers(count).slice((page - 1) * size, page * size);
        return { items, total: count, pages: Math.max(1, Math.ceil(count / size)) };
      };
      const same = (record: object) => record;
      for (const given of [{ total: 'total' }, { pages: 'pages' }, {}, { total: 'total', fixed: 7 }]) {
        const hook = preset.list(preset.pageNumbers(given), 'items', same);
        expect(await readAll(hook, limit, serve)).toEqual(numbers(count));
      }
    }),
  );
});

test('a cursor may be a link, and a record that is none of ours is left out', async () => {
  const serve = (query: object) => {
    const start = Number(Object(query).from ?? 0);
    const next = start < 4 ? `https://api.example.com/v1/contacts?limit=2&from=${start + 2}` : null;
    return { data: { rows: numbers(6).slice(start, start + 2) }, links: { next } };
  };
  const pages = preset.cursor({ after: 'from', next: 'links.next' });
  const hook = preset.list(pages, 'data.rows', (record) => (record.id === 3 ? undefined : record));
  expect(await readAll(hook, 2, serve)).toEqual(numbers(6).filter(({ id }) => id !== 3));
});

test.each([
  [1_781_171_000, '2026-06-11T09:43:20Z'],
  ['1781171000', '2026-06-11T09:43:20Z'],
  [1_781_171_000_123, '2026-06-11T09:43:20.123Z'],
  ['2026-06-11', '2026-06-11'],
  [null, null],
])('the time %p is %p', (given, expected) => {
  expect(preset.fromEpoch(given)).toBe(expected);
});

test('a response with nothing but an ID, or with nothing, is what was sent', () => {
  const sent = call({ body: { first_name: 'Noor' }, parameters: { id: 'con_1' } });
  expect(preset.echo('message.id')({ message: { id: 7 } }, sent)).toEqual({ first_name: 'Noor', id: 7 });
  expect(preset.echo()(undefined, sent)).toEqual({ first_name: 'Noor', id: 'con_1' });
});

test('an update without a response is what was sent, and other responses are read', () => {
  const { response } = preset.one(({ name }) => ({ first_name: name }));
  const sent = call({ name: 'updateContact', body: { first_name: 'Noor' }, parameters: { id: 'con_1' } });
  expect(response?.(undefined, sent)).toEqual({ first_name: 'Noor', id: 'con_1' });
  expect(response?.({ name: 'Kim' }, sent)).toEqual({ first_name: 'Kim' });
  expect(response?.(undefined, { ...sent, name: 'getContact' })).toEqual({ first_name: undefined });
});

test('the name of a template has its language, also when it has a colon of its own', () => {
  expect(preset.splitLanguage(preset.withLanguage('order: new', 'pt_BR'))).toEqual({
    name: 'order: new',
    language: 'pt_BR',
  });
});

test.each([
  ['parcel', 'parcel:nl'],
  ['parcel:nl', 'parcel:nl'],
  [undefined, undefined],
  ['another', 'another'],
])('a response to a send in a language that names the template %p is about %p', (given, template) => {
  const hook = preset.sendInLanguage(
    (_call, language) => ({ body: language }),
    (record) => record,
  );
  const sent = call({ body: { template: 'parcel:nl' } });
  expect(hook.request?.(sent, readNothing)).toEqual({ body: { name: 'parcel', language: 'nl' } });
  expect(hook.response?.({ template: given }, sent)).toEqual({ template });
});

test('the variables of components come back in their components, in their order', () => {
  const { header, body, buttons } = preset.readComponents([
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: Array.from({ length: 11 }, (_, index) => `{{${index + 1}}}`).join(' ') },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'Go', url: 'https://a.example/{{1}}' },
      ],
    },
  ]);
  const names = [header?.text, body, buttons[1]?.url].flatMap((text) => String(text).match(/(?<=\{\{)\w+/g) ?? []);
  const values = Object.fromEntries(names.toReversed().map((name) => [name, `<${name}>`]));
  const written = preset.writeComponents(values).map(({ type, index, parameters }) => ({
    ...{ type, index },
    texts: [parameters].flat().map((each) => Object(each).text),
  }));
  expect(written).toEqual(
    expect.arrayContaining([
      { type: 'header', index: undefined, texts: ['<header_1>'] },
      { type: 'body', index: undefined, texts: Array.from({ length: 11 }, (_, index) => `<${index + 1}>`) },
      { type: 'button', index: '1', texts: ['<button_1_1>'] },
    ]),
  );
});

test('a signature over the time and the body is genuine only with its secret and its time', () => {
  const secret = 'a-secret-of-32-characters-length';
  const sign = (time: string, by = secret) => createHmac('sha256', by).update(`${time}.{}`).digest('hex');
  const isGood = (header: string) =>
    isGenuine({ content: '{}', headers: { 'x-sig': header } }, secret, preset.timedSignature('x-sig', 's'));
  expect(isGood(`t=1781171000,s=${sign('1781171000')}`)).toBe(true);
  for (const header of ['', 't=1781171000', `t=1781171001,s=${sign('1781171000')}`, `t=x,s=${sign('x')}`]) {
    expect(isGood(header)).toBe(false);
  }
  expect(isGood(`t=1781171000,s=${sign('1781171000', 'another-secret-of-32-characters')}`)).toBe(false);
});

import * as z from 'zod/mini';
import { exampleConnection } from '../../src/api/connection';
import { removeEmpty } from '../../src/api/empty';
import { encode } from '../../src/api/encode';
import { type AnyInput, type Endpoint, endpoints } from '../../src/api/endpoints';
import { serializePath } from '../../src/http/path';
import { serializeQuery } from '../../src/http/serialize';

test('an empty item keeps its place in a list, and a list of nothing else is left out', () => {
  const body = { variables: ['PX-1', '', null, { a: '' }], tags: ['', null, []], note: ' ' };
  expect(removeEmpty(body)).toEqual({ variables: ['PX-1', '', null, {}] });
});

test('a field that is kept stays when it is empty, but only at the top', () => {
  const body = { variables: { note: ' ' }, attributes: {}, nested: { variables: {}, id: 1 } };
  expect(removeEmpty(body, ['variables'])).toEqual({ variables: {}, nested: { id: 1 } });
});

test.each<[AnyInput, string]>([
  [{ query: { name: 'Noor', id: '7' } }, '/v1/people/Noor/7'],
  [{ id: undefined, query: { name: 'Noor', id: '7' } }, '/v1/people/Noor/7'],
  [{ id: '101', query: { name: 'Noor', id: '7' } }, '/v1/people/Noor/101'],
  [{ id: '101', query: { name: 'Noor' }, body: { name: 'Sanne', id: '7' } }, '/v1/people/Noor/101'],
])('a name and an id in a path come from the call, the query and the body, in that order: %j', (input, expected) => {
  const fields = z.object({ id: z.optional(z.string()), name: z.optional(z.string()) });
  const endpoint: Endpoint = { ...endpoints.getContact, path: '/v1/people/{name}/{id}', query: fields, body: fields };
  expect(serializePath(endpoint.path, encode(endpoint, input, exampleConnection).parameters)).toBe(expected);
});

test('a name of the query may come several times', () => {
  const pairs = [
    ['status[]', 'a'],
    ['status[]', 'b,c'],
    ['status[]', ''],
  ] as const;
  expect(serializeQuery({ limit: 2 }, pairs)).toBe('?limit=2&status%5B%5D=a&status%5B%5D=b%2Cc');
});

test('a call has no empty values before `request` adapts it', () => {
  const body = { email: 'noor@example.com', phone: '', attributes: { floor: ' ' }, tags: [] };
  const { sent, call } = encode(endpoints.createContact, { query: { limit: undefined }, body }, exampleConnection);
  expect(sent.body).toEqual({ email: 'noor@example.com' });
  expect(call).toMatchObject({ query: {}, body: { email: 'noor@example.com' } });
});

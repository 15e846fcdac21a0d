import { surroundings } from '../../conformance/compare/surroundings';
import { endpoints } from '../../src/api/endpoints';

const beside = (body: unknown, headers: Record<string, string> = {}) =>
  surroundings({ endpoint: endpoints.listContacts, body, headers: new Headers(headers) });

test('names the lists and counts in the body', () => {
  expect(beside({ items: [], meta: { total: 40, page: { size: 2 } }, ok: true })).toBe(
    '; with it came the list `items`, `meta.total`: 40, `meta.page`: an object',
  );
});

test('names the headers that lead to other pages, and a bare list', () => {
  expect(beside([], { link: '</v1?after=2>; rel="next"', 'x-total-count': '40', server: 'x' })).toBe(
    '; with it came a list as the body, the header `link`: "</v1?after=2>; rel="next"", the header `x-total-count`: "40"',
  );
});

test('says nothing when nothing came', () => {
  expect(beside({ ok: true })).toBe('');
  expect(beside('text')).toBe('');
  expect(beside({ data: [], next_cursor: null })).toBe('');
});

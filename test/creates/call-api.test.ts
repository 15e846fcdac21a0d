import fc from 'fast-check';
import nock from 'nock';
import { pathPrefix } from '../../src/api/endpoints';
import { expectHalt } from '../support/halt';
import { authData, service } from '../support/service';
import { runStep } from '../support/zapier';

const request = (inputData: Record<string, unknown>) =>
  runStep('creates.call_api.operation.perform', { authData, inputData: { method: 'GET', ...inputData } });

test.each(['contacts/con_1', `${pathPrefix}/contacts/con_1/`, ' contacts/con_1 '])(
  'takes the path %j',
  async (path) => {
    service().get(`${pathPrefix}/contacts/con_1`).reply(200, { id: 'con_1' });
    await expect(request({ path })).resolves.toEqual({ response: { id: 'con_1' } });
  },
);

test('encodes characters that a path cannot contain', async () => {
  service().get(`${pathPrefix}/templates/a%3Fb%20%7Bid%7D`).reply(200, {});
  await expect(request({ path: 'templates/a%3Fb {id}' })).resolves.toEqual({ response: {} });
});

test('sends a query', async () => {
  service().get(`${pathPrefix}/contacts`).query({ tag: 'a & {{b}}' }).reply(200, { data: [] });
  await expect(request({ path: 'contacts', query: { tag: 'a & {{b}}', limit: '' } })).resolves.toEqual({
    response: { data: [] },
  });
});

test('sends a body just as it is, also what is empty in it', async () => {
  const body = { tags: [], first_name: null, note: '{{bundle.x}}' };
  service().patch(`${pathPrefix}/contacts/con_1`, body).reply(200, {});
  await expect(request({ method: 'patch', path: 'contacts/con_1', body: JSON.stringify(body) })).resolves.toBeDefined();
});

test.each([{ tags: ['a'], first_name: null }])('sends a body that Zapier has read already: %j', async (body) => {
  service().post(`${pathPrefix}/contacts`, JSON.stringify(body)).reply(200, {});
  await expect(request({ method: 'POST', path: 'contacts', body })).resolves.toEqual({ response: {} });
});

test('sends a long number as it was written', async () => {
  service()
    .post(`${pathPrefix}/contacts`, /^\{"id":12345678901234567890\}$/)
    .reply(200, {});
  const body = '{"id":12345678901234567890}';
  await expect(request({ method: 'POST', path: 'contacts', body })).resolves.toEqual({ response: {} });
});

test('gives a long number of the response with every digit', async () => {
  service().get(`${pathPrefix}/contacts`).reply(200, '{"count":12,"total":1.5,"id":12345678901234567890}');
  await expect(request({ path: 'contacts' })).resolves.toEqual({
    response: { count: 12, total: 1.5, id: '12345678901234567890' },
  });
});

test('refuses a body for a GET request', async () => {
  await expect(request({ path: 'contacts', body: '{}' })).rejects.toThrow("Body: a GET request can't have a body.");
});

test('sends no body when it is empty, and returns null when the response has none', async () => {
  service().delete(`${pathPrefix}/contacts/con_1`, '').reply(204);
  await expect(request({ method: 'DELETE', path: 'contacts/con_1', body: null })).resolves.toEqual({ response: null });
});

test.each([
  ['', 'Path is empty.'],
  ['../admin', `Path: enter only the part after ${pathPrefix}/`],
  ['contacts/%2e%2e/admin', `Path: enter only the part after ${pathPrefix}/`],
  ['contacts%2f..%2fadmin', `Path: enter only the part after ${pathPrefix}/`],
  [`https://evil.example.com${pathPrefix}/x`, `Path: enter only the part after ${pathPrefix}/`],
  ['contacts\r\nX-Evil: 1', `Path: enter only the part after ${pathPrefix}/`],
  ['contacts?limit=1', 'Path: remove the ? or # and everything after it.'],
  ['contacts/%zz', 'contains an invalid % sequence'],
])('refuses the path %j, before any request', async (path, words) => {
  await expectHalt(request({ path }), expect.stringContaining(words));
});

test('refuses a body that is no JSON', async () => {
  const refused = request({ method: 'POST', path: 'contacts', body: '{"a": undefined}' });
  await expect(refused).rejects.toThrow("Body: this isn't valid JSON.");
});

test('never leaves the host or the prefix, whatever the path', async () => {
  const asked: string[] = [];
  service()
    .persist()
    .get((path) => Boolean(asked.push(path)))
    .reply(200, {});
  const path = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom('..', '.', '/', '//', '%2e', '\\', 'v1', '@', ':', 'a')).map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(path, async (text) => {
      await request({ path: text }).catch((error: Error) => expect(error.name).toBe('HaltedError'));
    }),
  );
  expect(asked.length).toBeGreaterThan(0);
  for (const url of asked)
    expect(new URL(url, 'https://api.example.com').pathname).toMatch(new RegExp(`^${pathPrefix}/[^/]`));
  nock.cleanAll();
});

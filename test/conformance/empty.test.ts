/** A service that does everything right, but has nothing to check it by. */
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { calls } from '../../src/api/endpoints';
import { Running } from '../support/running';
import { type Reviver, withFaultyProxy } from './faulty-proxy';

const running = new Running({ isSmall: true });

const checkThrough = (reviveResponse: Reviver) =>
  withFaultyProxy(running.url, { reviveResponse }, async (url) => {
    const options = readOptions(['--base-url', url], { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options)).rows;
  });

const emptyLists: Reviver = (key, value) => {
  if (key === 'data' && Array.isArray(value)) return [];
  return key === 'next_cursor' ? null : value;
};

const passed = (rows: Awaited<ReturnType<typeof checkThrough>>) =>
  rows.filter(({ outcome }) => outcome === 'passed').map(({ check }) => check);

test('only the checks that need no record pass in an empty workspace', async () => {
  const rows = await checkThrough(emptyLists);
  expect(rows.filter(({ outcome }) => outcome === 'differs' || outcome === 'not checked')).toEqual([]);
  const byId = calls.filter(([, { method, path }]) => method === 'GET' && path.includes('{'));
  expect(passed(rows)).toEqual([
    'getWorkspace',
    ...byId.map(([name]) => `${name}, of an unknown record`),
    "a path that doesn't exist",
    'a wrong token',
    'no token',
    'an invalid limit',
    'an invalid cursor',
    'the header x-request-id',
  ]);
});

test('a filter without a value to try is named', async () => {
  const rows = await checkThrough((key, value) => (key === 'tags' ? [] : value));
  const detail = rows.find(({ check }) => check === 'listContacts, filtered')?.detail;
  expect(detail).toBe('by phone, email, query, consent; no record has a value for tag');
});

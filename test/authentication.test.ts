import nock from 'nock';
import * as z from 'zod/mini';
import { currentApp } from '../scripts/docs/definition';
import { workspace } from '../src/api/resources';
import { pathOf } from './support/calls';
import { authData, expectCall, testedAccount, toResponse } from './support/service';
import { runStep } from './support/zapier';

const testConnection = (connection: Record<string, string> = authData) =>
  runStep('authentication.test', { authData: connection });

test('an account needs an address and a token, may say who gets messages, and is named after its workspace and token', () => {
  expect(testedAccount.ending).toBe('cr3t');
  expect(currentApp.authentication).toMatchObject({
    type: 'custom',
    connectionLabel: '{{name}} (token …{{ending}})',
    fields: [
      { key: 'base_url', label: 'API Base URL', required: true },
      { key: 'api_token', label: 'API Token', required: true, type: 'password' },
      { key: 'default_country', label: 'Default Country', required: false, choices: expect.any(Array) },
      { key: 'allowed_countries', label: 'Send Only To Countries', required: false },
      { key: 'test_recipient', label: 'Send Tests To', required: false },
    ],
  });
});

test('countries are in the order of their names', () => {
  const { choices } = z
    .looseObject({ choices: z.array(z.object({ label: z.string() })) })
    .parse(currentApp.authentication.fields.find(({ key }) => key === 'default_country'));
  const names = choices.map(({ label }) => label);
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
  expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania']);
});

test('a live token gives the workspace, whose name labels the connection with the last characters of the token', async () => {
  expectCall('getWorkspace').reply(200, workspace.sample);
  await expect(testConnection()).resolves.toEqual(testedAccount);
});

test('a short token labels the connection with none of its characters', async () => {
  nock('https://api.example.com')
    .get(pathOf('getWorkspace'))
    .reply(200, toResponse('getWorkspace', 200, workspace.sample));
  await expect(testConnection({ ...authData, api_token: 'tok_15_letters_' })).resolves.toMatchObject({ ending: '' });
});

test.each(['abc', 'Bearer 1234567'])('a token that may be part of any text is refused: %s', async (api_token) => {
  await expect(testConnection({ ...authData, api_token })).rejects.toMatchObject({
    name: 'ExpiredAuthError',
    message:
      'The API Token is too short to be complete. Copy it again from the messaging service, then reconnect this account.',
  });
});

test.each([
  [
    'allowed_countries',
    'NL, Atlantis',
    "isn't in the list of countries, so nothing was sent. Enter two-letter codes in the",
  ],
  [
    'allowed_countries',
    ',',
    "isn't in the list of countries, so nothing was sent. Enter two-letter codes in the account",
  ],
  ['test_recipient', '12', 'Send Tests To of the account: "12" isn\'t a complete phone number'],
])('an account with %s "%s" says why it is refused, without any request', async (key, value, words) => {
  await expect(testConnection({ ...authData, [key]: value })).rejects.toThrow(words);
});

test('no token asks for one, without any request', async () => {
  await expect(testConnection({ base_url: authData.base_url })).rejects.toMatchObject({
    name: 'ExpiredAuthError',
    message: 'The API Token is missing. Create an API token in the messaging service, then reconnect this account.',
  });
});

test('a dead token asks to reconnect and says how to get a new one', async () => {
  expectCall('getWorkspace').reply(401, {
    error: { code: 'invalid_token', message: 'Unknown token' },
    request_id: 'req_1',
  });
  await expect(testConnection()).rejects.toMatchObject({
    name: 'ExpiredAuthError',
    message:
      'The API token is missing, invalid or expired. Create a new API token in the messaging service, then reconnect this account.',
  });
});

test('a wrong address says why, without any request', async () => {
  await expect(testConnection({ ...authData, base_url: 'http://api.example.com' })).rejects.toThrow(
    'API Base URL: the address must start with https://',
  );
});

const needsGrowth =
  'The API needs the Growth plan or above. Upgrade the workspace in the messaging service, then try again.';

test('a workspace below Growth is told the plan it needs, when the service refuses', async () => {
  const error = { code: 'plan_required', message: 'Upgrade', required_plan: 'growth' };
  expectCall('getWorkspace').reply(403, { error });
  await expect(testConnection()).rejects.toThrow(needsGrowth);
});

test('a workspace below Growth is told the plan it needs, when the service does not refuse', async () => {
  expectCall('getWorkspace').reply(200, { ...workspace.sample, plan: 'starter' });
  await expect(testConnection()).rejects.toThrow(needsGrowth);
});

test.each(['growth', 'a plan of tomorrow'])('a workspace on %s is assumed to have API access', async (plan) => {
  expectCall('getWorkspace').reply(200, { ...workspace.sample, plan });
  await expect(testConnection()).resolves.toMatchObject({ plan });
});

test('an address of another service says so', async () => {
  expectCall('getWorkspace').reply(404, {});
  await expect(testConnection()).rejects.toThrow(
    'API Base URL: no messaging service API was found at this address (status 404).',
  );
});

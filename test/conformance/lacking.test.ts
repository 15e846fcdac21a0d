/** A service that lacks what the contract declares missing. The sandbox lacks it too. */
import type { CheckResult } from '../../conformance/checks/check';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { type Fact, headers, missing } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import { newNumber, Running } from '../support/running';

const lacking: Fact[] = ['message.delivered', 'contact_exists', headers.requestId, headers.idempotentReplayed];

// So that a call can be missing, and before the sandbox starts.
process.env.CONTRACT = 'sandbox';
Object.assign(missing, lacking);
const running = new Running({ isSmall: true });
let rows: CheckResult[];

beforeAll(async () => {
  const options = readOptions(['--base-url', running.url, '--write', '--to', newNumber()], {
    API_TOKEN: running.sandbox.tokens.advanced,
  });
  rows = (await checkService(options, { settle: running.settle })).rows;
});

afterAll(() => Object.assign(missing, { length: 0 }));

test('nothing differs and nothing stays open after a finished adaptation', () => {
  expect(rows.filter(({ outcome }) => ['differs', 'copes', 'not checked'].includes(outcome))).toEqual([]);
});

test('says what is declared missing', () => {
  const declared = rows
    .filter(({ outcome }) => outcome === 'missing')
    .map(({ check, detail }) => `${check}: ${detail}`);
  expect(declared).toEqual([
    'createContact, of an existing contact: the contract declares `contact_exists` missing',
    `the header ${headers.requestId}: the contract declares \`${headers.requestId}\` missing`,
  ]);
});

test('the sandbox refuses a webhook for an event that it lacks, and delivers none', async () => {
  const url = 'https://hooks.example.com/1/';
  const { status } = await running.request('createWebhook', { body: { url, events: ['message.delivered'] } });
  expect(status).toBe(422);
  expect(Object.keys(events)).toContain('message.delivered');
});

test('the sandbox has neither the code nor the header', async () => {
  const body = { email: 'noor@example.com' };
  await running.request('createContact', { body });
  const again = await running.request('createContact', { body });
  expect(again).toMatchObject({ status: 422, body: { error: { code: 'refused' } } });
  expect(again.headers.has(headers.requestId)).toBe(false);
});

/** What the app copes with, and what the contract accepts, doesn't count. */
import { accept, unused } from '../../conformance/checks/accepted';
import type { CheckResult } from '../../conformance/checks/check';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { shortenPauses } from '../support/pauses';
import { newNumber, Running } from '../support/running';
import { type ProxyFault, type Reviver, withFaultyProxy } from './faulty-proxy';

const running = new Running({ isSmall: true });
shortenPauses();

const checkThrough = (fault: ProxyFault) =>
  withFaultyProxy(running.url, fault, async (url) => {
    const args = ['--base-url', url, '--write', '--to', newNumber()];
    const options = readOptions(args, { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options, { settle: running.settle })).rows;
  });

const isOpen = ({ outcome }: CheckResult): boolean => outcome === 'differs' || outcome === 'not checked';

const isRecord = (value: unknown): boolean => Object(value).id !== undefined && Object(value).created_at !== undefined;

/** Applies all changes of a value, one after the other. */
const inTurn =
  (...revivers: Reviver[]): Reviver =>
  (key, value) =>
    revivers.reduce((changed, revive) => revive(key, changed), value);

const problemDetails: Reviver = (key, value) =>
  key === '' && Object(value).request_id ? { type: 'about:blank', title: 'No', detail: 'No' } : value;
const timesWithOffset: Reviver = (key, value) =>
  /_at$/.test(key) && typeof value === 'string' ? value.replace('Z', '+00:00') : value;
const phonesWithSeparators: Reviver = (key, value) =>
  ['phone', 'to', 'from'].includes(key) && typeof value === 'string'
    ? value.replace(/^\+(\d)(\d{3})/, '+$1 ($2) ')
    : value;
const tagsInAnotherOrder: Reviver = (key, value) =>
  key === 'tags' && Array.isArray(value) ? value.toReversed() : value;
const otherTypes: Reviver = (key, value) => {
  if (key === 'message_count') return String(value);
  return key === 'assignee' ? 17 : value;
};
const otherStatus: Reviver = (_key, value) =>
  isRecord(value) && Object(value).status === 'queued' ? { ...Object(value), status: 'paused' } : value;

test('a service that writes errors, times, numbers, tags and types in its own way ends with nothing open', async () => {
  const rows = await checkThrough({
    reviveResponse: inTurn(problemDetails, timesWithOffset, phonesWithSeparators, tagsInAnotherOrder, otherTypes),
    statuses: { 422: 400 },
    droppedHeaders: ['x-request-id'],
  });
  expect(rows.filter(isOpen)).toEqual([]);
});

test('a service that ignores the limit, has no pages, has another status, and changes a contact instead of refusing it is coped with', async () => {
  const rows = await checkThrough({
    ignoredParams: ['limit'],
    reviveResponse: inTurn(otherStatus, (key, value) => (key === 'next_cursor' ? undefined : value)),
    afterwards: {
      updateContact: async (got) => Response.json({ id: Object(await got.json()).id }),
      createContact: async (got) => {
        const body = Object(await got.json());
        return got.status === 409
          ? Response.json({ id: body.error.existing_id })
          : Response.json(body, { status: got.status, headers: got.headers });
      },
    },
  });
  expect(rows.filter(isOpen)).toEqual([]);
  const row = rows.find(({ check }) => check === 'createContact, of an existing contact');
  expect(row).toMatchObject({ outcome: 'copes', detail: 'the service changes the contact that exists' });
});

describe('a line of the contract accepts', () => {
  const row: CheckResult = {
    ...{ check: 'listContacts', basis: 'assumed', outcome: 'differs' },
    detail: '`a` is missing (`a` of a contact, src/api/resources.ts); `b` is missing',
    differences: ['`a` is missing (`a` of a contact, src/api/resources.ts)', '`b` is missing'],
  };

  test('every difference of a check, with the reason', () => {
    expect(accept(row, { listContacts: 'Nobody needs it.' })).toMatchObject({
      outcome: 'accepted',
      detail: '`a` is missing (accepted: Nobody needs it.); `b` is missing (accepted: Nobody needs it.)',
    });
  });

  test('one difference by its words, and leaves the others', () => {
    expect(accept(row, { '`a` is missing': 'Nobody needs it.' })).toMatchObject({
      outcome: 'differs',
      detail: '`b` is missing',
    });
  });

  test('what no check found, which is told', () => {
    const reasons = { listContacts: 'A.', '`b` is missing': 'B.', getContact: 'C.', '`c` is missing': 'D.' };
    expect(unused([row, { ...row, check: 'getContact', outcome: 'passed', differences: [] }], reasons)).toEqual([
      'getContact',
      '`c` is missing',
    ]);
  });

  test('nothing else', () => {
    expect(accept(row, { getContact: 'Nobody needs it.' })).toBe(row);
    expect(accept({ ...row, outcome: 'passed' }, { listContacts: 'Nobody needs it.' })).toMatchObject({
      outcome: 'passed',
    });
  });
});

test('starts a test campaign once under one key, although it asks twice', async () => {
  const { data } = await running.read('listCampaigns', { query: { status: 'draft' } });
  const id = String(data[0]?.id);
  const options = readOptions(['--base-url', running.url, '--write', '--campaign', id], {
    API_TOKEN: running.sandbox.tokens.advanced,
  });
  const { rows } = await checkService(options);
  const outcomes = rows
    .filter(({ check }) => check.startsWith('triggerCampaign'))
    .map(({ check, outcome }) => [check, outcome]);
  expect(outcomes).toEqual([
    ['triggerCampaign', 'passed'],
    ['triggerCampaign, repeated with its key', 'passed'],
  ]);
  await running.settle();
});

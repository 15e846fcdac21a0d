import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breakingChanges, compat, readLastRelease, refusedChanges, releaseOf, report } from '../scripts/compat';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { withParts } from './support/integration-checks';
import { printedBy } from './support/printed';

const released = releaseOf(currentApp);
const older = {
  ...released,
  steps: { ...released.steps, 'creates.add_note': { type: 'creates', inputs: {}, outputs: [] } },
};
const update = 'creates.update_contact';
const field = `${update}.operation.inputFields`;
const updateFields = currentApp.creates.update_contact?.operation.inputFields ?? [];
const hidden = { label: 'Find Message', description: 'Finds a message.', hidden: true };

test('the app breaks no Zap of the last release, unless its major version is new', async () => {
  const last = readLastRelease();
  expect(last ? refusedChanges(last, releaseOf(await expandForms())) : []).toEqual([]);
});

test('before the first release, no change can break a Zap', () => {
  expect(report(undefined, released)).toMatch(/^Nothing has been released yet/);
});

test.each([
  [
    'a hidden action',
    { 'searches.find_message_status.display': hidden },
    'searches.find_message_status was removed or hidden.',
  ],
  ['a removed action', { creates: {} }, `${update} was removed or hidden.`],
  ['a field that is now required', { [`${field}.2.required`]: true }, `${update}: the field "email" is now required.`],
  [
    'a field of another type',
    { [`${field}.2.type`]: 'integer' },
    `${update}: the type of the field "email" changed from string to integer.`,
  ],
  [
    'a field that now takes a list',
    { [`${field}.2.list`]: true },
    `${update}: the type of the field "email" changed from string to string list.`,
  ],
  [
    'another way to connect',
    { 'authentication.type': 'oauth2' },
    'authentication: the type changed from custom to oauth2.',
  ],
  [
    'a trigger that no longer polls',
    { 'triggers.new_contact.operation.type': 'hook' },
    'triggers.new_contact: the type changed from polling to hook.',
  ],
  [
    'a removed part of a result',
    { 'searches.find_campaign.operation.sample.stats': { sent: 1 } },
    'searches.find_campaign: the result "stats.read" was removed.',
  ],
  ['a search that no longer creates', { searchOrCreates: {} }, 'searchOrCreates.find_contact was removed or hidden.'],
  ['a removed result', { [`${update}.operation.sample`]: { id: '1' } }, `${update}: the result "phone" was removed.`],
])('reports %s', (_, parts, sentence) => {
  expect(breakingChanges(released, releaseOf(withParts(currentApp, parts)))).toContain(sentence);
});

test.each([
  ['a new field', { [field]: [...updateFields, { key: 'nickname' }] }],
  ['another label', { [`${update}.display.label`]: 'Change Contact' }],
  ['a field that is no longer required', { [`${field}.0.required`]: false }],
])('accepts %s', (_, parts) => {
  expect(breakingChanges(released, releaseOf(withParts(currentApp, parts)))).toEqual([]);
});

test.each([
  ['1.9.9', '2.0.0', []],
  ['9.0.0', '10.0.0', []],
  ['1.0.0', '1.1.0', ['creates.add_note was removed or hidden.']],
])('from version %s to %s it refuses %j', (was, is, refused) => {
  expect(refusedChanges({ ...older, version: was }, { ...released, version: is })).toEqual(refused);
});

describe('npm run compat', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'compat-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('lists breaking changes and exits with 1', async () => {
    const file = join(folder, 'release.json');
    writeFileSync(file, JSON.stringify(older));
    const { code, out } = await printedBy(() => compat(['--against', file]));
    expect(out).toContain('- creates.add_note was removed or hidden.\n');
    expect(code).toBe(1);
  });
});

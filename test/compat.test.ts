import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { breakingChanges, type Release, readRelease, refusedChanges, releaseOf } from '../scripts/compat';
import { present, presentInFull } from '../scripts/docs/definition';
import { withParts } from './integration-checks';

const released = releaseOf(present);
const older = {
  ...released,
  steps: { ...released.steps, 'creates.add_note': { type: 'creates', inputs: {}, outputs: [] } },
};
const update = 'creates.update_contact';
const field = `${update}.operation.inputFields`;
const updateFields = present.creates.update_contact?.operation.inputFields ?? [];
const hidden = { label: 'Find Message', description: 'Finds a message.', hidden: true };

test('the app breaks nothing that people built with the last release, unless its version says so', async () => {
  expect(refusedChanges(readRelease(), releaseOf(await presentInFull()))).toEqual([]);
});

test.each([
  ['a hidden action', { 'searches.find_message.display': hidden }, 'searches.find_message was removed or hidden.'],
  ['a removed action', { creates: {} }, `${update} was removed or hidden.`],
  ['a removed field', { [`${field}.1.key`]: 'mobile' }, `${update}: the field "phone" was removed.`],
  [
    'a field that is now required',
    { [`${field}.2.required`]: true },
    `${update}: the field "email" is required and was not.`,
  ],
  [
    'a new field that is required',
    { [`${field}.1`]: { key: 'mobile', required: true } },
    `${update}: the field "mobile" is required and was not.`,
  ],
  [
    'a field of another type',
    { [`${field}.2.type`]: 'integer' },
    `${update}: the field "email" is integer, was string.`,
  ],
  [
    'a field that now takes several',
    { [`${field}.2.list`]: true },
    `${update}: the field "email" is string list, was string.`,
  ],
  ['another way to connect', { 'authentication.type': 'oauth2' }, 'authentication: the type is oauth2, was custom.'],
  [
    'something more to connect with',
    { 'authentication.fields.2.required': true },
    'authentication: the field "default_country" is required and was not.',
  ],
  [
    'a trigger that no longer polls',
    { 'triggers.new_contact.operation.type': 'hook' },
    'triggers.new_contact: the type is hook, was polling.',
  ],
  [
    'a removed part of a result',
    { 'searches.find_campaign.operation.sample.stats': { sent: 1 } },
    'searches.find_campaign: the result "stats.read" was removed.',
  ],
  ['a search that no longer creates', { searchOrCreates: {} }, 'searchOrCreates.find_contact was removed or hidden.'],
  ['a removed result', { [`${update}.operation.sample`]: { id: '1' } }, `${update}: the result "phone" was removed.`],
])('%s is named', (_, parts, sentence) => {
  expect(breakingChanges(released, releaseOf(withParts(present, parts)))).toContain(sentence);
});

test.each([
  ['a new field', { [field]: [...updateFields, { key: 'nickname' }] }],
  ['another label', { [`${update}.display.label`]: 'Change Contact' }],
  ['a field that is no longer required', { [`${field}.0.required`]: false }],
])('%s breaks nothing', (_, parts) => {
  expect(breakingChanges(released, releaseOf(withParts(present, parts)))).toEqual([]);
});

test.each([
  ['1.9.9', '2.0.0', []],
  ['9.0.0', '10.0.0', []],
  ['1.0.0', '1.1.0', ['creates.add_note was removed or hidden.']],
])('from %s to %s what is refused is %j', (was, is, refused) => {
  expect(refusedChanges({ ...older, version: was }, { ...released, version: is })).toEqual(refused);
});

describe('npm run compat', () => {
  const project = resolve(__dirname, '..');
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'compat-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const compare = async (was: Release): Promise<{ code: number; stdout: string }> => {
    const file = join(folder, 'release.json');
    writeFileSync(file, JSON.stringify(was));
    const run = promisify(execFile)('npm', ['run', '--silent', 'compat', '--', file], { cwd: project });
    return run.then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    );
  };

  test('names what breaks and ends with 1', async () => {
    const { code, stdout } = await compare(older);
    expect(stdout).toContain('- creates.add_note was removed or hidden.\n');
    expect(code).toBe(1);
  });

  test('names it and ends with 0 for a new major version', async () => {
    const { code, stdout } = await compare({ ...older, version: '0.9.0' });
    expect(stdout).toContain('- creates.add_note was removed or hidden.\n');
    expect(code).toBe(0);
  });
});

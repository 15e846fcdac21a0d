import { createAppTester, defineApp, version as platformVersion } from 'zapier-platform-core';
import { shareDefinition } from '../../src/platform/shared-definition';

const perform = async () => ({ id: 'one' });

/** An app with one field, and how often its label is read. */
const appWithOneField = () => {
  const read = { times: 0 };
  const country = { key: 'country', choices: { perform: () => ({ results: [], paging_token: null }) } };
  const sample = { id: 'one', lines: [{ text: 'Hello' }] };
  const outputField = {
    key: 'id',
    get label() {
      read.times += 1;
      return 'ID';
    },
  };
  const app = defineApp({
    version: '1.0.0',
    platformVersion,
    // Core would wrap the http of this process, which other tests use as well.
    flags: { skipHttpPatch: true },
    creates: {
      send: {
        key: 'send',
        noun: 'Note',
        display: { label: 'Send Note', description: 'Sends a note.' },
        operation: { inputFields: [country], outputFields: [outputField], perform, sample },
      },
    },
  });
  return { app, read, country, sample };
};

/** How often a run reads the label, after core has frozen the app in its first run. */
const readsOfOneRun = async ({ app, read }: ReturnType<typeof appWithOneField>) => {
  const tester = createAppTester(app);
  await tester(perform);
  read.times = 0;
  await tester(perform);
  return read.times;
};

test('a run copies no output field of a shared definition', async () => {
  const one = appWithOneField();
  await expect(readsOfOneRun(one)).resolves.toBeGreaterThan(0);
  await expect(readsOfOneRun({ ...one, app: shareDefinition(one.app) })).resolves.toBe(0);
});

test('a shared definition serializes as before, and leaves the samples it was made of alone', () => {
  const { app, sample } = appWithOneField();
  const before = JSON.stringify(app);
  expect(JSON.stringify(shareDefinition(app))).toBe(before);
  expect(Object.isFrozen(sample)).toBe(false);
});

test('a field with a function in it stays a plain object, since core finds functions only there', () => {
  const { app, country } = appWithOneField();
  expect(shareDefinition(app).creates?.send?.operation.inputFields).toEqual([country]);
});

import { createAppTester, defineApp, version as platformVersion } from 'zapier-platform-core';
import { shareParts } from '../src/shared-parts';

const perform = async () => ({ id: 'one' });

/** An app with one field, and how often its label is read. */
const appWithAField = () => {
  const read = { times: 0 };
  const field = {
    key: 'name',
    get label() {
      read.times += 1;
      return 'Name';
    },
  };
  const display = { label: 'Send Note', description: 'Sends a note.' };
  const operation = { inputFields: [field], perform, sample: { id: 'one', lines: [{ text: 'Hello' }] } };
  const app = defineApp({
    version: '1.0.0',
    platformVersion,
    // Core would wrap the http of this process, which other tests use as well.
    flags: { skipHttpPatch: true },
    creates: { send: { key: 'send', noun: 'Note', display, operation } },
  });
  return { app, operation, read };
};

/** How often a run reads the label of the field, after core has seen the app once and frozen it. */
const readsOfARun = async (app: ReturnType<typeof appWithAField>['app'], read: { times: number }) => {
  const tester = createAppTester(app);
  await tester(perform);
  read.times = 0;
  await tester(perform);
  return read.times;
};

test('a run copies no field that is shared', async () => {
  const { app, read } = appWithAField();
  await expect(readsOfARun(app, read)).resolves.toBeGreaterThan(0);
  await expect(readsOfARun(shareParts(app), read)).resolves.toBe(0);
});

test('what is shared reads, compares and serializes as before', () => {
  const { app, operation } = appWithAField();
  const [before, sample] = [JSON.stringify(app), operation.sample];
  expect(JSON.stringify(shareParts(app))).toBe(before);
  expect(operation.inputFields).toEqual([{ key: 'name', label: 'Name' }]);
  expect(operation.sample).toEqual({ id: 'one', lines: [{ text: 'Hello' }] });
  expect(String(operation.sample)).toBe('[object Object]');
  expect(Object.getPrototypeOf(sample)).toBe(Object.prototype);
});

test('a field with a function in it is left alone, since core finds functions in plain objects only', () => {
  const field = { key: 'country', choices: { perform: () => ({ results: [], paging_token: null }) } };
  const operation = { inputFields: [field], perform, sample: {} };
  shareParts({ searches: { find_country: { operation } } });
  expect(Object.getPrototypeOf(field)).toBe(Object.prototype);
});

/** The editor with an app whose form and dropdowns fail, which our forms don't. */
import { createZapier } from '../../zapier';
import { type AppStep, kindOf } from '../../zapier/kinds';

/** An app of one action. Its form has a field for the detail that was chosen, and fails when it is told to. */
const createApp = () => {
  const state = { isDown: false, forms: 0, runs: 0 };
  const detail = (_z: unknown, { inputData }: { inputData: { kind?: string } }) => {
    state.forms += 1;
    if (state.isDown) throw new Error('The service is down.');
    return inputData.kind ? [{ key: `${inputData.kind}_name`, label: 'Name', meta: { of: inputData.kind } }] : [];
  };
  const app = {
    version: '1.0.0',
    platformVersion: '19.1.0',
    // Otherwise core wraps Node's HTTP clients for good, also for the next test file of this worker.
    flags: { skipHttpPatch: true },
    creates: {
      add: {
        key: 'add',
        noun: 'Thing',
        display: { label: 'Add Thing', description: 'Adds a thing.' },
        operation: {
          inputFields: [{ key: 'kind', altersDynamicFields: true, dynamic: 'list_kinds.id.name' }, detail],
          perform: (_z: unknown, { inputData, meta }: { inputData: object; meta: { inputFields?: object } }) => {
            state.runs += 1;
            return { id: state.runs, ...inputData, known: meta.inputFields };
          },
        },
      },
    },
    triggers: {
      list_kinds: {
        key: 'list_kinds',
        noun: 'Kind',
        display: { label: 'List of Kinds', hidden: true },
        operation: { perform: () => [{ id: 'tree', name: 'A Tree' }] },
      },
    },
  };
  return { app, state };
};

const start = async () => {
  const { app, state } = createApp();
  const zapier = await createZapier(app).startZapier({
    clock: { now: () => 0, at: () => undefined },
    authData: {},
    address: 'http://127.0.0.1:9',
  });
  const step: AppStep = { type: 'app', id: 'step', operation: 'creates.add', values: {}, labels: {} };
  const zap = zapier.zaps.add([{ type: 'delay', id: 'first', value: '1', unit: 'hours' }, step]);
  const keys = () => step.form?.fields.map(({ key }) => key);
  stops.push(zapier.stop);
  return { ...zapier, zap, step, state, keys };
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

test('a step keeps its form until a value that alters it changes', async () => {
  const { editor, zap, step, state, keys } = await start();
  expect(await editor.open(zap, 1)).toBeUndefined();
  expect(await editor.open(zap, 1)).toBeUndefined();
  expect([state.forms, keys()]).toEqual([1, ['kind']]);
  step.values = { kind: 'tree' };
  await editor.open(zap, 1);
  step.values = { kind: 'tree', tree_name: 'Oak' };
  await editor.open(zap, 1);
  expect([state.forms, keys()]).toEqual([2, ['kind', 'tree_name']]);
  await editor.refresh(zap, 1);
  expect(state.forms).toBe(3);
});

test('a test of a step runs it once with what its form knows, and computes no form', async () => {
  const { editor, zap, step, state } = await start();
  step.values = { kind: 'tree', tree_name: 'Oak' };
  await editor.open(zap, 1);
  const { forms } = state;
  expect(await editor.findProblems(zap, 1)).toEqual({});
  await editor.run(zap, 1, true);
  expect(state).toMatchObject({ forms, runs: 1 });
  expect(step.example).toEqual({
    id: 1,
    kind: 'tree',
    tree_name: 'Oak',
    known: { kind: {}, tree_name: { of: 'tree' } },
  });
});

test('a form that the app cannot give is asked for again, and one that it gave before stays', async () => {
  const { editor, zap, step, state, keys } = await start();
  state.isDown = true;
  expect(await editor.open(zap, 1)).toBe('The service is down.');
  expect(await editor.findProblems(zap, 1)).toEqual({ operation: 'The service is down.' });
  await expect(editor.listChoices(zap, 1, 'kind', {})).rejects.toThrow('The service is down.');
  state.isDown = false;
  expect(await editor.open(zap, 1)).toBeUndefined();
  state.isDown = true;
  expect(await editor.refresh(zap, 1)).toBe('The service is down.');
  expect(keys()).toEqual(['kind']);
  expect(await editor.findProblems(zap, 1)).toEqual({});
  // With another value, the form that stayed is the wrong one.
  step.values = { kind: 'tree' };
  expect(await editor.findProblems(zap, 1)).toEqual({ operation: 'The service is down.' });
});

test('a dropdown names what was chosen, and lists its choices', async () => {
  const { editor, zap, step } = await start();
  step.values = { kind: 'tree' };
  await editor.open(zap, 1);
  expect(step.labels).toEqual({ kind: 'A Tree' });
  const list = { choices: [{ value: 'tree', label: 'A Tree' }] };
  expect(await editor.listChoices(zap, 1, 'kind', {})).toEqual(list);
});

describe('a field that depends on another one', () => {
  const field = (key: string) => ({ key, label: key, isDropdown: true });
  const fields = [field('folder'), { ...field('sheet'), dependsOn: ['folder'] }, field('row')];
  const filled: AppStep = {
    type: 'app',
    id: 'step',
    operation: 'creates.add',
    values: { folder: 'one', sheet: 'orders', row: '1' },
    labels: { sheet: 'Orders' },
    form: { fields, computedFrom: {} },
  };

  test.each([
    ['is emptied when the other one changes', filled.values, { folder: 'two', sheet: 'orders', row: '1' }, ''],
    ['is emptied when the other one is emptied', filled.values, { folder: '', sheet: 'orders' }, ''],
    ['is kept when the other one stays', filled.values, { folder: 'one', sheet: 'orders', row: '2' }, 'orders'],
    ['is kept when a field changes that it does not depend on', filled.values, { row: '2' }, 'orders'],
    ['is kept when the other one was empty', { sheet: 'orders' }, { folder: 'one', sheet: 'orders' }, 'orders'],
    ['takes a value that comes with the other one', filled.values, { folder: 'two', sheet: 'letters' }, 'letters'],
  ])('%s', (_, values, entered, sheet) => {
    const step = { ...filled, values };
    expect(kindOf(step).enter(step, entered, {})).toMatchObject({ values: { ...entered, sheet } });
  });
});

/** What a step needs, from its fields and its last test. */
import { createZapier } from '../../zapier';
import { type StepState, stateOf } from '../../zapier/editor/step-state';
import type { AppStep, Step } from '../../zapier/kinds';
import { swapSteps, withCopy, withNewStep } from '../../zapier/zap/arrange';
import { withStep } from '../../zapier/zap/renumber';

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
        inputFields: [{ key: 'name', label: 'Name', required: true }],
        perform: (_z: unknown, { inputData }: { inputData: { name: string } }) => {
          if (inputData.name === 'broken') throw new Error('The service is down.');
          return { id: 1 };
        },
      },
    },
  },
};

const row: Step = {
  type: 'other',
  id: 'row',
  app: 'Sheets',
  event: 'New Row',
  fields: {},
  json: '{"id": 1, "a.b": 2, "name": "Noor"}',
};

const start = async (name: string) => {
  const zapier = createZapier(app);
  const { editor, zaps, runs, runner, stop } = await zapier.startZapier({
    clock: { now: () => 0, at: () => undefined },
    authData: {},
    address: 'http://127.0.0.1:9',
  });
  stops.push(stop);
  const step: AppStep = { type: 'app', id: 'step', operation: 'creates.add', values: { name }, labels: {} };
  const zap = zaps.add([row, step]);
  const state = (index = 1): StepState => stateOf(zapier.definition, zap.steps, index, runs.list());
  return { definition: zapier.definition, editor, zaps, runner, zap, step, state };
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

test('a required field that is empty is named before and after the step was opened', async () => {
  const { editor, zap, state } = await start('');
  const expected = { status: 'incomplete', problems: { name: 'Name is empty. Fill it in and try again.' } };
  expect(state()).toEqual(expected);
  await editor.open(zap, 1);
  expect(state()).toEqual(expected);
});

test('a step is tested until it does something else, also when it moves or gets a name', async () => {
  const { definition, editor, zaps, zap, state } = await start('{{1.name}}');
  expect(state()).toEqual({ status: 'complete' });
  await editor.open(zap, 1);
  await editor.run(zap, 1, true);
  expect(state()).toEqual({ status: 'tested' });
  zaps.arrange(zap, withNewStep(zap.steps, 1, 'delay'));
  expect([state(1), state(2)]).toEqual([{ status: 'complete' }, { status: 'tested' }]);
  const swapped = swapSteps(definition, zap.steps, 1);
  if (typeof swapped !== 'string') zaps.arrange(zap, swapped);
  zaps.change(zap, { steps: zap.steps.map((step) => ({ ...step, name: 'Renamed' })) });
  expect(state(1)).toEqual({ status: 'tested' });
  zaps.change(zap, {
    steps: zap.steps.map((step) => (step.type === 'app' ? { ...step, values: { name: 'x' } } : step)),
  });
  expect(state(1)).toEqual({ status: 'complete' });
});

test('a step that maps the same name from another step is untested', async () => {
  const { editor, zaps, zap, state } = await start('{{1.name}}');
  zaps.arrange(zap, withStep(zap.steps, 1, { ...row, id: 'other row' }));
  await editor.open(zap, 2);
  await editor.run(zap, 2, true);
  expect(state(2)).toEqual({ status: 'tested' });
  const remapped = (step: Step): Step => (step.type === 'app' ? { ...step, values: { name: '{{2.name}}' } } : step);
  zaps.change(zap, { steps: zap.steps.map(remapped) });
  expect(state(2)).toEqual({ status: 'complete' });
});

test('a step whose test failed says so until it succeeds, and its copy is untested', async () => {
  const { editor, zaps, zap, state } = await start('broken');
  await editor.open(zap, 1);
  await editor.run(zap, 1, true);
  expect(state()).toEqual({ status: 'failed', message: 'The service is down.' });
  zaps.arrange(zap, withCopy(zap.steps, 1));
  expect(state(2)).toEqual({ status: 'complete' });
  zaps.undo(zap);
  zaps.change(zap, {
    steps: zap.steps.map((step) => (step.type === 'app' ? { ...step, values: { name: 'x' } } : step)),
  });
  await editor.run(zap, 1, true);
  expect(state()).toEqual({ status: 'tested' });
});

test('names with a dot in what a step maps stay the same when steps move', async () => {
  const { definition } = await start('');
  const reader: Step = { ...row, id: 'reader', fields: { Text: '{{1.a.b}} {{1.name}}' } };
  const steps = withNewStep([row, reader], 1, 'filter');
  const moved = swapSteps(definition, steps, 1);
  expect(moved).toMatchObject([{ id: 'row' }, { fields: { Text: '{{1.a.b}} {{1.name}}' } }, { type: 'filter' }]);
});

test('a rule that compares numbers takes no other text', async () => {
  const { definition } = await start('');
  const stateWith = (text: string) => {
    const filter: Step = {
      type: 'filter',
      id: 'filter',
      rules: [{ value: '{{1.id}}', condition: '(Number) Less than', text }],
    };
    return stateOf(definition, [row, filter], 1, []);
  };
  expect(stateWith('few')).toEqual({
    status: 'incomplete',
    problems: { 'text-0': 'Rule 1 takes a number, not "few".' },
  });
  expect([stateWith('2.5'), stateWith('{{1.id}}')]).toEqual([{ status: 'complete' }, { status: 'complete' }]);
});

test('a step at which a whole run stopped says so until a run gets past it, or somebody changes it', async () => {
  const { editor, zaps, runner, zap, step, state } = await start('Noor');
  await editor.run(zap, 1, true);
  await runner.startWith(zap, 'live', { id: 1 });
  expect(state()).toEqual({ status: 'tested' });
  zaps.change(zap, { steps: zap.steps.with(1, { ...step, values: { name: 'broken' } }) });
  await runner.startWith(zap, 'live', { id: 1 });
  expect([state(0), state()]).toEqual([{ status: 'complete' }, { status: 'failed', message: 'The service is down.' }]);
  zaps.change(zap, { steps: zap.steps.with(1, { ...step, values: { name: 'Noor' } }) });
  expect(state()).toEqual({ status: 'tested' });
});

/** A Zap in the editor: its steps, their order, forms and data. */

import fc from 'fast-check';
import * as z from 'zod/mini';
import { createZapier } from '..';
import type { StepResult } from '../core/result';
import { formatGuide } from '../editor/guide';
import { findShownProblems, findStepProblems } from '../editor/problems';
import { changeRecord, type Row, rowsOf } from '../editor/record-rows';
import { type StepState, stateOf } from '../editor/step-state';
import { readRecord } from '../fields/json-record';
import { type Condition, checkRules, conditions, describeRule, takesText } from '../fields/rules';
import { type AppStep, kindOf, type Step, stepAlone, toStep } from '../kinds';
import { swapSteps, withCopy, withNewStep, withoutStepOrPath } from '../zap/arrange';
import type { Zaps } from '../zap/kept-zaps';
import { isFiltered, isSkipped, leadingTo } from '../zap/paths';
import { withStep } from '../zap/renumber';
import { findBrokenStep } from '../zap/steps';
import { maxSteps, type Zap, zap as zapSchema } from '../zap/zap';
import { note, startApp, startSmall, stopAll, trigger } from './small-app';

afterEach(stopAll);

describe('the editor', () => {
  /** An app of one action. Its form has a field for the detail that was chosen, and fails when it is told to. */
  const createApp = () => {
    const state = { isDown: false, forms: 0, runs: 0 };
    const detail = (_z: unknown, { inputData }: { inputData: { kind?: string } }) => {
      state.forms += 1;
      if (state.isDown) throw new Error('The service is down.');
      return inputData.kind ? [{ key: `${inputData.kind}_name`, label: 'Name', meta: { of: inputData.kind } }] : [];
    };
    const app = {
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
    const zapier = await startApp(app);
    const step: AppStep = { type: 'app', id: 'step', operation: 'creates.add', values: {}, labels: {} };
    const zap = zapier.zaps.add([{ type: 'delay', id: 'first', value: '1', unit: 'hours' }, step]);
    const keys = () => step.form?.fields.map(({ key }) => key);
    return { ...zapier, zap, step, state, keys };
  };

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
});

describe('problems', () => {
  const stepWith = (text: string): AppStep => ({
    type: 'app',
    id: 'step',
    operation: 'creates.add',
    values: { text },
    labels: {},
  });

  const reference = fc.stringMatching(/^[\w ]{1,20}$/).map((name) => `{{1.${name}}}`);

  test('half a reference is named, wherever it is and whichever part is left', () => {
    for (const half of ['{{1.Row Number}', '{{1.Row Number', '{{', '{1.Row Number}}', '{{1.}}', '{{Row Number}}']) {
      for (const text of [half, `${half}whatsapp`, `Hello {{1.Name}} ${half}`, `${half} {{1.Name}}`]) {
        expect([text, findBrokenStep(stepWith(text), 1)]).toEqual([
          text,
          expect.stringMatching(/^The field text has only part of a mapped value, ".{2,40}"\./),
        ]);
      }
    }
  });

  test('a reference that loses any of its braces is named', () => {
    const lost = fc.tuple(reference, fc.constantFrom(0, 1, -1, -2)).map(([text, at]) => {
      const index = at < 0 ? text.length + at : at;
      return text.slice(0, index) + text.slice(index + 1);
    });
    fc.assert(
      fc.property(lost, (text) => {
        expect(findBrokenStep(stepWith(text), 1)).toContain('has only part of a mapped value');
      }),
    );
  });

  test('whole references, braces in texts and JSON have no problem', () => {
    for (const text of ['{{1.Name}}{{1.Row Number}}', '{a} {1} {1.5}', '{"a":{"b":{"c":1.5}}}', ':-} {', '']) {
      expect([text, findBrokenStep(stepWith(text), 1)]).toEqual([text, undefined]);
    }
  });
});

describe('the state of a step', () => {
  const app = {
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

  /** Enters a name in the form of each step that has one. */
  const enter = (zaps: Zaps, zap: Zap, name: string) =>
    zaps.change(zap, {
      steps: zap.steps.map((step) => (step.type === 'app' ? { ...step, values: { name } } : step)),
    });

  const start = async (name: string) => {
    const { definition, editor, zaps, runs, runner } = await startApp(app);
    const step: AppStep = { type: 'app', id: 'step', operation: 'creates.add', values: { name }, labels: {} };
    const zap = zaps.add([row, step]);
    const state = (index = 1): StepState => stateOf(definition, zap.steps, index, runs.list());
    return { definition, editor, zaps, runner, zap, step, state };
  };

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
    enter(zaps, zap, 'x');
    expect(state(1)).toEqual({ status: 'complete' });
  });

  test('a step that maps the same name from another step is untested', async () => {
    const { editor, zaps, zap, state } = await start('{{1.name}}');
    zaps.arrange(zap, withStep(zap.steps, 1, { ...row, id: 'other row' }));
    await editor.open(zap, 2);
    await editor.run(zap, 2, true);
    expect(state(2)).toEqual({ status: 'tested' });
    enter(zaps, zap, '{{2.name}}');
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
    enter(zaps, zap, 'x');
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
    const { editor, zaps, runner, zap, state } = await start('Noor');
    await editor.run(zap, 1, true);
    await runner.startWith(zap, 'live', { id: 1 });
    expect(state()).toEqual({ status: 'tested' });
    enter(zaps, zap, 'broken');
    await runner.startWith(zap, 'live', { id: 1 });
    expect([state(0), state()]).toEqual([
      { status: 'complete' },
      { status: 'failed', message: 'The service is down.' },
    ]);
    enter(zaps, zap, 'Noor');
    expect(state()).toEqual({ status: 'tested' });
  });
});

describe('the order of steps', () => {
  const textsOf = (steps: readonly Step[]) => steps.map((each) => (each.type === 'app' ? each.values.name : each.type));

  /** A path that continues if a value is there. */
  const path = (id: string, value: string): Step => ({
    type: 'path',
    id,
    name: id,
    rules: [{ value, condition: 'Exists', text: '' }],
  });

  const steps = [trigger(), note('{{1.id}}'), note('{{2.id}}'), note('{{3.id}} {{2.name}} {{1.id}}')];

  const form = { fields: [{ key: 'name', label: 'Name', isDropdown: false }], computedFrom: {} };
  const withForm = (each: Step): Step => (each.type === 'app' ? { ...each, form } : each);

  test('steps after a removed one keep what they map, and what they mapped from it is marked', () => {
    expect(textsOf(withoutStepOrPath(steps, 1)).slice(1)).toEqual([
      '{{removed.id}}',
      '{{2.id}} {{removed.name}} {{1.id}}',
    ]);
  });

  test('steps after a new one or a copy keep what they map', () => {
    const renumbered = ['{{3.id}}', '{{4.id}} {{3.name}} {{1.id}}'];
    const added = withNewStep(steps, 1, 'creates.note');
    expect(textsOf(added).slice(2)).toEqual(['{{1.id}}', ...renumbered]);
    const copied = withCopy(steps, 1);
    expect(textsOf(copied).slice(1)).toEqual(['{{1.id}}', '{{1.id}}', '{{2.id}}', '{{4.id}} {{2.name}} {{1.id}}']);
    expect(new Set(copied.map(({ id }) => id)).size).toBe(copied.length);
  });

  test('a step moves with its data, unless the next one uses it or it would leave its place', async () => {
    const { definition } = await startSmall();
    const free = [trigger(), note('{{1.id}}'), note('{{1.name}}'), note('{{3.id}} {{2.id}}')];
    const swapped = swapSteps(definition, free, 1);
    expect(typeof swapped === 'string' ? swapped : textsOf(swapped).slice(1)).toEqual([
      '{{1.name}}',
      '{{1.id}}',
      '{{2.id}} {{3.id}}',
    ]);
    expect(swapSteps(definition, free, 2)).toBe(
      'Step 4, Act note, uses data of step 3, Act note, and has to come after that step, so nothing moved.',
    );
    for (const at of [0, 3]) expect(swapSteps(definition, free, at)).toContain('at the end of its Zap');
  });

  test('a first path brings a second one, and a removed path takes its steps along', () => {
    const withPaths = withNewStep(steps.slice(0, 2), 2, 'path');
    expect(withPaths.slice(2)).toMatchObject([{ name: 'Path A' }, { name: 'Path B' }]);
    const both = [...steps.slice(0, 2), path('A', '{{2.id}}'), note('on A'), path('B', '{{1.id}}'), note('on B')];
    expect(textsOf(withoutStepOrPath(both, 2)).slice(2)).toEqual(['path', 'on B']);
  });

  test('a Zap takes no more steps than Zapier', async () => {
    const { zaps, zapOf } = await startSmall();
    const zap = zapOf(...Array.from({ length: maxSteps - 1 }, (_, id) => note(`step ${id}`)));
    zaps.arrange(zap, withNewStep(zap.steps, 1, 'creates.note'));
    expect([zap.steps.length, zaps.canUndo(zap)]).toEqual([maxSteps, false]);
  });

  test.each<[string, Step, string, string]>([
    ['a removed step', note('{{removed.id}}'), 'name', 'Name uses data of a step that was removed. Choose other data.'],
    [
      'data that a step lacks',
      note('{{1.a.b}}'),
      'name',
      'Name uses "a.b" of step 1, but that step has no such data. Choose other data.',
    ],
    ['a step that comes later', note('{{9.id}}'), 'name', "Name uses step 9, which isn't an earlier step"],
    [
      'a removed step in a rule',
      path('A', '{{removed.id}}'),
      'value-0',
      'Rule 1 uses data of a step that was removed.',
    ],
  ])('%s is named at the field that maps it', async (_, last, key, sentence) => {
    const { definition } = await startSmall();
    expect(findShownProblems(definition, withForm(last), steps.slice(0, 2))).toEqual({
      [key]: expect.stringContaining(sentence),
    });
  });

  test('data of another path is named, and data of the own path and of the steps before is not', async () => {
    const { definition } = await startSmall();
    const before = [...steps.slice(0, 2), path('A', '{{2.id}}'), note('on A'), path('B', '{{1.id}}')];
    const problemsOf = (name: string) => findShownProblems(definition, withForm(note(name)), before);
    expect(problemsOf('{{4.id}}')).toEqual({
      name: 'Name uses step 4, which is on another path. Choose other data.',
    });
    expect(problemsOf('{{1.id}} {{2.id}}')).toEqual({});
  });
});

describe('paths', () => {
  type Kind = 'app' | 'filter' | 'path' | 'fallback';

  const stepsOf = (kinds: readonly Kind[]) =>
    kinds.map((type) =>
      type === 'fallback' ? { type: 'path' as const, rules: [] } : { type, ...(type === 'path' && { rules: [{}] }) },
    );

  /** Runs steps of which those at the given positions stop. Returns the status of each, and of the run. */
  const run = (kinds: readonly Kind[], stopping: readonly number[]) => {
    const [steps, results]: [ReturnType<typeof stepsOf>, StepResult[]] = [stepsOf(kinds), []];
    for (const at of steps.keys()) {
      const stops = isSkipped(steps, results, at) || stopping.includes(at);
      results.push({ title: 'Step', status: stops ? 'filtered' : 'success', requests: [] });
    }
    const ran = [...results.keys()].filter((at) => results[at]?.status === 'success');
    return { ran, isFiltered: isFiltered(steps, results) };
  };

  test('a filter that stops ends the run, also after steps that ran and before paths', () => {
    expect(run(['app', 'app', 'filter', 'app'], [2])).toEqual({ ran: [0, 1], isFiltered: true });
    expect(run(['app', 'filter', 'path', 'app', 'path', 'app'], [1])).toEqual({ ran: [0], isFiltered: true });
    expect(run(['app', 'filter', 'app'], [])).toEqual({ ran: [0, 1, 2], isFiltered: false });
  });

  test('a path that stops is skipped up to the next one', () => {
    const kinds: Kind[] = ['app', 'path', 'app', 'path', 'app', 'app'];
    expect(run(kinds, [1])).toEqual({ ran: [0, 3, 4, 5], isFiltered: false });
    expect(run(kinds, [3])).toEqual({ ran: [0, 1, 2], isFiltered: false });
    expect(run(kinds, [1, 3])).toEqual({ ran: [0], isFiltered: true });
  });

  test('a filter on a path stops that path alone', () => {
    const kinds: Kind[] = ['app', 'path', 'filter', 'app', 'path', 'app'];
    expect(run(kinds, [2])).toEqual({ ran: [0, 1, 4, 5], isFiltered: false });
    expect(run(kinds, [2, 4])).toEqual({ ran: [0, 1], isFiltered: true });
  });

  test('the fallback runs if no path before it does', () => {
    const kinds: Kind[] = ['app', 'path', 'app', 'path', 'app', 'fallback', 'app'];
    expect(run(kinds, [1])).toEqual({ ran: [0, 3, 4], isFiltered: false });
    expect(run(kinds, [1, 3])).toEqual({ ran: [0, 5, 6], isFiltered: false });
  });

  test('a step reads the steps before the paths and those on its own path', () => {
    const steps = stepsOf(['app', 'app', 'path', 'app', 'path', 'app', 'app']);
    expect(leadingTo(steps, 3)).toEqual([0, 1, 2]);
    expect(leadingTo(steps, 4)).toEqual([0, 1]);
    expect(leadingTo(steps, 6)).toEqual([0, 1, 4, 5]);
  });

  test('a step with a condition of an earlier version is not read, because without it the step would always run', () => {
    const step = { type: 'other', id: 'a', app: 'Sheets', event: 'New Row', fields: {}, json: '{}' };
    const read = (extra: object) =>
      zapSchema.safeParse({ id: 'zap-1', title: 'Earlier', steps: [{ ...step, ...extra }], isOn: false, seen: [] });
    expect(read({}).success).toBe(true);
    expect(read({ onlyIf: { value: '{{1.status}}', is: 'failed' } }).success).toBe(false);
  });
});

describe('rules', () => {
  const passes = (condition: Condition, found: string, text: string): boolean | undefined =>
    checkRules([{ value: '{{1.value}}', condition, text }], [{ value: found }])[0]?.passes;

  test.each<[Condition, string, string, boolean]>([
    ['(Text) Exactly matches', 'failed', 'failed', true],
    ['(Text) Exactly matches', 'failed later', 'failed', false],
    ['(Text) Does not exactly match', 'read', 'failed', true],
    ['(Text) Does not exactly match', 'failed', 'failed', false],
    ['(Text) Contains', 'Where is my parcel?', 'parcel', true],
    ['(Text) Contains', 'Hello', 'parcel', false],
    ['(Text) Contains', 'Yes please', 'yes', true],
    ['(Text) Contains', 'yes please', 'YES', true],
    ['(Text) Does not contain', 'Yes please', 'yes', false],
    ['(Text) Exactly matches', 'Yes', 'yes', false],
    ['(Text) Does not exactly match', 'Yes', 'yes', true],
    ['(Text) Does not contain', 'Hello', 'parcel', true],
    ['(Text) Does not contain', 'my parcel', 'parcel', false],
    ['Exists', 'x', '', true],
    ['Exists', ' ', '', false],
    ['Does not exist', '', '', true],
    ['Does not exist', 'x', '', false],
    ['(Boolean) Is true', 'true', '', true],
    ['(Boolean) Is true', 'True', '', true],
    ['(Boolean) Is true', 'false', '', false],
    ['(Boolean) Is true', '', '', false],
    ['(Boolean) Is false', 'false', '', true],
    ['(Boolean) Is false', '', '', false],
    ['(Number) Greater than', '10', '9', true],
    ['(Number) Greater than', '9', '9', false],
    ['(Number) Greater than', '', '-1', false],
    ['(Number) Less than', '9.5', '10', true],
    ['(Number) Less than', 'few', '10', false],
  ])('%s: "%s" and "%s" is %s', (condition, found, text, expected) => {
    expect(passes(condition, found, text)).toBe(expected);
  });

  test.each(conditions.filter(takesText))('%s does not pass without a text to compare with', (condition) => {
    for (const found of ['', 'x', '1']) {
      expect(checkRules([{ value: found, condition, text: '{{1.missing}}' }], [{}])[0]?.passes).toBe(false);
      expect(checkRules([{ value: found, condition, text: '{{1.blank}}' }], [{ blank: ' ' }])[0]?.passes).toBe(false);
    }
  });

  test('a rule compares the data of two steps, also when one gives a number or nothing', () => {
    const rule = { value: '{{1.count}}', condition: '(Number) Greater than', text: '{{2.limit}}' } as const;
    expect(checkRules([rule], [{ count: 3 }, { limit: 2 }])).toEqual([
      { passes: true, compared: '"3" (Number) Greater than "2"' },
    ]);
    expect(checkRules([{ ...rule, condition: 'Does not exist' }], [{}, undefined])).toEqual([
      { passes: true, compared: '"" Does not exist' },
    ]);
  });

  test('a rule that does not match says so', () => {
    expect(describeRule({ passes: true, compared: '"A" Exists' })).toBe('"A" Exists');
    expect(describeRule({ passes: false, compared: '"" Exists' })).toBe('"" Exists, which doesn\'t match');
  });
});

describe('Formatter', () => {
  const { definition } = createZapier({ version: '1.0.0', platformVersion: '19.1.0' });

  const row = (record: object): Step =>
    toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: JSON.stringify(record) });

  /** What Formatter gives for the text of a row, or its error. */
  const format = async (text: unknown, settings: object): Promise<unknown> => {
    const { zaps, editor } = await startApp({});
    const step = stepAlone.parse({ type: 'formatter', id: 'formatter', input: '{{1.text}}', ...settings });
    const run = await editor.run(zaps.add([row({ text }), step]), 1, true);
    const [result] = run?.steps ?? [];
    return result?.failure?.message ?? result?.output;
  };

  test.each([
    ['Noor Visser', 'first', '[:space:]', 'Noor'],
    ['  Noor   van der Visser ', 'last', '', 'Visser'],
    ['a,b,c', 'second', ',', 'b'],
    ['Ada', 'second', ' ', ''],
  ])('splits "%s" and gives the %s part', async (text, segment, separator, output) => {
    expect(await format(text, { transform: 'split', segment, separator })).toEqual({ output });
  });

  test.each([
    [['a', 'b, c'], '[:newline:]', 'a\nb, c'],
    [['a', 'b'], '', 'a,b'],
    [['a'], ' / ', 'a'],
    ['a', '[:newline:]', 'a'],
    [[], '[:newline:]', ''],
  ])('writes the line items %j with "%s" between them', async (items, separator, text) => {
    expect(await format(items, { transform: 'join', separator })).toEqual({ output: { text } });
  });

  test.each([
    ['2026-01-22', 'MM/DD/YYYY', 'America/New_York', '01/22/2026'],
    ['2026-01-22T00:30:00Z', 'MMMM D, YYYY', 'America/New_York', 'January 21, 2026'],
    ['2026-01-22T23:04:00+0200', 'HH:mm', '', '21:04'],
    ['2026-01-22T23:04:00Z', 'dddd, MMMM D, h:mm A', 'UTC', 'Thursday, January 22, 11:04 PM'],
    ['2026-01-22T00:30:00Z', 'dddd, MMMM D, h:mm A', 'UTC', 'Thursday, January 22, 12:30 AM'],
    ['2026-01-22T23:04:00Z', 'DD/MM/YYYY', 'Pacific/Auckland', '23/01/2026'],
  ])('formats %s as %s in "%s"', async (text, to, zone, output) => {
    expect(await format(text, { transform: 'date', format: to, zone })).toEqual({ output });
  });

  test.each(['', '1/2/2026', '2026-01-22T23:04', '2026-02-30', 'tomorrow', '2026-13-01'])(
    'refuses "%s", which may not be one moment',
    async (text) => {
      expect(await format(text, { transform: 'date', format: 'HH:mm' })).toMatch(/^Input: ".*" isn't a date such as/);
    },
  );

  test.each([
    ['Check-up. Phone: +1 (202) 555-0151, parking needed', '+1 (202) 555-0151'],
    ['Room 12, 202.555.0151', '202.555.0151'],
    ['Room 12 at 2:30', ''],
    ['', ''],
  ])('finds in "%s" the phone number "%s"', async (text, output) => {
    expect(await format(text, { transform: 'phone' })).toEqual({ output });
  });

  test('refuses a time zone, a length and a transform that there is none of', async () => {
    expect(await format('2026-01-22T00:30:00Z', { transform: 'date', format: 'HH:mm', zone: 'Mars' })).toMatch(
      /^To Timezone:/,
    );
    expect(await format('text', { transform: 'truncate', length: 'ten' })).toMatch(
      /^Max Length must be a whole number/,
    );
    expect(await format('text', { transform: 'reverse' })).toMatch(/^Transform has no such choice/);
  });

  test('a text is cut between characters, and the default value takes the place of an empty one alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.nat(50), async (text, length) => {
        const cut = await format(text, { transform: 'truncate', length: `${length}` });
        expect(cut).toEqual({ output: [...text].slice(0, length).join('') });
        const whole = await format(text, { transform: 'fallback', fallback: 'there' });
        expect(whole).toEqual({ output: text.trim() === '' ? 'there' : text });
      }),
      { numRuns: 30 },
    );
  });

  test('its form has the fields of its transform, and its guide says what to fill in', () => {
    const step = toStep({ type: 'formatter', transform: 'truncate', input: '{{1.text}}', separator: '{{9.x}}' });
    expect(findStepProblems(definition, step, [row({ text: 'a' })])).toEqual({
      length: 'Max Length is empty. Fill it in and try again.',
    });
    const zap = { id: 'zap-1', title: 'Names', steps: [row({}), step], isOn: false, seen: [] };
    expect(formatGuide(definition, 'Parcels', zap)).toContain(
      '2. Action: Formatter by Zapier, Transform\n   - Transform: Text: Truncate\n   - Input: [1. text]\n   - Max Length: (fill this in)',
    );
  });
});

describe('a guide', () => {
  const labels = {
    channel: 'Channel',
    contact__phone: 'Contact Phone Number',
    contact__first_name: 'Contact First Name',
  };
  const outputFields = Object.entries({ ...labels, text: 'Text' }).map(([key, label]) => ({ key, label }));
  const display = { label: 'New Inbound Message', description: 'Triggers when somebody writes.' };
  const message_received = { key: 'message_received', noun: 'Message', display, operation: { outputFields } };
  const { definition } = createZapier({
    version: '1.0.0',
    platformVersion: '19.1.0',
    triggers: { message_received },
  });

  const zap: Zap = {
    id: 'zap-1',
    title: 'Tell a customer',
    isOn: false,
    seen: [],
    steps: [
      {
        type: 'app',
        id: 'a',
        operation: 'triggers.message_received',
        values: { channel: 'whatsapp', contains: ['parcel', 'box'] },
        labels: { channel: 'WhatsApp' },
        form: {
          fields: [
            { key: 'channel', label: 'Channel', isDropdown: true },
            { key: 'contains', label: 'Words or Phrases', list: true, isDropdown: false },
            { key: 'note', label: 'Note', type: 'copy', isDropdown: false },
            { key: 'match', label: 'Match', isDropdown: false, required: true },
          ],
          computedFrom: {},
        },
      },
      { type: 'delay', id: 'b', value: '1', unit: 'hours' },
      {
        type: 'filter',
        id: 'd',
        rules: [
          { value: '{{1.channel}}', condition: '(Text) Does not exactly match', text: 'sms' },
          { value: '{{1.contact.phone}}', condition: 'Exists', text: '' },
        ],
      },
      {
        type: 'other',
        id: 'c',
        app: 'Slack',
        event: 'Send Channel Message',
        fields: { Text: 'From {{1.contact.first_name}}:\n{{1.text}}', Channel: '{{1.unknown}}' },
        json: '{}',
      },
    ],
  };

  test('a Zap is a list of steps with their apps, filled fields, mapped data and filters', () => {
    expect(formatGuide(definition, 'Parcels', zap)).toBe(`# Tell a customer

Brackets stand for data of an earlier step. For [1. Phone], for example, insert Phone from step 1.

1. Trigger: Parcels, New Inbound Message
   - Channel: WhatsApp
   - Words or Phrases: parcel, box
   - Match: (fill this in)
2. Action: Delay by Zapier, Delay For
   - Time Delayed For: 1 hour
3. Action: Filter by Zapier, Only continue if
   - Rule: [1. Channel] (Text) Does not exactly match sms
   - And: [1. Contact Phone Number] Exists
4. Action: Slack, Send Channel Message
   - Text:
     > From [1. Contact First Name]:
     > [1. Text]
   - Channel: [1. unknown]
`);
  });

  test('a Zap that maps nothing explains no brackets', () => {
    const steps = zap.steps.slice(0, 2);
    expect(formatGuide(definition, 'Parcels', { ...zap, steps })).not.toContain('Brackets');
  });
});

describe('JSON', () => {
  const inJson = (number: string) => readRecord(`{"order": {"ids": [${number}]}}`).record;

  test('no digit of a whole number is lost, however long it is', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), (id) => {
        const { ids } = Object(inJson(String(id))).order;
        expect(String(ids[0])).toBe(String(id));
      }),
    );
  });

  test.each(['12.5', '0', '-0.25', '1e3', '9007199254740991'])('the number %s stays a number', (number) => {
    expect(inJson(number)).toEqual({ order: { ids: [Number(number)] } });
  });

  test.each(['12345678901234567890', '9007199254740993', '1e400'])('the number %s becomes a text', (number) => {
    expect(inJson(number)).toEqual({ order: { ids: [number] } });
  });
});

describe('rows of a record', () => {
  const order = {
    id: 5123,
    'a.b': 'dot',
    customer: { name: 'Noor', tags: [], address: { city: 'Utrecht' } },
    items: [{ title: 'Box' }, { title: 'Bag' }],
    gift: false,
    note: null,
  };

  /** The record after its table has other names or texts, by the name of the row. */
  const change = (record: object, changes: Record<string, Partial<Row>>, added: readonly Row[] = []) => {
    const rows = rowsOf(record).rows.map((row) => ({ ...row, ...changes[row.name] }));
    return Object.fromEntries(changeRecord(record, [...rows, ...added]));
  };

  const asBrowserPosts = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').toWellFormed();
  const inOneLine = (name: string) => asBrowserPosts(name).replaceAll('\n', '');

  test('a table that nobody changed keeps every value, its type, and the order of names', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (given) => {
        const record = z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(given)));
        const rows = rowsOf(record).rows.map((row) => ({
          ...row,
          name: inOneLine(row.name),
          text: asBrowserPosts(row.text),
        }));
        expect(JSON.stringify(Object.fromEntries(changeRecord(record, rows)))).toBe(JSON.stringify(record));
      }),
    );
  });

  test('values inside of others have all names with dots between them', () => {
    expect(rowsOf(order).rows.map(({ name, text }) => [name, text])).toEqual([
      ['id', '5123'],
      ['a.b', 'dot'],
      ['customer.name', 'Noor'],
      ['customer.tags', ''],
      ['customer.address.city', 'Utrecht'],
      ['items.0.title', 'Box'],
      ['items.1.title', 'Bag'],
      ['gift', 'false'],
      ['note', ''],
    ]);
  });

  test('another text changes one value, and numbers and booleans keep their type', () => {
    const changed = change(order, {
      id: { text: '12.5' },
      'a.b': { text: '7' },
      'customer.address.city': { text: 'Delft' },
      'items.1.title': { text: 'Letter' },
      gift: { text: 'true' },
      note: { text: 'Ring twice' },
    });
    expect(changed).toEqual({
      id: 12.5,
      'a.b': '7',
      customer: { name: 'Noor', tags: [], address: { city: 'Delft' } },
      items: [{ title: 'Box' }, { title: 'Letter' }],
      gift: true,
      note: 'Ring twice',
    });
    expect(change(order, { id: { text: 'five' }, gift: { text: 'yes' } })).toMatchObject({ id: 'five', gift: 'yes' });
  });

  test('a row is renamed in its place, removed without name and text, and added at the end', () => {
    const added = { path: undefined, name: 'c.d', text: '1' };
    const changed = change(order, { 'a.b': { name: 'x.y' }, id: { name: '', text: '' } }, [added]);
    expect(Object.keys(changed)).toEqual(['x.y', 'customer', 'items', 'gift', 'note', 'c.d']);
    expect(changed).toMatchObject({ 'x.y': 'dot', 'c.d': '1' });
  });

  test('a row of a value that was renamed or removed meanwhile changes what has its new name, or nothing', () => {
    const renamed = { path: ['old'], name: 'gift', text: 'true' };
    const gone = { path: ['customer', 'age', 'years'], name: 'customer.age.years', text: '7' };
    expect(Object.fromEntries(changeRecord(order, [renamed, gone]))).toEqual({ ...order, gift: true });
  });

  test('a name that JavaScript uses itself is a name like any other', () => {
    const record = z.record(z.string(), z.unknown()).parse(JSON.parse('{"a": {"__proto__": "x", "b": "y"}}'));
    expect(JSON.stringify(change(record, { 'a.__proto__': { text: 'z' } }))).toBe('{"a":{"__proto__":"z","b":"y"}}');
  });

  test('a large record shows its first 100 values, and the others stay as they are', () => {
    const large = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`name ${at}`, at]));
    expect(rowsOf(large)).toMatchObject({ rows: { length: 100 }, hasMore: true });
    expect(change(large, { 'name 3': { text: '33' } })).toEqual({ ...large, 'name 3': 33 });
  });

  test.each(['+12025550123', '0007', '12345678901234567890', '1e5', ' 7', ''])(
    'a number that becomes "%s" is a text, because as a number it would look different',
    (text) => {
      expect(change({ id: 5 }, { id: { text } })).toEqual({ id: text });
    },
  );

  test('a new row with the name of a value does not take its place', () => {
    const named = { path: undefined, name: 'a', text: '' };
    const rows = [...rowsOf({ a: 'one' }).rows, named];
    expect(changeRecord({ a: 'one' }, rows)).toEqual([
      ['a', 'one'],
      ['a', ''],
    ]);
    expect(changeRecord({ a: '' }, [{ ...named, text: 'one' }])).toEqual([['a', 'one']]);
    expect(changeRecord({ a: { b: 1 } }, [{ ...named, text: 'one' }])).toEqual([
      ['a', { b: 1 }],
      ['a', 'one'],
    ]);
  });
});

/** A Zap in the editor: its steps, their order, forms and data. */

import fc from 'fast-check';
import * as z from 'zod/mini';
import { createZapier } from '..';
import type { StepResult } from '../core/result';
import { formatGuide } from '../editor/guide';
import { changeRecord, type Row, rowsOf } from '../editor/record-rows';
import { type StepState, stateOf } from '../editor/step-state';
import { readRecord } from '../fields/json-record';
import { type Condition, checkRules, conditions, takesText } from '../fields/rules';
import { type AppStep, kindOf, type Step, stepAlone, toStep } from '../kinds';
import { swapSteps, withCopy, withNewStep, withoutStepOrPath } from '../zap/arrange';
import type { Zaps } from '../zap/kept-zaps';
import { isFiltered, isSkipped } from '../zap/paths';
import { findBrokenStep } from '../zap/steps';
import type { Zap } from '../zap/zap';
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

  test('a step is tested until it does something else, also when it moves or gets a name', async () => {
    const { editor, zaps, zap, state } = await start('{{1.name}}');
    expect(state()).toEqual({ status: 'complete' });
    await editor.open(zap, 1);
    await editor.run(zap, 1, true);
    expect(state()).toEqual({ status: 'tested' });
    zaps.arrange(zap, withNewStep(zap.steps, 1, 'delay'));
    expect([state(1), state(2)]).toEqual([{ status: 'complete' }, { status: 'tested' }]);
    zaps.arrange(zap, zap.steps.toSpliced(1, 2, ...zap.steps.slice(1, 3).toReversed()));
    zaps.change(zap, { steps: zap.steps.map((step) => ({ ...step, name: 'Renamed' })) });
    expect(state(1)).toEqual({ status: 'tested' });
    enter(zaps, zap, 'x');
    expect(state(1)).toEqual({ status: 'complete' });
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
      {
        status: 'failed',
        result: expect.objectContaining({ failure: { message: 'The service is down.', effect: expect.any(String) } }),
      },
    ]);
    enter(zaps, zap, 'Noor');
    expect(state()).toEqual({ status: 'tested' });
  });
});

describe('the order of steps', () => {
  const textsOf = (steps: readonly Step[]) => steps.map((each) => (each.type === 'app' ? each.values.name : each.type));

  const steps = [trigger(), note('{{1.id}}'), note('{{2.id}}'), note('{{3.id}} {{2.name}} {{1.id}}')];

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
    ['(Number) Less than', '10', '10', false],
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
});

describe('Formatter', () => {
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

  const date = (zone: string, format: string) => ({ transform: 'date', format, zone });

  test.each([
    ['2026-01-22', date('America/New_York', 'MM/DD/YYYY'), '01/22/2026'],
    ['2026-01-22T00:30:00Z', date('America/New_York', 'MMMM D, YYYY'), 'January 21, 2026'],
    ['2026-01-22T23:04:00+0200', date('', 'HH:mm'), '21:04'],
    ['2026-01-22T00:30:00Z', date('UTC', 'dddd, MMMM D, h:mm A'), 'Thursday, January 22, 12:30 AM'],
    ['Noor van den Berg', { transform: 'split', segment: 'first' }, 'Noor'],
    ['Noor van den Berg', { transform: 'split', segment: 'last' }, 'Berg'],
    ['PX-1/Oak St', { transform: 'split', separator: '/', segment: 'second' }, 'Oak St'],
    ['Call +1 (202) 555-0123 now', { transform: 'phone' }, '+1 (202) 555-0123'],
    ['ab👍de', { transform: 'truncate', length: '3' }, 'ab👍'],
    ['  ', { transform: 'fallback', fallback: 'there' }, 'there'],
    ['Noor', { transform: 'fallback', fallback: 'there' }, 'Noor'],
    [['a', 'b'], { transform: 'join', separator: '[:newline:]' }, { text: 'a\nb' }],
  ])('of %j makes with %j %j', async (text, settings, output) => {
    expect(await format(text, settings)).toEqual({ output });
  });

  test.each(['', '1/2/2026', '2026-01-22T23:04', '2026-02-30'])(
    'refuses "%s", which may not be one moment',
    async (text) => {
      expect(await format(text, date('', 'HH:mm'))).toMatch(/^Input: ".*" isn't a date such as/);
    },
  );
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

  /** The record after its table has other texts, by the name of the row. */
  const change = (record: object, changes: Record<string, Partial<Row>>) => {
    const rows = rowsOf(record).rows.map((row) => ({ ...row, ...changes[row.name] }));
    return Object.fromEntries(changeRecord(record, rows));
  };

  const asBrowserPosts = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').toWellFormed();

  test('a table that nobody changed keeps every value, its type, and the order of names', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (given) => {
        const record = z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(given)));
        const rows = rowsOf(record).rows.map((row) => ({ ...row, text: asBrowserPosts(row.text) }));
        expect(JSON.stringify(Object.fromEntries(changeRecord(record, rows)))).toBe(JSON.stringify(record));
      }),
    );
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

  test.each(['+12025550123', '0007', '12345678901234567890', '1e5', ' 7', ''])(
    'a number that becomes "%s" is a text, because as a number it would look different',
    (text) => {
      expect(change({ id: 5 }, { id: { text } })).toEqual({ id: text });
    },
  );
});

/** Steps that come, go and move: later ones keep what they map, and what they lost is named at its field. */
import { findShownProblems } from '../../zapier/editor/problems';
import type { Step } from '../../zapier/kinds';
import { swapSteps, withCopy, withNewStep, withoutStepOrPath } from '../../zapier/zap/arrange';
import { maxSteps } from '../../zapier/zap/zap';
import { note, startSmall, stopAll, trigger } from './small-app';

afterEach(stopAll);

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
  ['a removed step in a rule', path('A', '{{removed.id}}'), 'value-0', 'Rule 1 uses data of a step that was removed.'],
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

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { kinds, plainFields, present, stepsOf } from '../scripts/docs/definition';

const steps = stepsOf(present);

test('the app says its version and that of the platform', () => {
  expect(present).toMatchObject({ version, platformVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

test.each(kinds)('every file in %s is a step that is registered under its name', (kind) => {
  const files = readdirSync(join(__dirname, '..', kind)).filter((file) => file !== 'index.ts');
  const keys = steps.filter((placed) => placed.kind === kind).map(({ step }) => `${step.key.replaceAll('_', '-')}.ts`);
  expect(keys.sort()).toEqual(files.sort());
});

test('no two steps share a function, since core tells functions by identity', () => {
  const performs = steps.flatMap(({ step }) =>
    Object.values(step.operation).filter((part) => typeof part === 'function'),
  );
  expect(performs.length).toBeGreaterThanOrEqual(steps.length);
  expect(new Set(performs).size).toBe(performs.length);
});

describe.each(steps)('$place', ({ kind, place, step }) => {
  test('is called by its key', () => {
    expect(place).toBe(`${kind}.${step.key}`);
  });

  test('has each field once', () => {
    const keys = plainFields(step).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('labels what it declares as output', () => {
    for (const { label } of step.operation.outputFields ?? []) expect(label).toBeTruthy();
  });
});

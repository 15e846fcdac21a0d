import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { version } from '../package.json';
import app from '../src';

const field = z.looseObject({
  key: z.string(),
  label: z.optional(z.string()),
  helpText: z.optional(z.string()),
  dynamic: z.optional(z.string()),
  search: z.optional(z.string()),
  type: z.optional(z.string()),
  required: z.optional(z.boolean()),
});
const operation = z.looseObject({
  key: z.string(),
  noun: z.string(),
  display: z.looseObject({ label: z.string(), description: z.string(), hidden: z.optional(z.boolean()) }),
  operation: z.looseObject({
    type: z.optional(z.string()),
    inputFields: z.optional(z.array(z.unknown())),
    outputFields: z.optional(z.array(field)),
    sample: z.record(z.string(), z.unknown()),
  }),
});

const kinds = { triggers: app.triggers, creates: app.creates, searches: app.searches };
const steps = Object.entries(kinds).flatMap(([kind, entries]) =>
  Object.entries(entries).map(([key, step]) => ({ kind, name: key, ...operation.parse(step) })),
);
const plainFields = (step: (typeof steps)[number]) =>
  (step.operation.inputFields ?? []).filter((each) => typeof each !== 'function').map((each) => field.parse(each));

test('the app says its version and that of the platform', () => {
  expect(app).toMatchObject({ version, platformVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

test.each(Object.keys(kinds))('every file in %s is a step that is registered under its name', (kind) => {
  const files = readdirSync(join(__dirname, '..', kind)).filter((file) => file !== 'index.ts');
  const keys = steps.filter((step) => step.kind === kind).map(({ key }) => `${key.replaceAll('_', '-')}.ts`);
  expect(keys.sort()).toEqual(files.sort());
});

test('no two steps share a function, since core tells functions by identity', () => {
  const performs = steps.flatMap((step) => Object.values(step.operation).filter((part) => typeof part === 'function'));
  expect(performs.length).toBeGreaterThanOrEqual(steps.length);
  expect(new Set(performs).size).toBe(performs.length);
});

test('the example of what is polled tells records apart', () => {
  const polled = steps.filter(({ kind, operation: { type } }) => kind === 'triggers' && type === 'polling');
  expect(polled.length).toBeGreaterThan(0);
  for (const { operation: parts } of polled) expect(parts.sample.id).toEqual(expect.any(String));
});

/** The columns of a step's example, for references such as `list_channels.id.name`. */
const columnsOf = (kind: string, key: string | undefined): string[] =>
  Object.keys(steps.find((step) => step.kind === kind && step.key === key)?.operation.sample ?? {});

describe.each(steps.flatMap(plainFields).filter(({ dynamic }) => dynamic))(
  'the dropdown of $label',
  ({ dynamic = '' }) => {
    test('leads to a trigger that is there and gives what is asked for', () => {
      const [trigger, ...columns] = dynamic.split('.');
      expect(columnsOf('triggers', trigger)).toEqual(expect.arrayContaining(columns));
    });
  },
);

describe.each(steps.flatMap(plainFields).filter(({ search }) => search))('the search of $label', ({ search = '' }) => {
  test('leads to a search that is there and gives what is asked for', () => {
    const [finder, found] = search.split('.');
    expect(columnsOf('searches', finder)).toContain(found);
  });
});

describe.each(steps)('$name of $kind', (step) => {
  const { key, name, kind, display, operation: parts } = step;
  const inputs = plainFields(step);

  test('is called by its key', () => {
    expect(key).toBe(name);
  });

  test('has an example whose times say their zone', () => {
    expect(Object.keys(parts.sample).length).toBeGreaterThan(0);
    const times = JSON.stringify(parts.sample).match(/"\d{4}-\d\d-\d\dT[^"]*"/g) ?? [];
    for (const time of times) expect(time).toMatch(/T\d\d:\d\d:\d\dZ"$/);
  });

  test('declares as output only what its example has, each with a label', () => {
    for (const { key: output, label } of parts.outputFields ?? []) {
      expect(Object.keys(parts.sample)).toContain(output);
      expect(label).toBeTruthy();
    }
  });

  test('labels every field, each key once', () => {
    const keys = inputs.map((input) => input.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { label } of inputs) expect(label).toMatch(/^[A-Z]/);
  });

  test('asks for what is required before what is not, but for what belongs together', () => {
    const firstOptional = inputs.findIndex(({ required }) => !required);
    const required = inputs.map(({ required: needed }, index) => (needed ? index : -1)).filter((index) => index >= 0);
    expect(required.filter((index) => firstOptional >= 0 && index > firstOptional)).toEqual([]);
  });

  test('says in words of people what it does', () => {
    const begins = {
      triggers: /^Triggers when .+\.$/,
      creates: /^[A-Z][a-z]+s .+\.$/,
      searches: /^Finds an? .+\.$|^Finds the .+\.$/,
    };
    expect(display.description).toMatch(begins[kind as keyof typeof begins]);
    expect(display.label.length).toBeLessThanOrEqual(64);
  });
});

test('no two steps that a person sees have one label or one description', () => {
  const seen = steps.filter(({ display }) => !display.hidden);
  for (const part of ['label', 'description'] as const) {
    expect(new Set(seen.map(({ display }) => display[part])).size).toBe(seen.length);
  }
});

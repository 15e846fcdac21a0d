import { type Field, plainFields, present, type Step, stepsOf } from '../scripts/docs/definition';
import { outputsOf } from '../scripts/docs/reference';
import { type ZapTemplate, zapTemplates } from '../scripts/docs/zap-templates';
import { brand } from '../src/brand';

type TemplateStep = ZapTemplate['steps'][number];

const appsOf = ({ steps }: ZapTemplate): string[] => steps.map((step) => ('app' in step ? step.app : brand.name));

const ownStep = (place: string): Step => {
  const found = stepsOf(present).find((placed) => placed.place === place);
  if (!found) throw new Error(`There is no ${place}.`);
  return found.step;
};

const ownSteps = ({ steps }: ZapTemplate) =>
  steps.flatMap((step) => ('place' in step ? { ...step, own: ownStep(step.place) } : []));

const isLeftToPeople = ({ required, dynamic }: Field): boolean => !required || dynamic !== undefined;

const givenBy = (step: TemplateStep): string[] =>
  'place' in step ? outputsOf(ownStep(step.place).operation.sample).map(({ label }) => label) : [];

const startsWithUs = zapTemplates.filter(({ steps: [first] }) => first && 'place' in first);

test('there are ten, and no two say the same', () => {
  expect(zapTemplates).toHaveLength(10);
  for (const part of ['title', 'description'] as const) {
    expect(new Set(zapTemplates.map((template) => template[part])).size).toBe(10);
  }
});

describe.each(zapTemplates)('$title', (template) => {
  const { title, description } = template;

  test('names its apps, and what happens, by the rules for titles', () => {
    for (const app of appsOf(template)) expect(title).toContain(app);
    const rest = appsOf(template).reduce((text, app) => text.replaceAll(app, ''), title);
    expect(rest).toMatch(/^(Add|Create|Log|Post|Send) [a-z ]+$/);
    expect(rest).toMatch(/\bnew\b/);
    expect(rest).not.toMatch(/\b(sync|automatic\w*|you|your|we|i)\b/i);
  });

  test('says why in two to four sentences, without words of Zapier or links', () => {
    expect(description.match(/[.?!](?=[\s_]|$)/g)?.length).toBeGreaterThanOrEqual(2);
    expect(description.match(/[.?!](?=[\s_]|$)/g)?.length).toBeLessThanOrEqual(4);
    expect(description).not.toMatch(/\b(zap\w*|triggers?|actions?|sync|https?)\b/i);
  });

  test('fills in fields that are there before any choice, and every required one that has no list', () => {
    expect(ownSteps(template).length).toBeGreaterThan(0);
    for (const { own, fields } of ownSteps(template)) {
      const form = plainFields(own);
      expect(form.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(fields)));
      const open = form.filter(({ key }) => !(key in fields));
      expect(open.filter((field) => !isLeftToPeople(field))).toEqual([]);
    }
  });
});

test.each(startsWithUs)('$title: what is filled in is what the steps before give', ({ steps }) => {
  steps.slice(1).forEach(({ fields }, index) => {
    const given = steps.slice(0, index + 1).flatMap(givenBy);
    expect(given).toEqual(expect.arrayContaining(Object.values(fields).flatMap((value) => value.split(', '))));
  });
});

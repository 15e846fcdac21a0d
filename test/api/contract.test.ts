import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints, type Input } from '../../src/api/endpoints';
import { delivery, events } from '../../src/api/events';
import { isTime } from '../../src/api/fields';
import * as resources from '../../src/api/resources';
import { deliveryOf } from '../support/deliveries';

const { vocabulary, personFields, webhookFields, webhookFilters, ...things } = resources;

describe.each(Object.entries(things))('the resource %s', (_name, { schema, sample }) => {
  test('has a sample that keeps to its schema, field by field', () => {
    expect(schema.parse(sample)).toEqual(sample);
    expect(Object.keys(sample).sort()).toEqual(Object.keys(schema.shape).sort());
  });

  test('passes unknown fields through and takes what is absent', () => {
    const [required] = Object.keys(sample);
    const least = Object.fromEntries(Object.entries(sample).filter(([key]) => key === required));
    expect(schema.parse({ ...least, unheard_of: [1] })).toEqual({ ...least, unheard_of: [1] });
  });

  test('has times in ISO 8601 with a zone', () => {
    const times = Object.entries(sample).filter(([key]) => key.endsWith('_at'));
    const fields = Object.entries<Parameters<typeof isTime>[0]>(schema.shape).filter(([, field]) => isTime(field));
    expect(fields.map(([key]) => key).toSorted()).toEqual(times.map(([key]) => key).toSorted());
    for (const [, value] of times) expect(value ?? '2026-06-11T09:40:12Z').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
});

test('only what the specification gives is marked as specified', () => {
  const specified = Object.entries(endpoints).filter(([, { basis }]) => basis === 'specified');
  expect(specified.map(([name]) => name)).toEqual(['sendMessage']);
  expect(endpoints.sendMessage).toMatchObject({ method: 'POST', path: '/v1/messages', section: '§4' });
  expect(Object.keys(endpoints.sendMessage.body.shape)).toEqual(['channel', 'to', 'template', 'variables']);
});

test('no two endpoints share a method and a path', () => {
  const calls = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(calls).size).toBe(calls.length);
});

test('a misspelled word in a query is a type error, and no parameter of the call', () => {
  // @ts-expect-error: "sendng" is no status of a campaign.
  const query: Input<typeof endpoints.listCampaigns>['query'] = { status: ['sendng'] };
  expect(endpoints.listCampaigns.query.safeParse(query).success).toBe(false);
});

describe.each(Object.entries(events))('the event %s', (name, { schema, sample }) => {
  test('has an example that keeps to its resource', () => {
    expect(schema.parse(sample)).toEqual(sample);
    expect(delivery.parse(deliveryOf(name as keyof typeof events)).data).toEqual(sample);
  });
});

test('the contract imports zod and the brand, and nothing else', () => {
  const folder = join(__dirname, '../../src/api');
  const imports = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name),
  );
  expect(new Set(imports.filter((name) => !name?.startsWith('./')))).toEqual(new Set(['zod/mini', '../brand']));
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { apiPlan, type Endpoint, endpoints } from '../src/api/endpoints';
import { errorCodes } from '../src/api/errors';
import { deliveryHeaders, events } from '../src/api/events';

const project = resolve(__dirname, '..');
const committed = readFileSync(join(project, 'docs/openapi.json'), 'utf8');

const based = z.looseObject({ 'x-basis': z.enum(['specified', 'assumed']) });
const operation = z.looseObject({
  ...based.shape,
  operationId: z.string(),
  'x-section': z.optional(z.string()),
  'x-scope': z.optional(z.nullable(z.string())),
  'x-plan': z.optional(z.string()),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })),
});
const item = z.looseObject({
  ...based.shape,
  get: z.optional(operation),
  post: z.optional(operation),
  patch: z.optional(operation),
  delete: z.optional(operation),
});
const refusals = z.looseObject({
  content: z.object({ 'application/json': z.looseObject({ examples: z.record(z.string(), z.unknown()) }) }),
});
const document = z
  .object({
    openapi: z.string(),
    paths: z.record(z.string(), item),
    webhooks: z.record(z.string(), z.object({ ...based.shape, post: operation })),
    components: z.object({
      securitySchemes: z.record(z.string(), z.looseObject({ type: z.string(), scheme: z.string() })),
      responses: z.record(z.string(), refusals),
      schemas: z.record(z.string(), based),
    }),
  })
  .parse(JSON.parse(committed));
const operations = Object.values(document.paths).flatMap((path) =>
  [path.get, path.post, path.patch, path.delete].filter((each) => each !== undefined),
);

describe('npm run openapi', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('writes the committed document, and the linter finds no problem', () => {
    const file = join(folder, 'openapi.json');
    const printed = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/openapi/main.ts', file], {
      timeout: 60_000,
      cwd: project,
    });
    expect(readFileSync(file, 'utf8')).toBe(committed);
    expect(printed.toString()).toContain('Problems: 0');
  }, 70_000);
});

describe('docs/openapi.json', () => {
  test('is OpenAPI 3.1 and describes every endpoint, event and error code', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(endpoints).toSorted());
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(events));
    const described = Object.values(document.components.responses).flatMap(({ content }) =>
      Object.keys(content['application/json'].examples),
    );
    expect(described.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  });

  test('marks only what the specification covers as specified, with its section', () => {
    const specified = ([, { 'x-basis': basis }]: [string, z.output<typeof based>]) => basis === 'specified';
    const { paths, webhooks, components } = document;
    expect(operations.filter((each) => each['x-basis'] === 'specified')).toMatchObject([
      { operationId: 'sendMessage', 'x-section': '§4' },
    ]);
    expect(Object.entries(paths).filter(specified)).toMatchObject([['/v1/messages', {}]]);
    expect(Object.entries(components.schemas).filter(specified)).toMatchObject([['SendMessageBody', {}]]);
    expect(Object.entries(webhooks).filter(specified)).toEqual([]);
  });

  test('names the scope and plan that every operation needs', () => {
    const needs = operations.map(({ operationId, ...each }) => [operationId, each['x-scope'], each['x-plan']]);
    expect(needs.toSorted()).toEqual(
      Object.entries<Endpoint>(endpoints)
        .map(([name, { scope, plan = apiPlan }]) => [name, scope, plan])
        .toSorted(),
    );
    expect(document.components.securitySchemes).toMatchObject({ token: { type: 'http', scheme: 'bearer' } });
  });

  test('describes the Standard Webhooks headers of every event', () => {
    for (const { post } of Object.values(document.webhooks)) {
      expect(post.parameters.map(({ name }) => name)).toEqual(Object.values(deliveryHeaders));
    }
  });
});

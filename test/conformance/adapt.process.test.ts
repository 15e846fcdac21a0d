/** `npm run adapt`: from the OpenAPI file of a service to the first edits of the contract. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../cli/environment';
import { copyProject, makeEdit, makeFolder } from '../api/adapting/copy';
import { runNode } from '../support/processes';
import { startProcessIn } from '../support/sandbox-process';

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const adapt = (cwd: string, ...args: string[]) => runNode(['conformance/adapt/main.ts', ...args], { cwd });

/** Writes the file of a service with these paths, each with its methods. */
const describeService = (paths: Record<string, Record<string, object>>, more: object = {}): string => {
  const file = join(folder, 'openapi.json');
  const info = { title: 'A service', version: '1' };
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info, paths, ...more }));
  return file;
};

const ofText = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const returning = (properties: object, more: object = {}) => ({
  ...more,
  responses: {
    200: { description: 'Done', content: { 'application/json': { schema: { type: 'object', properties } } } },
  },
});

test('makes no edit and asks nothing for the file of its own contract', async () => {
  const { out, err, code } = await adapt(project, '--openapi', 'docs/openapi.json');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toMatch(/\n\n0 questions are open\. Then compare the service itself: npm run conformance\n$/);
  expect(out).not.toContain('src/api');
});

test('makes all edits for a service whose file differs in prefix, paths, parameters, names and words, and the service then agrees', async () => {
  const [service, copy] = [join(folder, 'service'), join(folder, 'copy')];
  for (const each of [service, copy]) copyProject(each);
  cpSync(join(project, 'scripts'), join(service, 'scripts'), { recursive: true });
  const edit = (file: string, from: string, to: string) => makeEdit(service, { file: `src/api/${file}.ts`, from, to });
  edit('endpoints', "export const pathPrefix = '/v1';", "export const pathPrefix = '/api/v2';");
  edit('endpoints', "endpoint('GET', '/templates', {", "endpoint('GET', '/message-templates', {");
  edit('endpoints', '    after: optional.text,', "    after: wire.renamed('page_token', optional.text),");
  const names = 'wire.mapNames((name) => name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase()));';
  const words = "wire.mapValues(vocabulary.direction, { inbound: 'INBOUND', outbound: 'OUTBOUND' });";
  edit('resources', 'export type Plan =', `${names}\n${words}\nexport type Plan =`);
  const file = join(folder, 'theirs.json');
  await runNode(['scripts/openapi/main.ts', '--output', file], { cwd: service });

  const { out, err, code } = await adapt(copy, '--openapi', file, '--fix');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toContain('\nEdited src/api:\n--- src/api/resources.ts\n');
  const lines = (root: string, name: string) =>
    readFileSync(join(root, `src/api/${name}.ts`), 'utf8')
      .split('\n')
      .toSorted();
  for (const name of ['endpoints', 'resources']) expect(lines(copy, name)).toEqual(lines(service, name));

  const { url, token, child } = await startProcessIn(service, '--speed', '100', '--rate-limit', '100000');
  const compared = await runNode(['conformance/main.ts', '--base-url', url, '--record', join(folder, 'recorded')], {
    cwd: copy,
    env: { ...process.env, API_TOKEN: token },
  });
  child.kill('SIGKILL');
  expect({ code: compared.code, out: compared.out }).toEqual({ code: 0, out: expect.stringContaining('0 differ') });
});

test('asks about each call that has two matches, another method or none, and never chooses', async () => {
  const list = returning({ data: { type: 'array', items: { type: 'object', properties: ofText('id') } } });
  const file = describeService({
    '/contacts': { get: list },
    '/contacts/{id}': { put: returning(ofText('id')) },
    '/inboxes': { get: list },
    '/senders': { get: list },
  });
  const { out, code } = await adapt(project, '--openapi', file);
  expect(code).toBe(1);
  expect(out).toContain('`updateContact` may be PUT /contacts/{id}.');
  expect(out).toContain('`listChannels` may be GET /inboxes or GET /senders.');
  expect(out).toContain('`sendMessage` has no match for POST /v1/messages.');
  expect(out).toMatch(/^ {2}updateContact +\?$/m);
});

test('asks which of two versions is meant, and edits nothing', async () => {
  const item = { get: returning(ofText('id')) };
  const file = describeService({ '/v1/contacts/{id}': item, '/v2/contacts/{id}': item });
  const { out, code } = await adapt(project, '--openapi', file);
  expect(code).toBe(1);
  expect(out).toContain('1. The file has the same calls under /v1 and /v2. Leave one in the file,');
  expect(out).toContain('`getContact` may be GET /v1/contacts/{id} or GET /v2/contacts/{id}.');
  expect(out).not.toContain('+++ src/api');
});

test('edits nothing for a file that has none of the calls', async () => {
  const { out } = await adapt(project, '--openapi', describeService({ '/invoices': { get: returning({}) } }));
  expect(out).not.toContain('+++ src/api');
});

test('asks how lists are paged when they have page numbers, and what a call sends that its body does not have', async () => {
  const query = [
    { name: 'page', in: 'query' },
    { name: 'per_page', in: 'query' },
  ];
  const body = { content: { 'application/json': { schema: { properties: ofText('recipient', 'text') } } } };
  const file = describeService({
    '/contacts': { get: returning({ data: { type: 'array' } }, { parameters: query }) },
    '/messages': { post: returning(ofText('id'), { requestBody: body }) },
  });
  const { out } = await adapt(project, '--openapi', file);
  expect(out).toContain('`listContacts` has no cursor in its query (page, per_page). See "Page numbers".');
  expect(out).toContain(
    "`sendMessage` sends `channel`, `to`, `template`, `variables`, which its body doesn't have; there is `recipient`, `text`.",
  );
  expect(out).toContain("+    limit: wire.renamed('per_page', optional.number),");
});

test('takes a project in every path for a part of the address', async () => {
  const paths = { '/contacts': { get: returning({}) }, '/contacts/{contactId}': { get: returning(ofText('id')) } };
  const servers = [{ url: 'https://{region}.example.com/v3/projects/{project_id}' }];
  const { out } = await adapt(project, '--openapi', describeService(paths, { servers }));
  expect(out).toContain('1. Every path starts with /v3/projects/{project_id}. API Base URL then has this part,');
  expect(out).toContain("+export const pathPrefix = '';");
  expect(out).not.toContain("+  getContact: endpoint('GET'");
});

test.each([
  ['that is missing', 'no.json', undefined, "no.json can't be read: "],
  ['that is no OpenAPI 3', 'old.json', '{"swagger": "2.0", "paths": {}}', "old.json isn't an OpenAPI 3 file."],
])('says in one line what is wrong with a file %s', async (_what, name, content, problem) => {
  const file = join(folder, name);
  if (content !== undefined) writeFileSync(file, content);
  const { out, err, code } = await adapt(project, '--openapi', file);
  expect({ out, err, code }).toEqual({ out: '', err: expect.stringContaining(problem), code: 2 });
  expect(err.trim().split('\n').length).toBeLessThan(3);
});

/** The app with an adapter to services, from their public documentation. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../../test/support/processes';
import { project } from '../../cli/environment';
import { copyProject, makeEdit, makeFolder, runConformance, runIn, runTestsIn } from './adapting/copy';
import * as desk from './adapting/desk';
import { runSteps } from './adapting/run-steps';
import * as whatsapp from './adapting/whatsapp';
import { withServer } from './server';

let folder: string;
beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tsx = join(project, 'node_modules/tsx/dist/cli.mjs');

/** The tests of what an adapter changes: the contract, the connection, the documents, and conformance. */
const tests = [
  ...['test/openapi', 'test/documents', 'test/call/connection'],
  ...['lab/conformance/test/checks', 'lab/conformance/test/runs'],
].map((name) => `${name}.test.ts`);

const writing = ['--write', '--to', '+12025550103', '--opted-out', '+12025550104'];

const services = [
  {
    ...{ name: 'whatsapp', ...whatsapp, accept: 'sending,opt-outs,webhooks,deliveries' },
    message: ['--template', 'parcel:en', '--channel', 'whatsapp'],
  },
  {
    ...{ name: 'desk', ...desk, accept: 'sending,opt-outs' },
    message: ['--template', '42', '--channel', '7', '--variables', '{"1":"PX-1"}'],
  },
];

describe.each(services)('the adapter to $name', ({ name, service, path, connection, edits, runs, accept, message }) => {
  const copyOf = () => join(folder, name);
  const api_token = `tok_${name}`;
  const variables = Object.entries(connection).map(([key, value]) => [key.toUpperCase(), value]);

  beforeAll(() => {
    copyProject(copyOf());
    for (const edit of edits) makeEdit(copyOf(), edit);
  });

  test('has at most 60 lines, in src/api', () => {
    const added = edits.flatMap(({ from, to }) => {
      const known = new Set(from.split('\n'));
      return to.split('\n').filter((line) => line.trim() !== '' && !known.has(line));
    });
    expect(added.length).toBeLessThanOrEqual(60);
    for (const { file } of edits) expect(file).toMatch(/^src\/api\/\w+\.ts$/);
  });

  test('compiles', async () => {
    const include = ['src', 'triggers', 'creates', 'searches'].map((part) => join(copyOf(), part));
    const config = join(folder, `tsconfig.${name}.json`);
    writeFileSync(config, JSON.stringify({ extends: join(project, 'tsconfig.json'), include }));
    const compiler = join(project, 'node_modules/typescript/bin/tsc');
    const result = await runNode([compiler, '--singleThreaded', '--project', config], { cwd: folder });
    expect(result).toEqual({ out: '', err: '', code: 0 });
  });

  test.each([
    ['reads', ['--accept', accept]],
    ['writes and sends', [...writing, ...message]],
  ])('ends conformance with 0 when it %s', async (_what, options) => {
    const { out, err, code } = await withServer(service, (url) =>
      runConformance(copyOf(), ['--base-url', url + path, '--record', join(folder, 'recorded'), ...options], {
        API_TOKEN: api_token,
        ...Object.fromEntries(variables),
      }),
    );
    expect({ code, err, out: code === 0 ? '' : out }).toEqual({ code: 0, err: '', out: '' });
  });

  test('runs the steps that the service allows', async () => {
    const { results } = await withServer(service, (url) => {
      const account = { base_url: url + path, api_token, ...connection };
      return runSteps(
        copyOf(),
        account,
        runs.map(([step, inputData]) => [step, { ...inputData }]),
      );
    });
    for (const [index, [step, inputData, expected]] of runs.entries()) {
      expect({ step, inputData, result: results[index] }).toMatchObject({ step, inputData, result: expected });
    }
  });

  test('has documents and tests that speak the contract', async () => {
    for (const command of [['scripts/docs/main.ts', '--text'], ['scripts/openapi/main.ts']]) {
      expect(await runIn(copyOf(), tsx, ...command)).toBe('');
    }
    expect([...(await runTestsIn({ [copyOf()]: tests })).values()]).toEqual(tests.map(() => ''));
  });
});

test('a message has the components, the language and the sender of the service', () => {
  expect(whatsapp.sent.at(-1)).toEqual({
    from: '+12025550190',
    to: '+12025550103',
    type: 'template',
    filterUnsubscribed: true,
    template: {
      name: 'parcel',
      language: { code: 'nl' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Noor' },
            { type: 'text', text: 'PX-1' },
          ],
        },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'PX-1' }] },
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] },
      ],
    },
  });
});

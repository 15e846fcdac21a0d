/** Adaptations of the whole contract to services, from their public documentation. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../cli/environment';
import { withServer } from '../conformance/server';
import { runNode } from '../support/processes';
import * as bird from './adapting/bird';
import { checkCopy, copyProject, makeFolder } from './adapting/copy';
import { runSteps } from './adapting/run-steps';
import * as trengo from './adapting/trengo';

let folder: string;
beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries({ bird, trengo }))(
  'the contract of %s',
  (name, { service, path, connection, adapt, ...adaptation }) => {
    const copyOf = () => join(folder, name);
    const api_token = `tok_${name}`;
    const variables = Object.entries(connection).map(([key, value]) => [key.toUpperCase(), value]);

    beforeAll(() => {
      copyProject(copyOf());
      adapt(copyOf());
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
      ['reads', ['--accept', 'sending']],
      ['writes and sends', ['--write', '--to', '+12025550103', ...adaptation.message]],
    ])('ends conformance with 0 when it %s', async (_what, options) => {
      const { out, err, code } = await withServer(service, (url) =>
        checkCopy(copyOf(), ['--base-url', url + path, '--record', join(folder, 'recorded'), ...options], {
          API_TOKEN: api_token,
          ...Object.fromEntries(variables),
        }),
      );
      expect({ code, err, out: code === 0 ? '' : out }).toEqual({ code: 0, err: '', out: '' });
    });

    test('runs the steps that the service allows', async () => {
      const { steps, results } = await withServer(service, (url) => {
        const account = { base_url: url + path, api_token, ...connection };
        return runSteps(
          copyOf(),
          account,
          adaptation.runs.map(([step, inputData]) => [step, { ...inputData }]),
        );
      });
      expect(steps).toEqual(adaptation.steps);
      for (const [index, [step, inputData, expected]] of adaptation.runs.entries()) {
        expect({ step, inputData, result: results[index] }).toMatchObject({ step, inputData, result: expected });
      }
    });
  },
);

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from '../../../test/support/processes';
import { project } from '../../cli/environment';
import { found } from '../../playground/test/playground-client';

/** Another app than ours. */
const otherApp = `
import { version as platformVersion } from 'zapier-platform-core';

const order = { key: 'new_order', noun: 'Order', display: { label: 'New Order', description: 'Starts when somebody orders.' } };
const greeting = { key: 'greet', noun: 'Greeting', display: { label: 'Greet', description: 'Greets somebody.' } };
const perform = (z, { rawRequest, cleanedRequest }) => [{ ...cleanedRequest, from: rawRequest.headers['Http-Host'] ? 'HTTP' : '' }];
const performSubscribe = (z, { targetUrl }) => ({ id: 'hook', targetUrl });
const performUnsubscribe = (z, { subscribeData }) => console.log('Unsubscribed from ' + subscribeData.id);
const greet = (z, { inputData, authData }) => ({ id: 1, text: 'Hello, ' + inputData.name, token: authData.api_token });
export default {
  version: '1.0.0', platformVersion, creates: { greet: { ...greeting, operation: { perform: greet } } },
  triggers: { new_order: { ...order, operation: { type: 'hook', perform, performSubscribe, performUnsubscribe } } },
};
`;

const folder = mkdtempSync(join(tmpdir(), 'zapier-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the example in the README runs the steps and a Zap of another app, with nothing else of this project', async () => {
  const readme = readFileSync(join(project, 'lab/zapier/README.md'), 'utf8');
  cpSync(join(project, 'lab/zapier'), join(folder, 'zapier'), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'app.ts'), otherApp);
  writeFileSync(join(folder, 'example.ts'), found(readme, /```ts\n([\s\S]*?)```/));
  expect(await runNode([join(folder, 'example.ts')], { cwd: folder })).toEqual({
    out: [
      "{ id: 1, text: 'Hello, Noor', token: 'secret' }",
      "New Order success { id: 7, customer: 'Ada', from: 'HTTP' }",
      'Filter success undefined',
      "Greet success { id: 1, text: 'Hello, Ada', token: 'secret' }",
      'Unsubscribed from hook',
      '',
    ].join('\n'),
    err: '',
    code: 0,
  });
});

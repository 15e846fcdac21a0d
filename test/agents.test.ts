import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../cli/environment';
import { currentApp } from '../scripts/docs/definition';
import { vocabulary } from '../src/api/resources';
import { plainFields, visibleStepsOf } from '../zapier/core/app-definition';
import { authData } from './support/service';
import { runStep } from './support/zapier';

const guide = readFileSync(join(project, 'docs/agents.md'), 'utf8');
const rows = guide.split('\n').filter((line) => line.startsWith('| '));

test.each(visibleStepsOf(currentApp).filter(({ kind }) => kind !== 'triggers'))(
  '$place: the guide for agents says once whether it is safe',
  ({ step }) => {
    const cells = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',').map((name) => name.trim()));
    expect(cells.filter((name) => name === step.display.label)).toHaveLength(1);
  },
);

test('the guide for agents names only scopes and keys that exist', () => {
  const steps = visibleStepsOf(currentApp).flatMap(({ step }) => plainFields(step).map(({ key }) => key));
  const known: string[] = [...vocabulary.scope, ...steps, 'variables', 'max_recipients'];
  const named = [...guide.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((code) => !known.includes(code))).toEqual([]);
});

test('the fields of an empty form, which is all that an agent lists, take the values of any template', async () => {
  const fields = await runStep('creates.send_message.operation.inputFields', { authData, inputData: {} });
  expect(fields).toContainEqual(expect.objectContaining({ key: 'variables', dict: true }));
});

test('a campaign without Maximum Recipients names the field, and makes no request', async () => {
  const inputData = { campaign: 'cmp_1', audience: 'saved' };
  await expect(runStep('creates.trigger_campaign.operation.perform', { authData, inputData })).rejects.toMatchObject({
    name: 'HaltedError',
    message: expect.stringContaining('Maximum Recipients is empty.'),
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { project } from '../cli/environment';
import { readOptions } from '../conformance/options';
import { formatReport } from '../conformance/report';
import { checkService } from '../conformance/run';
import { recipes } from '../recipes';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { type Reviver, withFaultyProxy } from './conformance/faulty-proxy';
import { shortenPauses } from './support/pauses';
import { Running } from './support/running';

const running = new Running();
shortenPauses();
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const asOneLine = readme.replace(/\s+/g, ' ');

test('README.md names apps that the ready-made Zaps use', () => {
  const [, named = ''] = /ready-made Zaps for apps such as ([^.]+)\./.exec(asOneLine) ?? [];
  const used = recipes.flatMap(({ steps }) => steps.flatMap((step) => (step.type === 'other' ? step.app : [])));
  expect(named.split(/, | and /).filter((app) => !used.includes(app))).toEqual([]);
});

test('README.md quotes an error as the app words it', async () => {
  const error = await parsePhoneNumber('Phone Number', '12', '').catch(String);
  expect(asOneLine).toContain(error.replace(/^\w+: /, ''));
});

const renameText: Reviver = (_key, value) => {
  if (typeof value !== 'object' || value === null || !('text' in value)) return value;
  const { text, ...rest } = value;
  return { ...rest, content: text };
};

test('README.md shows lines that conformance prints', async () => {
  const [, shown = ''] = /```text\n(.+?)\n *```/s.exec(readme) ?? [];
  const rows = await withFaultyProxy(running.url, { reviveResponse: renameText }, async (url) => {
    const options = readOptions(['--base-url', url], { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options)).rows;
  });
  expect(stripVTControlCharacters(formatReport(rows, 'recordings'))).toContain(shown.replace(/^ {2}/gm, ''));
});

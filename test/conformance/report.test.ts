import { stripVTControlCharacters } from 'node:util';
import { readOptions } from '../../conformance/options';
import { formatReport } from '../../conformance/report';
import { checkService } from '../../conformance/run';
import { Running } from '../support/running';
import { withFaultyProxy } from './faulty-proxy';

const running = new Running();

test('a parameter that the service refuses is one cause, and every list is still compared', async () => {
  const rows = await withFaultyProxy(running.url, { refusedParam: 'limit' }, async (url) => {
    const options = readOptions(['--base-url', url], { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options)).rows;
  });
  const lists = rows.filter(({ check }) => /^list\w+$/.test(check) && check !== 'listWebhooks');
  expect(new Set(lists.map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
  const report = stripVTControlCharacters(formatReport(rows, 'recordings'));
  expect(report.match(/^✗ .*$/gm)).toEqual(['✗ `limit` in `listQuery`, src/api/endpoints.ts']);
});

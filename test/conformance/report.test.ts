import { stripVTControlCharacters } from 'node:util';
import { readOptions } from '../../conformance/options';
import { proofNames, untriedIn } from '../../conformance/proofs';
import { formatReport } from '../../conformance/report';
import { checkService } from '../../conformance/run';
import { Running } from '../support/running';
import { withFaultyProxy } from './faulty-proxy';

const running = new Running({ isSmall: true });

/** Returns what a run that only reads reports of a service that refuses `limit`. */
const readReport = async () => {
  const rows = await withFaultyProxy(running.url, { refusedParam: 'limit' }, async (url) => {
    const options = readOptions(['--base-url', url], { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options)).rows;
  });
  return { rows, report: stripVTControlCharacters(formatReport(rows, 'recordings')) };
};

let read: Awaited<ReturnType<typeof readReport>>;
beforeAll(async () => {
  read = await readReport();
});

test('a parameter that the service refuses is one cause, and every list is still compared', () => {
  const lists = read.rows.filter(({ check }) => /^list\w+$/.test(check) && check !== 'listWebhooks');
  expect(new Set(lists.map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
  expect(read.report.match(/^✗ .*$/gm)).toEqual(['✗ `limit` in `listQuery`, src/api/endpoints.ts']);
});

test('a run that only reads says what it has not proven, and one that tried it does not', () => {
  const line =
    'Not tried, so not proven: sending; keys, without which a lost response sends twice; webhooks; deliveries and their signatures.';
  expect(read.report).toContain(`\n${line}\n`);
  const tried = read.rows.map((row) => ({ ...row, outcome: 'passed' as const }));
  expect(formatReport(tried, 'recordings')).not.toContain('proven');
});

test('what is accepted by its name is told', async () => {
  expect(untriedIn(read.rows, ['sending', 'webhooks']).open).toEqual([
    'keys, without which a lost response sends twice',
    'deliveries and their signatures',
  ]);
  const told = formatReport(read.rows, 'recordings', untriedIn(read.rows, proofNames));
  expect(told).toContain('Accepted without a proof: sending; keys, without which');
  expect(told).not.toContain('Not tried');
});

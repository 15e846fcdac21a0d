import { type CheckResult, runCheck } from '../../conformance/checks/check';
import { missingChecks } from '../../conformance/checks/missing';
import { Records } from '../../conformance/checks/records';
import { removeCreated } from '../../conformance/clean-up';
import type { EndpointName } from '../../src/api/transport';
import { Running, withId } from '../support/running';
import { clientOf } from './client';
import { withFaultyProxy } from './faulty-proxy';
import { withFilesOnly } from './names';
import { withServer } from './server';

const running = new Running({ isSmall: true });

/** Checks a service as if the contract declared these calls missing. */
const check = async (baseUrl: string, names: readonly EndpointName[], write = false): Promise<CheckResult[]> => {
  const service = clientOf(baseUrl, running.sandbox.tokens.advanced);
  const rows: CheckResult[] = [];
  for (const each of missingChecks(service, new Records(service), write, names)) rows.push(await runCheck(each));
  return rows;
};

const outcomesOf = (rows: CheckResult[]) => rows.map(({ outcome, detail }) => `${outcome}: ${withFilesOnly(detail)}`);

test('reports a call that is declared missing but that the service has, with the line to edit', async () => {
  const names = ['listTemplates', 'listChannels', 'createWebhook'] as const;
  const differs = (status: number) => `differs: the service has it (${status}) (src/api/endpoints.ts)`;
  expect(outcomesOf(await check(running.url, names, true))).toEqual([differs(200), differs(200), differs(422)]);
  expect((await running.read('listWebhooks')).data).toEqual([]);
});

test('names what a call may have created that is there, and removes nothing by an ID alone', async () => {
  const { id } = withId.parse(
    (
      await running.request('createWebhook', {
        body: { url: 'https://hooks.example.com/1/', events: ['message.sent'] },
      })
    ).body,
  );
  const created = () => Response.json({ id }, { status: 201 });
  const left = await withFaultyProxy(running.url, { instead: { createWebhook: created } }, async (baseUrl) => {
    const client = () => clientOf(baseUrl, running.sandbox.tokens.advanced);
    const service = client();
    for (const each of missingChecks(service, new Records(service), true, ['createWebhook'])) await runCheck(each);
    return removeCreated(service.requests, client());
  });
  expect(left).toEqual([`webhook without a mark (may exist, with the ID ${id})`]);
  expect((await running.read('listWebhooks')).data).toMatchObject([{ id }]);
  await running.request('deleteWebhook', { id });
});

test('asks for what it needs before it sends more than reads', async () => {
  expect(outcomesOf(await check(running.url, ['createWebhook', 'deleteWebhook']))).toEqual([
    'skipped: add --write',
    'skipped: try it by hand: it changes a record',
  ]);
});

test('passes when the service has nothing there', async () => {
  const nothing = await withServer(
    (_request, response) => response.writeHead(404).end(),
    (url) => check(url, ['listTemplates', 'createWebhook'], true),
  );
  expect(outcomesOf(nothing)).toEqual(['passed: 404', 'passed: 404']);
});

/** Nothing that the contract allows is taken for a failure. */
import { createAppTester, type ZObject } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { specialNumbers } from '../../sandbox/domain/phone-numbers';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { call } from '../../src/http/client';
import { parcelMessage, Running } from '../support/running';
import { definition } from '../support/zapier';

const running = new Running();

const tester = createAppTester(definition.only('message_received'));

const { listConversationMessages, ...others } = endpoints;

/** Calls an endpoint as a step does. Rejects when the response is taken for a failure. */
const read = (endpoint: Endpoint, input: { id?: string; name?: string; query?: object }): Promise<unknown> => {
  const authData = { base_url: running.url, api_token: running.sandbox.tokens.advanced };
  return tester((zapier: ZObject) => call(zapier, endpoint, input), { authData });
};

const page = z.object({
  data: z.array(z.looseObject({ id: z.optional(z.string()), name: z.nullish(z.string()) })),
  next_cursor: z.nullish(z.string()),
});

/** Reads a list to its end. */
const readAll = async (endpoint: Endpoint): Promise<z.output<typeof page>['data']> => {
  const records: z.output<typeof page>['data'] = [];
  for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
    const { data, next_cursor }: z.output<typeof page> = page.parse(
      await read(endpoint, { query: { limit: 100, ...(after && { after }) } }),
    );
    records.push(...data);
    after = next_cursor;
  }
  return records;
};

test('every list of the sandbox is read, with messages that failed', async () => {
  const lists = Object.values<Endpoint>(others).filter(({ method, query }) => method === 'GET' && query);
  expect(lists.length).toBeGreaterThan(5);
  for (const list of lists) await readAll(list);
  await running.request('sendMessage', { body: parcelMessage(specialNumbers.failsLater) });
  await running.advance(3600);
  const failed = (await readAll(endpoints.listMessages)).filter(({ error }) => error);
  expect(failed.length).toBeGreaterThan(0);
  for (const { id = '' } of failed) await expect(read(endpoints.getMessage, { id })).resolves.toHaveProperty('error');
});

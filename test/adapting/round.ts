/**
 * Lets the integration, the sandbox and conformance work together, in a copy of the project. Prints as JSON what Zaps
 * get, which checks don't hold, and everything on the wire.
 */
import * as z from 'zod/mini';
import { readOptions } from '../../conformance/options';
import { checkService, type Results } from '../../conformance/run';
import { startZapier, type Zapier } from '../../playground/zapier';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { message, workspace } from '../../src/api/resources';

const [customer, tester] = ['+12025550123', '+12025550187'];
const withId = z.looseObject({ id: z.string() });

const control = async ({ url }: Sandbox, path: string, body: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/sandbox${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
};

/** Reads more messages than fit on one page, so the search requests a second page. */
const readHistory = async (sandbox: Sandbox, { run }: Zapier): Promise<number> => {
  const { conversation_id } = message.schema.parse(
    await control(sandbox, '/messages', { from: customer, text: 'Hello' }),
  );
  for (let count = 0; count < 110; count += 1) {
    await control(sandbox, `/conversations/${conversation_id}/messages`, { text: `Reply ${count}` });
  }
  const inputData = { phone: customer, message_limit: '110' };
  const [found] = z
    .array(z.object({ messages: z.array(message.schema) }))
    .parse(await run('searches.find_conversation.operation.perform', { inputData }));
  return found?.messages.length ?? 0;
};

/** Creates a contact twice and returns the error message of the second time, without the id in it. */
const createTwice = async ({ run }: Zapier): Promise<string> => {
  const create = () => run('creates.create_contact.operation.perform', { inputData: { email: 'noor@example.com' } });
  const { id } = withId.parse(await create());
  const refusal = await create().catch((error: Error) => error.message);
  return String(refusal).replace(id, 'ID');
};

/** Returns what steps give, by the names that Zaps use, and the results of conformance. */
const useApp = async (sandbox: Sandbox, zapier: Zapier, check: () => Promise<Results>) => {
  const { plan } = workspace.schema.parse(await zapier.run('authentication.test'));
  const zap = await zapier.turnOn('message_sent', { sources: ['api'] });
  const results = await check();
  const [started] = z.array(message.schema).parse(await zap.nextRun());
  await zap.turnOff();
  const read = await zapier.run('triggers.message_status_updated.operation.performList', {
    inputData: { statuses: ['read'] },
  });
  const app = {
    plan,
    started: { text: started?.text, to: started?.to, direction: started?.direction },
    read: z.array(message.schema).parse(read)[0]?.status,
    exists: await createTwice(zapier),
    history: await readHistory(sandbox, zapier),
  };
  return { app, results };
};

const round = async (sandbox: Sandbox, zapier: Zapier) => {
  const environment = { BASE_URL: sandbox.url, API_TOKEN: sandbox.tokens.advanced };
  const options = readOptions(['--write', '--to', tester], environment);
  const { app, results } = await useApp(sandbox, zapier, () => checkService(options));
  const requests: unknown = await (await fetch(`${sandbox.url}/sandbox/requests`)).json();
  return {
    app,
    unheld: results.rows.filter(({ outcome }) => outcome !== 'held' && outcome !== 'not asked'),
    wire: {
      requests,
      responses: results.responses.map(({ body, headers }) => ({ body, headers: [...headers.keys()] })),
      deliveries: results.received.map(({ headers, content }) => ({ headers, body: JSON.parse(content) })),
    },
  };
};

const main = async (): Promise<void> => {
  const sandbox = await startSandbox({ speed: 100, rateLimit: 100_000 });
  const zapier = await startZapier({ base_url: sandbox.url, api_token: sandbox.tokens.advanced });
  console.log(JSON.stringify(await round(sandbox, zapier)));
  await zapier.stop();
  await sandbox.stop();
};

main();

/**
 * One round of the integration with the sandbox, run in a copy of both. Prints as JSON what a Zap gets, which checks of
 * conformance do not hold, and all that went over the wire.
 */
import * as z from 'zod/mini';
import { readOptions } from '../../conformance/options';
import { checkService, type Outcome } from '../../conformance/run';
import { startZapier, type Zapier } from '../../playground/zapier';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { message, workspace } from '../../src/api/resources';

const [customer, tester] = ['+31612345678', '+31687654321'];
const withId = z.looseObject({ id: z.string() });

const control = async ({ url }: Sandbox, path: string, body: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/sandbox${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
};

/** More messages than fit on one page, so that the search has to go on to the next. */
const readHistory = async (sandbox: Sandbox, { run }: Zapier): Promise<number> => {
  const { conversation_id } = message.schema.parse(
    await control(sandbox, '/messages', { from: customer, text: 'Hello' }),
  );
  for (let count = 0; count < 110; count += 1) {
    await control(sandbox, `/conversations/${conversation_id}/messages`, { text: `Answer ${count}` });
  }
  const inputData = { phone: customer, message_limit: '110' };
  const [found] = z
    .array(z.object({ messages: z.array(message.schema) }))
    .parse(await run('searches.find_conversation.operation.perform', { inputData }));
  return found?.messages.length ?? 0;
};

/** The sentence that a person reads who creates a contact that exists, without the id in it. */
const createTwice = async ({ run }: Zapier): Promise<string> => {
  const create = () => run('creates.create_contact.operation.perform', { inputData: { email: 'noor@example.com' } });
  const { id } = withId.parse(await create());
  const refusal = await create().catch((error: Error) => error.message);
  return String(refusal).replace(id, 'ID');
};

/** What steps give, in the words that people's Zaps are built on. */
const useApp = async (sandbox: Sandbox, zapier: Zapier, check: () => Promise<Outcome>) => {
  const { plan } = workspace.schema.parse(await zapier.run('authentication.test'));
  const zap = await zapier.turnOn('message_sent', { sources: ['api'] });
  const outcome = await check();
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
  return { app, outcome };
};

const round = async (sandbox: Sandbox, zapier: Zapier) => {
  const connection = ['--base-url', sandbox.url, '--token', sandbox.tokens.advanced];
  const options = readOptions([...connection, '--write', '--to', tester]);
  const { app, outcome } = await useApp(sandbox, zapier, () => checkService(options, () => undefined));
  const requests: unknown = await (await fetch(`${sandbox.url}/sandbox/requests`)).json();
  return {
    app,
    unheld: outcome.rows.filter(({ outcome: word }) => word !== 'held' && word !== 'not asked'),
    wire: {
      requests,
      answers: outcome.answers.map(({ body, headers }) => ({ body, headers: [...headers.keys()] })),
      deliveries: outcome.received.map(({ headers, content }) => ({ headers, body: JSON.parse(content) })),
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

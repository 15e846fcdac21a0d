import * as z from 'zod/mini';
import { readJson } from '../../../conformance/json';
import { readOptions } from '../../../conformance/options';
import { mask } from '../../../conformance/recording/mask';
import { checkService, type Results } from '../../../conformance/run';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox';
import app from '../../../src';
import { exampleConnection } from '../../../src/api/connection';
import { exists } from '../../../src/api/endpoints';
import { contact, type Message, message } from '../../../src/api/resources';
import { fromWire } from '../../../src/api/translate';
import { parseBaseUrl } from '../../../src/http/connection';
import { type LiveTrigger, startZapier, type Zapier } from '../../support/zapier';
import { startRecorder } from './recorder';

type Recorder = Awaited<ReturnType<typeof startRecorder>>;

const [customer, tester] = ['+12025550123', '+12025550187'];
const withId = z.looseObject({ id: z.string() });

/** The message of conformance, where it can't choose one. */
const messageOptions = ['--template', 'parcel_out_for_delivery', '--channel', 'whatsapp', '--variables'];
const variables = JSON.stringify({ parcel_id: 'PX-20418', arrival_time: '14:30' });

/** Reads more messages than fit on one page, so the search requests a second page. */
const countHistory = async ({ run }: Zapier): Promise<number> => {
  const inputData = { message_limit: '110' };
  const found = z.array(message.schema).parse(await run('searches.find_messages.operation.perform', { inputData }));
  return new Set(found.map(({ id }) => id)).size;
};

/** Returns after how many seconds Zapier repeats a step that hits the rate limit, in hundreds of seconds. */
const hitRateLimit = async ({ run }: Zapier, { url }: Sandbox): Promise<number> => {
  // On a busy machine, a request may get no response in time, and is then sent again.
  const fault = JSON.stringify({ kind: '429', retry_after: 600, count: 5 });
  await fetch(`${url}/sandbox/faults`, { method: 'POST', body: fault });
  const error: unknown = await run('searches.find_messages.operation.perform').catch((thrown: unknown) => thrown);
  await fetch(`${url}/sandbox/faults`, { method: 'DELETE' });
  const [, delay] = /"delay":(\d+)/.exec(String(error)) ?? [];
  return Math.round(Number(delay) / 100) * 100;
};

/** Creates a contact twice and returns the error message of the second time, without ids. */
const createTwice = async ({ run }: Zapier): Promise<string> => {
  const create = () => run('creates.create_contact.operation.perform', { inputData: { email: 'noor@example.com' } });
  const { id } = withId.parse(await create());
  const refusal = await create().catch((error: Error) => error.message);
  return String(refusal)
    .replace(id, 'ID')
    .replace(/ \(Request ID: \w+\)$/, '');
};

/** Creates or updates the contact that exists, and returns its first name. */
const upsert = async ({ run }: Zapier): Promise<unknown> => {
  const inputData = { email: 'noor@example.com', first_name: 'Sanne' };
  return contact.schema.parse(await run('creates.create_or_update_contact.operation.perform', { inputData }))
    .first_name;
};

/** The keys of the choices of a field. */
const choicesOf = (declared: unknown, key: string): string[] => {
  const found = z
    .array(choices)
    .safeParse(declared)
    .data?.find((field) => field.key === key);
  const listed = z.array(z.object({ value: z.string() })).safeParse(found?.choices);
  return listed.data?.map(({ value }) => value) ?? [];
};

/** The keys of the fields of a form or of a result. */
const keysOf = (declared: unknown): string[] => fields.parse(declared).map(({ key }) => key);

/** Returns the message that next starts a Zap. A delivery may start none. */
const nextMessage = async (zap: LiveTrigger): Promise<Message> => {
  for (;;) {
    const [started] = z.array(message.schema).parse(await zap.nextRun());
    if (started) return started;
  }
};

/** Returns what Zaps start with while conformance sends a message, and the results of conformance. */
const startZaps = async (zapier: Zapier, check: () => Promise<Results>) => {
  if (!('message_sent' in app.triggers)) return { results: await check() };
  const ofSent = await zapier.turnOn('message_sent', { sources: ['api'] });
  const ofStatus = await zapier.turnOn('message_status_updated', { statuses: ['delivered'], sources: ['api'] });
  const results = await check();
  const { text, to, direction } = await nextMessage(ofSent);
  const { status } = await nextMessage(ofStatus);
  await ofSent.turnOff();
  await ofStatus.turnOff();
  return { results, started: { text, to, direction }, updatedTo: status };
};

const sendMessage = async ({ run }: Zapier) => {
  // In another order than in the template.
  const variables = { arrival_time: '14:30', parcel_id: 'PX-1' };
  const inputData = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: customer, variables };
  const sent = message.schema.parse(await run('creates.send_message.operation.perform', { inputData }));
  return { id: typeof sent.id, to: sent.to, variables: sent.variables };
};

/** Returns what steps give, by the names that Zaps use, and the results of conformance. */
const useApp = async (zapier: Zapier, sandbox: Sandbox, check: () => Promise<Results>) => {
  const { plan } = z.object({ plan: z.optional(z.string()) }).parse(await zapier.run('authentication.test'));
  const { results, ...starts } = await startZaps(zapier, check);
  const read = await zapier.run('searches.find_messages.operation.perform', { inputData: { status: 'read' } });
  const given = {
    plan,
    ...starts,
    sent: await sendMessage(zapier),
    read: z.array(message.schema).parse(read)[0]?.status,
    exists: await createTwice(zapier),
    updated: await upsert(zapier),
    history: await countHistory(zapier),
    pause: await hitRateLimit(zapier, sandbox),
    baseUrl: parseBaseUrl('https://api.example.com/messaging/'),
  };
  return { given, results };
};

const steps = { ...app.triggers, ...app.creates, ...app.searches };
const fields = z.array(z.object({ key: z.string() }));

const choices = z.object({ key: z.string(), choices: z.optional(z.unknown()) });

/** The fields of the action that sends a message whose choices the service lists. */
const dropdowns = () => {
  const plain = app.creates.send_message?.operation.inputFields?.filter((field) => typeof field === 'object');
  const listed = z
    .array(choices)
    .parse(plain)
    .filter((field) => z.object({ perform: z.unknown() }).safeParse(field.choices).success);
  return listed.map(({ key }) => key).filter((key) => key !== 'default_country');
};

/** The calls whose responses the integration no longer reads once they are masked for a recording. */
const lostByMask = ({ responses }: Results): string[] =>
  responses
    .filter(({ status }) => status < 300)
    .filter(
      ({ endpoint: { response }, body, sent }) =>
        !response.safeParse(fromWire(response, mask(response, body), sent)).success,
    )
    .map(({ endpoint: { method, path } }) => `${method} ${path}`);

const workTogether = async (sandbox: Sandbox, zapier: Zapier, { url, responses }: Recorder) => {
  const values = Object.entries(exampleConnection).map(([key, value]) => [key.toUpperCase(), value]);
  const environment = { BASE_URL: url, API_TOKEN: sandbox.tokens.advanced, ...Object.fromEntries(values) };
  const composed = exists('listTemplates') ? [] : [...messageOptions, variables];
  const draft = { name: 'Weekend parcel points', status: 'draft' };
  const found = await zapier.run('searches.find_campaign.operation.perform', { inputData: draft });
  const campaigns = z
    .array(withId)
    .parse(found)
    .flatMap(({ id }) => ['--campaign', id]);
  const options = readOptions(['--write', '--to', tester, ...composed, ...campaigns], environment);
  const { given, results } = await useApp(zapier, sandbox, () => checkService(options));
  const requests: unknown = await (await fetch(`${sandbox.url}/sandbox/requests`)).json();
  return {
    app: {
      ...given,
      steps: Object.keys(steps),
      dropdowns: dropdowns(),
      forms: keysOf(app.creates.update_contact?.operation.inputFields),
      results: keysOf(app.searches.find_conversation_history?.operation.outputFields),
      senders: Object.values(app.triggers).flatMap(({ key, operation: { inputFields = [] } }) =>
        keysOf(inputFields).includes('sources') ? key : [],
      ),
      statuses: choicesOf(app.triggers.message_status_updated?.operation.inputFields, 'statuses'),
    },
    campaign: results.rows
      .filter(({ check }) => check.startsWith('triggerCampaign'))
      .map(({ check, outcome }) => `${check}: ${outcome}`),
    lostByMask: lostByMask(results),
    notPassed: results.rows.filter(({ outcome }) => !['passed', 'skipped', 'missing'].includes(outcome)),
    wire: {
      requests,
      responses: responses.map(({ body, ...others }) => ({ body: readJson(body), ...others })),
      deliveries: results.received.map(({ headers, content }) => ({ headers, body: readJson(content) })),
    },
  };
};

/**
 * Lets the integration, the sandbox and conformance work together, in a copy of the project. Returns what Zaps get, which
 * checks don't pass, which recordings can't be read, and everything on the wire.
 */
export const round = async () => {
  // The database of other tests has the ids of this project, not of its copy.
  const sandbox = await startSandbox({ speed: 100, rateLimit: 100_000 });
  const recorder = await startRecorder(sandbox.url);
  const zapier = await startZapier({
    authData: {
      base_url: recorder.url,
      api_token: sandbox.tokens.advanced,
      ai_agents: 'everything',
      ...exampleConnection,
    },
  });
  const result = await workTogether(sandbox, zapier, recorder);
  await zapier.stop();
  await recorder.stop();
  await sandbox.stop();
  return result;
};

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod/mini';
import { e164 } from '../src/api/fields';
import { type Message, message as messageResource } from '../src/api/resources';
import { fromWire } from '../src/api/wire';
import { activityKinds, type Activity as Entry, listActivity } from './activity';
import { serveAsset } from './assets';
import type { Chats } from './chats';
import { protect, requireOwnPage } from './guard';
import type { Live } from './live';
import type { Observer } from './observer';
import { Activity, type ActivityView } from './page/activity';
import { Layout } from './page/layout';
import { Phones, type PhonesView } from './page/phones';
import { Simulate } from './page/simulate';
import type { Service } from './service';
import { type FaultKind, faultKinds, type Simulation, speeds } from './simulation';
import { renderZap, type ZapParts, zapRoutes } from './zap-routes';
import type { Connection } from './zaps/connection';
import type { RpcStore } from './zaps/rpc';
import { sentenceOf } from './zaps/runner';
import { type Posted, parsePosted, readOne } from './zaps/step-form';
import { readNumber } from './zaps/zaps';

/** Everything that the page shows or changes. */
export interface Parts extends ZapParts {
  service: Service;
  chats: Chats;
  observer: Observer;
  simulation: Simulation;
  connection: Connection;
  rpc: RpcStore;
  live: Live;
}

type Env = { Bindings: HttpBindings };

const maxBodyBytes = 1024 * 1024;
const maxRows = 10_000;

const readPhonesView = (c: Context): PhonesView => ({
  chat: c.req.query('chat')?.slice(0, 100),
  chats: readNumber(c.req.query('chats'), 30, maxRows),
  messages: readNumber(c.req.query('messages'), 30, maxRows),
});

const kind = z.enum(activityKinds);

const readActivityView = (c: Context): ActivityView => ({
  kind: kind.safeParse(c.req.query('kind')).data,
  customer: (c.req.query('customer') ?? '').trim().slice(0, 50),
  open: c.req.query('open')?.slice(0, 100),
  count: readNumber(c.req.query('count'), 50, maxRows),
});

const readForm = async (c: Context): Promise<Posted> => parsePosted(await c.req.parseBody({ all: true }));

const renderPhones = ({ chats }: Parts, view: PhonesView, error?: string) => (
  <Phones view={view} open={chats.open(view.chat)} chats={chats.list()} error={error} />
);

const renderActivity = async (parts: Parts, view: ActivityView) => {
  const entries: Entry[] = await listActivity(parts, view);
  return <Activity view={view} entries={entries} />;
};

const renderSimulate = async ({ simulation, connection }: Parts, error?: string) => (
  <Simulate
    faults={await simulation.faults()}
    speed={simulation.speed}
    advancedSeconds={simulation.advancedSeconds}
    plan={connection.plan}
    isExpired={connection.isExpired}
    error={error}
  />
);

const decodeMessage = (value: unknown): Message =>
  messageResource.schema.parse(fromWire(messageResource.schema, value));

/** Lets a customer write, and opens the chat. A refusal is shown at the form. */
const writeAsCustomer = async (parts: Parts, view: PhonesView, body: Posted) => {
  const message = {
    from: (readOne(body, 'from') ?? '').replaceAll(/[\s()-]/g, ''),
    text: readOne(body, 'text') ?? '',
    channel: readOne(body, 'channel') ?? 'whatsapp',
  };
  if (!e164.test(message.from)) {
    const problem = `"${message.from.slice(0, 30)}" isn't a complete phone number. Enter it with + and the country code, such as +12025550123.`;
    return renderPhones(parts, view, problem);
  }
  try {
    const written = decodeMessage(await parts.service.control('POST', 'messages', message));
    parts.chats.put(written);
    return renderPhones(parts, { ...view, chat: written.conversation_id ?? undefined });
  } catch (error) {
    return renderPhones(parts, view, sentenceOf(error));
  }
};

const isFaultKind = (value: string): value is FaultKind => faultKinds.some((each) => each === value);

/** Changes what the form names: a failure, the clock, the speed, the token or the plan. */
const simulate = async ({ simulation, connection, zaps }: Parts, body: Posted): Promise<void> => {
  const fault = readOne(body, 'fault');
  const advance = readOne(body, 'advance');
  const speed = speeds.find((each) => String(each) === readOne(body, 'speed'));
  const plan = readOne(body, 'plan');
  if (fault && isFaultKind(fault)) await simulation.addFault(fault, readNumber(readOne(body, 'count'), 1, 100), zaps);
  if (readOne(body, 'clear')) await simulation.clearFaults();
  if (advance) await simulation.advance(readNumber(advance, 0, 31 * 86_400));
  if (speed) simulation.speed = speed;
  if (readOne(body, 'token') === 'rotate') await connection.rotate();
  if (readOne(body, 'token') === 'reconnect') connection.reconnect();
  if (plan === 'growth' || plan === 'advanced') connection.plan = plan;
};

const addPanes = (app: Hono<Env>, parts: Parts): void => {
  app.get('/', async (c) => {
    const zap = parts.zaps.find(c.req.query('zap'));
    const [simulation, editor, activity] = await Promise.all([
      renderSimulate(parts),
      renderZap(parts, zap, readNumber(c.req.query('step'), 0, zap.steps.length - 1)),
      renderActivity(parts, readActivityView(c)),
    ]);
    const page = (
      <Layout toolbar={simulation}>
        <main>
          {renderPhones(parts, readPhonesView(c))}
          {editor}
          {activity}
        </main>
      </Layout>
    );
    return c.html(`<!DOCTYPE html>${page}`);
  });

  app.get('/phones', (c) => c.html(renderPhones(parts, readPhonesView(c))));
  app.post('/phones', async (c) => c.html(await writeAsCustomer(parts, readPhonesView(c), await readForm(c))));

  app.get('/activity', async (c) => c.html(await renderActivity(parts, readActivityView(c))));
  app.post('/activity', async (c) => {
    const body = await readForm(c);
    const delivery = readNumber(readOne(body, 'delivery'), 0, Number.MAX_SAFE_INTEGER);
    for (let left = readNumber(readOne(body, 'times'), 1, 2); left > 0; left -= 1) {
      await parts.service.control('POST', `deliveries/${delivery}/again`).catch(() => undefined);
    }
    return c.html(await renderActivity(parts, readActivityView(c)));
  });

  app.get('/simulate', async (c) => c.html(await renderSimulate(parts)));
  app.post('/simulate', async (c) => {
    const body = await readForm(c);
    const error = await simulate(parts, body).then(() => undefined, sentenceOf);
    return c.html(await renderSimulate(parts, error));
  });
};

/** What Zapier's servers receive: deliveries, callbacks, and calls of `z.cursor` and `z.cache`. */
const addZapier = (app: Hono<Env>, { runner, rpc, observer }: Parts): void => {
  app.post('/zapier/hooks/:zap', async (c) => {
    const isOn = await runner.receive(c.req.param('zap'), c.env.incoming);
    return c.body(null, isOn ? 200 : 410);
  });
  app.post('/zapier/callbacks/:id', async (c) => {
    const isExpected = runner.resume(c.req.param('id'), await c.req.json());
    return c.body(null, isExpected ? 200 : 410);
  });
  app.post('/zapier/rpc', (c) => rpc.respond(c));
  app.post('/observer', (c) => observer.receive(c));
};

/** Creates the HTTP app of the playground. */
export const createRoutes = (parts: Parts): Hono<Env> => {
  const app = new Hono<Env>();
  app.use(requireOwnPage, protect, bodyLimit({ maxSize: maxBodyBytes }));
  app.get('/assets/:name', serveAsset);
  app.get('/live', (c) => parts.live.stream(c));
  addPanes(app, parts);
  app.route('/zap', zapRoutes(parts));
  addZapier(app, parts);
  app.onError((error, c) => {
    console.error(`The playground failed at ${c.req.method} ${c.req.path}: ${error.message}`);
    return c.text('The playground failed. Reload the page.', 500);
  });
  return app;
};

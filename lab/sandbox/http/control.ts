import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type Plan, vocabulary } from '../../../src/api/resources';
import { type LabClock, second, toIso } from '../../zapier/clock';
import { endCampaign, triggerCampaign } from '../domain/campaigns';
import { setConversationStatus, startConversation } from '../domain/conversations';
import { deliverBefore, keepChatOpen } from '../domain/message-lifecycle';
import { receiveMessage, writeMessage, writeNote } from '../domain/messages';
import { createToken, rotateToken, workspaceOnPlan } from '../domain/workspaces';
import { parseBody, validate } from '../engine/api-error';
import { deliveryFault, type FaultList, type RequestFault, requestFault } from '../engine/faults';
import type { Scheduler } from '../engine/scheduler';
import { inWorkspace, type SandboxContext } from '../store/context';
import { type Kind, ownerOf } from '../store/records';
import { saveTime } from '../store/timekeeping';
import type { Deliveries } from '../webhooks/deliveries';
import { deliverAgain, listDeliveries, releaseHeld } from '../webhooks/queue';
import { rotateSecret, startWebhooks } from '../webhooks/webhooks';
import type { RequestLog } from './request-log';
import type { Env } from './responses';

interface Controls {
  context: SandboxContext;
  clock: LabClock;
  scheduler: Scheduler;
  deliveries: Deliveries;
  log: RequestLog;
  requestFaults: FaultList<RequestFault>;
}

const text = z.string();
const workspace = z._default(z.enum(vocabulary.plan), 'advanced');
const channel = z._default(text, 'whatsapp');
const seconds = z.number().check(z.minimum(0), z.maximum(366 * 24 * 3600));

const attachment = z.strictObject({ type: z.enum(vocabulary.attachmentType), name: text });
const inboundMessage = z.strictObject({
  workspace,
  from: z.optional(text),
  username: z.optional(text),
  text: z.optional(z.nullable(text)),
  attachments: z.optional(z.array(attachment)),
  channel,
  reply_to: z.optional(text),
  stays_open: z.optional(z.boolean()),
});
const newToken = z.strictObject({ plan: workspace, scopes: z.optional(z.array(z.enum(vocabulary.scope))) });
const oldToken = z.strictObject({ token: text });
const newConversation = z.strictObject({ workspace, from: z.optional(text), username: z.optional(text), channel });
const outboundMessage = z.strictObject({
  text,
  source: z._default(z.enum(['colleague', 'ai', 'automation']), 'colleague'),
});
const note = z.strictObject({ text });
const ignoredBody = z.unknown();
const limit = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1000);
const deliveryFilters = z.strictObject({ webhook_id: z.optional(text), status: z.optional(text), limit });
const requestFilters = z.strictObject({ limit });
const delay = z.strictObject({ delay_seconds: z._default(seconds, 0) });
const clockAdvance = z.strictObject({ advance_seconds: seconds });
const fault = z.discriminatedUnion('kind', [requestFault, deliveryFault]);

/** Parses the JSON body of a control call. A call without a body has an empty object. */
const readBody = async <S extends z.ZodMiniType>(c: Context<Env>, schema: S): Promise<z.output<S>> =>
  validate(schema, parseBody((await c.req.text()) || '{}'));

/** Registers a call that changes data. Runs it in a transaction, and responds with what it returns as JSON. */
const registerChange =
  (app: Hono<Env>, { context: { database } }: Controls) =>
  <S extends z.ZodMiniType>(
    path: string,
    status: 200 | 201 | 202,
    schema: S,
    change: (body: z.output<S>, id: string) => object | undefined,
  ): void => {
    app.post(path, async (c) => {
      const body = await readBody(c, schema);
      const result = database.transaction(() => change(body, c.req.param('id') ?? ''));
      return result ? c.json(result, status) : c.body(null, status);
    });
  };

const addDomainCalls = (app: Hono<Env>, controls: Controls): void => {
  const { context } = controls;
  const { database } = context;
  const post = registerChange(app, controls);
  const onPlan = (plan: Plan) => inWorkspace(context, workspaceOnPlan(database, plan));
  const ownerContext = (kind: Kind, id: string) => inWorkspace(context, ownerOf(database, kind, id));

  post('/messages', 201, inboundMessage, ({ workspace: plan, stays_open, ...message }) => {
    const received = receiveMessage(onPlan(plan), message);
    deliverBefore(onPlan(plan), received);
    if (stays_open && received.conversation_id) keepChatOpen(onPlan(plan), received.conversation_id);
    return received;
  });
  post('/conversations', 201, newConversation, ({ workspace: plan, channel: on, ...customer }) =>
    startConversation(onPlan(plan), customer, on),
  );
  post('/conversations/:id/messages', 201, outboundMessage, (message, id) =>
    writeMessage(ownerContext('conversation', id), id, message),
  );
  post('/conversations/:id/notes', 201, note, (written, id) =>
    writeNote(ownerContext('conversation', id), id, written),
  );
  post('/conversations/:id/close', 200, ignoredBody, (_, id) =>
    setConversationStatus(ownerContext('conversation', id), id, 'closed'),
  );
  post('/conversations/:id/reopen', 200, ignoredBody, (_, id) =>
    setConversationStatus(ownerContext('conversation', id), id, 'open'),
  );
  post('/campaigns/:id/start', 202, ignoredBody, (_, id) => triggerCampaign(ownerContext('campaign', id), id, {}));
  post('/campaigns/:id/finish', 200, ignoredBody, (_, id) =>
    endCampaign(ownerContext('campaign', id), id, 'completed'),
  );
  post('/campaigns/:id/fail', 200, ignoredBody, (_, id) => endCampaign(ownerContext('campaign', id), id, 'failed'));
  post('/tokens', 201, newToken, ({ plan, scopes }) => ({
    token: createToken(onPlan(plan), scopes),
  }));
  post('/tokens/rotate', 200, oldToken, ({ token }) => ({ token: rotateToken(context, token) }));
  post('/webhooks/:id/rotate-secret', 200, ignoredBody, (_, id) => rotateSecret(ownerContext('webhook', id), id));
  post('/deliveries/:id/again', 202, delay, ({ delay_seconds }, id) => {
    deliverAgain(context, Number(id), delay_seconds * second);
    return undefined;
  });
};

const addFaultCalls = (app: Hono<Env>, controls: Controls): void => {
  const { context, requestFaults } = controls;
  const { database, deliveryFaults } = context;

  app.get('/faults', (c) => c.json({ data: [...requestFaults.list(), ...deliveryFaults.list()] }));

  registerChange(app, controls)('/faults', 201, fault, (added) => {
    if ('path' in added) requestFaults.add(added);
    else deliveryFaults.add(added);
    return added;
  });

  app.delete('/faults/:name', (c) => {
    requestFaults.remove(c.req.param('name'));
    deliveryFaults.remove(c.req.param('name'));
    return c.body(null, 204);
  });

  app.delete('/faults', (c) => {
    requestFaults.clear();
    deliveryFaults.clear();
    database.transaction(() => releaseHeld(context));
    return c.body(null, 204);
  });
};

/** Creates the calls under /sandbox/, which need no token. They simulate customers, colleagues, failures and time. */
export const createControl = (controls: Controls): Hono<Env> => {
  const { context, clock, scheduler, deliveries, log } = controls;
  const app = new Hono<Env>();
  addDomainCalls(app, controls);
  addFaultCalls(app, controls);

  app.get('/deliveries', (c) =>
    c.json({ data: listDeliveries(context.database, validate(deliveryFilters, c.req.query())) }),
  );
  app.get('/requests', (c) => {
    const { limit: count } = validate(requestFilters, c.req.query());
    return c.json({ data: log.list().slice(-count) });
  });
  app.delete('/requests', (c) => {
    log.clear();
    return c.body(null, 204);
  });
  app.post('/clock', async (c) => {
    const { advance_seconds } = await readBody(c, clockAdvance);
    // What the jump itself causes is due later.
    const end = await clock.advance(advance_seconds * second);
    return c.json({ now: toIso(clock.now()), open_deliveries: deliveries.countDue(end) });
  });
  app.delete('/clock', (c) => {
    clock.reset();
    startWebhooks(context);
    saveTime(context.database, clock);
    scheduler.wake();
    return c.json({ now: toIso(clock.now()) });
  });
  return app;
};

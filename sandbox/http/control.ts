import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { vocabulary } from '../../src/api/resources';
import { endCampaign, triggerCampaign } from '../domain/campaigns';
import { setConversationStatus, startConversation } from '../domain/conversations';
import { receiveMessage, writeMessage } from '../domain/messages';
import { createToken, rotateToken, workspaceOf } from '../domain/workspaces';
import { type SandboxClock, toIso } from '../engine/clock';
import type { SandboxContext } from '../engine/context';
import type { Scheduler } from '../engine/scheduler';
import { type DeliveryFault, deliveryFault, type FaultList, type RequestFault, requestFault } from '../faults';
import { decode, decodeJson } from '../refusal';
import { ownerOf, resourceTypes } from '../store/records';
import type { Deliveries } from '../webhooks/deliveries';
import { deliverAgain, listDeliveries, releaseHeld } from '../webhooks/queue';
import { rotateSecret } from '../webhooks/webhooks';
import type { RequestLog } from './request-log';
import type { Env } from './responses';

interface Controls {
  context: SandboxContext;
  clock: SandboxClock;
  scheduler: Scheduler;
  deliveries: Deliveries;
  log: RequestLog;
  requestFaults: FaultList<RequestFault>;
}

const text = z.string();
const workspace = z._default(z.enum(vocabulary.plan), 'advanced');
const channel = z._default(text, 'whatsapp');
const seconds = z.number().check(z.minimum(0), z.maximum(366 * 24 * 3600));

const inboundMessage = z.strictObject({ workspace, from: text, text, channel });
const newToken = z.strictObject({ plan: workspace, scopes: z.optional(z.array(z.enum(vocabulary.scope))) });
const oldToken = z.strictObject({ token: text });
const newConversation = z.strictObject({ workspace, from: text, channel });
const outboundMessage = z.strictObject({ text, source: z._default(z.enum(['agent', 'automation']), 'agent') });
const limit = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1000);
const deliveryFilters = z.strictObject({ webhook_id: z.optional(text), status: z.optional(text), limit });
const requestFilters = z.strictObject({ limit });
const delay = z.strictObject({ delay_seconds: z._default(seconds, 0) });
const jump = z.strictObject({ advance_seconds: seconds });
const fault = z.discriminatedUnion('kind', [requestFault, deliveryFault]);

const isDeliveryFault = (added: RequestFault | DeliveryFault): added is DeliveryFault =>
  added.kind.startsWith('delivery_');

/** Parses the JSON body of a control call. A call without a body has an empty object. */
const readBody = async <S extends z.ZodMiniType>(c: Context<Env>, schema: S): Promise<z.output<S>> =>
  decodeJson(schema, (await c.req.text()) || '{}');

const addConversationCalls = (app: Hono<Env>, { context }: Controls): void => {
  const { database } = context;

  app.post('/messages', async (c) => {
    const { workspace: plan, ...message } = await readBody(c, inboundMessage);
    const receive = () => receiveMessage(context, workspaceOf(database, plan), message);
    return c.json(database.transaction(receive), 201);
  });

  app.post('/conversations', async (c) => {
    const { workspace: plan, from, channel: on } = await readBody(c, newConversation);
    const start = () => startConversation(context, workspaceOf(database, plan), from, on);
    return c.json(database.transaction(start), 201);
  });

  app.post('/conversations/:id/messages', async (c) => {
    const message = await readBody(c, outboundMessage);
    const { id } = c.req.param();
    const write = () => writeMessage(context, ownerOf(database, resourceTypes.conversation, id), id, message);
    return c.json(database.transaction(write), 201);
  });

  for (const [action, status] of [
    ['close', 'closed'],
    ['reopen', 'open'],
  ] as const) {
    app.post(`/conversations/:id/${action}`, (c) => {
      const { id } = c.req.param();
      const change = () =>
        setConversationStatus(context, ownerOf(database, resourceTypes.conversation, id), id, status);
      return c.json(database.transaction(change));
    });
  }
};

const addCampaignCalls = (app: Hono<Env>, { context }: Controls): void => {
  const { database } = context;

  app.post('/campaigns/:id/start', (c) => {
    const { id } = c.req.param();
    const start = () => triggerCampaign(context, ownerOf(database, resourceTypes.campaign, id), id, {});
    return c.json(database.transaction(start), 202);
  });

  for (const [action, status] of [
    ['finish', 'completed'],
    ['fail', 'failed'],
  ] as const) {
    app.post(`/campaigns/:id/${action}`, (c) => {
      const { id } = c.req.param();
      const end = () => endCampaign(context, ownerOf(database, resourceTypes.campaign, id), id, status);
      return c.json(database.transaction(end));
    });
  }
};

const addTokenCalls = (app: Hono<Env>, { context }: Controls): void => {
  const { database } = context;

  app.post('/tokens', async (c) => {
    const { plan, scopes } = await readBody(c, newToken);
    return c.json({ token: createToken(context, workspaceOf(database, plan), scopes) }, 201);
  });

  app.post('/tokens/rotate', async (c) => {
    const { token } = await readBody(c, oldToken);
    return c.json({ token: rotateToken(context, token) });
  });

  app.post('/webhooks/:id/rotate-secret', (c) => {
    const { id } = c.req.param();
    return c.json(rotateSecret(context, ownerOf(database, resourceTypes.webhook, id), id));
  });
};

const addDeliveryCalls = (app: Hono<Env>, { context }: Controls): void => {
  const { database } = context;

  app.get('/deliveries', (c) => c.json({ data: listDeliveries(database, decode(deliveryFilters, c.req.query())) }));

  app.post('/deliveries/:id/again', async (c) => {
    const { delay_seconds } = await readBody(c, delay);
    database.transaction(() => deliverAgain(context, Number(c.req.param('id')), delay_seconds * 1000));
    return c.body(null, 202);
  });
};

const addRequestLogCalls = (app: Hono<Env>, { log }: Controls): void => {
  app.get('/requests', (c) => {
    const { limit: count } = decode(requestFilters, c.req.query());
    return c.json({ data: log.list().slice(-count) });
  });

  app.delete('/requests', (c) => {
    log.clear();
    return c.body(null, 204);
  });
};

const addFaultCalls = (app: Hono<Env>, { context, requestFaults }: Controls): void => {
  const { database, deliveryFaults } = context;

  app.get('/faults', (c) => c.json({ data: [...requestFaults.list(), ...deliveryFaults.list()] }));

  app.post('/faults', async (c) => {
    const added = await readBody(c, fault);
    if (isDeliveryFault(added)) deliveryFaults.add(added);
    else requestFaults.add(added);
    return c.json(added, 201);
  });

  app.delete('/faults', (c) => {
    requestFaults.clear();
    deliveryFaults.clear();
    database.transaction(() => releaseHeld(context));
    return c.body(null, 204);
  });
};

const addClockCalls = (app: Hono<Env>, { clock, scheduler, deliveries }: Controls): void => {
  app.post('/clock', async (c) => {
    const { advance_seconds } = await readBody(c, jump);
    clock.advance(advance_seconds * 1000);
    const now = clock.now();
    await scheduler.catchUp(now);
    await deliveries.settle(now);
    return c.json({ now: toIso(clock.now()) });
  });
};

/** The calls under /sandbox/, which need no token. They simulate customers, colleagues, failures and time. */
export const createControl = (controls: Controls): Hono<Env> => {
  const app = new Hono<Env>();
  addConversationCalls(app, controls);
  addCampaignCalls(app, controls);
  addTokenCalls(app, controls);
  addDeliveryCalls(app, controls);
  addRequestLogCalls(app, controls);
  addFaultCalls(app, controls);
  addClockCalls(app, controls);
  return app;
};

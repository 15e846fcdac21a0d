import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { vocabulary } from '../src/api/resources';
import type { Scheduler } from './agenda';
import { parseBody } from './body';
import { endCampaign, triggerCampaign } from './campaigns';
import { type SandboxClock, toIso } from './clock';
import { setConversationStatus, startConversation } from './conversations';
import type { Deliveries } from './deliveries';
import { deliverAgain, listDeliveries, releaseHeld } from './delivery-queue';
import { type DeliveryFault, deliveryFault, type FaultList, type RequestFault, requestFault } from './faults';
import { receiveMessage, writeMessage } from './messages';
import { kinds, ownerOf } from './records';
import { parseOrRefuse } from './refusal';
import type { RequestLog } from './request-log';
import type { Env } from './server';
import type { Service } from './service';
import { rotateSecret } from './webhooks';
import { createToken, rotateToken, workspaceOf } from './workspaces';

/** What the control calls work with. */
interface Controls {
  service: Service;
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
const deliveryFilters = z.strictObject({ webhook_id: z.optional(text), status: z.optional(text) });
const delay = z.strictObject({ delay_seconds: z._default(seconds, 0) });
const jump = z.strictObject({ advance_seconds: seconds });
const fault = z.discriminatedUnion('kind', [requestFault, deliveryFault]);

const isDeliveryFault = (asked: RequestFault | DeliveryFault): asked is DeliveryFault =>
  asked.kind.startsWith('delivery_');

const readBody = <S extends z.ZodMiniType>(c: Context<Env>, schema: S): z.output<S> =>
  parseBody(schema, c.get('body') || '{}');

const customersAndColleagues = (app: Hono<Env>, { service }: Controls): void => {
  const { database } = service;

  app.post('/messages', (c) => {
    const { workspace: plan, ...message } = readBody(c, inboundMessage);
    return c.json(
      database.transaction(() => receiveMessage(service, workspaceOf(database, plan), message)),
      201,
    );
  });

  app.post('/conversations', (c) => {
    const { workspace: plan, from, channel: on } = readBody(c, newConversation);
    return c.json(
      database.transaction(() => startConversation(service, workspaceOf(database, plan), from, on)),
      201,
    );
  });

  app.post('/conversations/:id/messages', (c) => {
    const message = readBody(c, outboundMessage);
    const id = c.req.param('id');
    const owner = ownerOf(database, kinds.conversation, id);
    return c.json(
      database.transaction(() => writeMessage(service, owner, id, message)),
      201,
    );
  });

  for (const [action, status] of [
    ['close', 'closed'],
    ['reopen', 'open'],
  ] as const) {
    app.post(`/conversations/:id/${action}`, (c) => {
      const id = c.req.param('id');
      const owner = ownerOf(database, kinds.conversation, id);
      return c.json(database.transaction(() => setConversationStatus(service, owner, id, status)));
    });
  }

  app.post('/campaigns/:id/start', (c) => {
    const id = c.req.param('id');
    const owner = ownerOf(database, kinds.campaign, id);
    return c.json(
      database.transaction(() => triggerCampaign(service, owner, id, {})),
      202,
    );
  });

  for (const [action, status] of [
    ['finish', 'completed'],
    ['fail', 'failed'],
  ] as const) {
    app.post(`/campaigns/:id/${action}`, (c) => {
      const id = c.req.param('id');
      const owner = ownerOf(database, kinds.campaign, id);
      return c.json(database.transaction(() => endCampaign(service, owner, id, status)));
    });
  }
};

const tokensAndSecrets = (app: Hono<Env>, { service }: Controls): void => {
  const { database } = service;

  app.post('/tokens', (c) => {
    const { plan, scopes } = readBody(c, newToken);
    return c.json({ token: createToken(service, workspaceOf(database, plan), scopes) }, 201);
  });

  app.post('/tokens/rotate', (c) => c.json({ token: rotateToken(service, readBody(c, oldToken).token) }));

  app.post('/webhooks/:id/rotate-secret', (c) => {
    const id = c.req.param('id');
    return c.json(rotateSecret(service, ownerOf(database, kinds.webhook, id), id));
  });
};

const deliveries = (app: Hono<Env>, { service }: Controls): void => {
  const { database } = service;

  app.get('/deliveries', (c) => {
    return c.json({ data: listDeliveries(database, parseOrRefuse(deliveryFilters, c.req.query())) });
  });

  app.post('/deliveries/:id/again', (c) => {
    const { delay_seconds } = readBody(c, delay);
    database.transaction(() => deliverAgain(service, Number(c.req.param('id')), delay_seconds * 1000));
    return c.body(null, 202);
  });
};

const requests = (app: Hono<Env>, { log }: Controls): void => {
  app.get('/requests', (c) => c.json({ data: log.list() }));

  app.delete('/requests', (c) => {
    log.clear();
    return c.body(null, 204);
  });
};

const faults = (app: Hono<Env>, { service, requestFaults }: Controls): void => {
  const { deliveryFaults } = service;

  app.get('/faults', (c) => c.json({ data: [...requestFaults.list(), ...deliveryFaults.list()] }));

  app.post('/faults', (c) => {
    const asked = readBody(c, fault);
    if (isDeliveryFault(asked)) deliveryFaults.add(asked);
    else requestFaults.add(asked);
    return c.json(asked, 201);
  });

  app.delete('/faults', (c) => {
    requestFaults.clear();
    deliveryFaults.clear();
    service.database.transaction(() => releaseHeld(service));
    return c.body(null, 204);
  });
};

const time = (app: Hono<Env>, { clock, scheduler, deliveries: sent }: Controls): void => {
  app.post('/clock', async (c) => {
    clock.advance(readBody(c, jump).advance_seconds * 1000);
    const now = clock.now();
    await scheduler.catchUp(now);
    await sent.settle(now);
    return c.json({ now: toIso(clock.now()) });
  });
};

/** The calls under /sandbox/: what in the real service customers, colleagues, time and bad luck do. No token needed. */
export const createControl = (controls: Controls): Hono<Env> => {
  const app = new Hono<Env>();
  for (const add of [customersAndColleagues, tokensAndSecrets, deliveries, requests, faults, time]) add(app, controls);
  return app;
};

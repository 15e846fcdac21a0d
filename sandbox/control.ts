import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { vocabulary } from '../src/api/resources';
import { listDeliveries } from './delivery-queue';
import { receiveMessage } from './messages';
import { parseOrRefuse } from './refusal';
import type { RequestLog } from './request-log';
import { type Env, parseJson } from './server';
import type { Service } from './service';
import { createToken, rotateToken, workspaceOf } from './workspaces';

const text = z.string();
const workspace = z._default(z.enum(vocabulary.plan), 'advanced');

const inboundMessage = z.strictObject({ workspace, from: text, text, channel: z._default(text, 'whatsapp') });
const newToken = z.strictObject({ plan: workspace, scopes: z.optional(z.array(z.enum(vocabulary.scope))) });
const oldToken = z.strictObject({ token: text });
const deliveryFilters = z.strictObject({ webhook_id: z.optional(text), status: z.optional(text) });

const readBody = <S extends z.ZodMiniType>(c: Context<Env>, schema: S): z.output<S> =>
  parseOrRefuse(schema, parseJson(c.get('body') || '{}'));

/** The control calls under /sandbox/: what in the real service customers, colleagues and time do. No token needed. */
export const createControl = (service: Service, log: RequestLog): Hono<Env> => {
  const { database } = service;
  const app = new Hono<Env>();

  app.post('/messages', (c) => {
    const { workspace: plan, ...message } = readBody(c, inboundMessage);
    const received = database.transaction(() => receiveMessage(service, workspaceOf(database, plan), message));
    return c.json(received, 201);
  });

  app.post('/tokens', (c) => {
    const { plan, scopes } = readBody(c, newToken);
    return c.json({ token: createToken(service, workspaceOf(database, plan), scopes) }, 201);
  });

  app.post('/tokens/rotate', (c) => {
    const { token } = readBody(c, oldToken);
    return c.json({ token: rotateToken(service, token) });
  });

  app.get('/deliveries', (c) => {
    return c.json({ data: listDeliveries(database, parseOrRefuse(deliveryFilters, c.req.query())) });
  });

  app.get('/requests', (c) => c.json({ data: log.list() }));

  app.delete('/requests', (c) => {
    log.clear();
    return c.body(null, 204);
  });

  return app;
};

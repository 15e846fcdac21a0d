import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Env, Parts } from './parts';

/** Passes on what Zapier's servers receive. */
export const zapierRoutes = ({ respond }: Parts): Hono<Env> =>
  new Hono<Env>().post('/*', async (c) => {
    await respond(c.env.incoming, c.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });

import { Hono } from 'hono';
import type { Env, Parts } from './parts';

/** What Zapier's servers receive: deliveries, callbacks, and calls of `z.cursor` and `z.cache`. */
export const zapierRoutes = ({ deliveries, runner, rpc }: Parts): Hono<Env> =>
  new Hono<Env>()
    .post('/hooks/:id', async (c) => {
      const isOn = await deliveries.receive(c.req.param('id'), c.env.incoming);
      return c.body(null, isOn ? 200 : 410);
    })
    .post('/callbacks/:id', async (c) => {
      const isExpected = runner.receiveCallback(c.req.param('id'), await c.req.json());
      return c.body(null, isExpected ? 200 : 410);
    })
    .post('/rpc', async (c) => c.json(rpc.answer(await c.req.json())));

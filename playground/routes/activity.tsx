import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { activityKinds, listActivity } from '../activity';
import { ServiceError } from '../call-api';
import { Activity, type ActivityView } from '../page/activity';
import { readWholeNumber } from '../read-whole-number';
import { Refused } from '../refused';
import { readForm, readOne } from './form';
import type { Env, Parts } from './parts';

const maxRows = 10_000;
const kind = z.enum(activityKinds);

/** Reads what the activity list shows from the address of the pane. */
export const readActivityView = (c: Context): ActivityView => ({
  kind: kind.safeParse(c.req.query('kind')).data,
  customer: (c.req.query('customer') ?? '').trim().slice(0, 50),
  open: c.req.query('open')?.slice(0, 100),
  count: readWholeNumber(c.req.query('count'), maxRows) ?? 50,
});

/** Renders the activity list. */
export const renderActivity = async (parts: Parts, view: ActivityView) => (
  <Activity view={view} entries={await listActivity(parts, view)} />
);

/** Sends a delivery again, once or twice. */
const deliverAgain = async ({ service }: Parts, delivery: number, times: number): Promise<void> => {
  for (let left = times; left > 0; left -= 1) await service.control('POST', `deliveries/${delivery}/again`);
};

/** The calls of the activity list. */
export const activityRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', async (c) => c.html(await renderActivity(parts, readActivityView(c))))
    .post('/', async (c) => {
      const body = await readForm(c);
      const delivery = readWholeNumber(readOne(body, 'delivery'), Number.MAX_SAFE_INTEGER) ?? 0;
      const times = readWholeNumber(readOne(body, 'times'), 2) ?? 1;
      await deliverAgain(parts, delivery, times).catch((error: unknown) => {
        throw error instanceof ServiceError ? new Refused(error.message) : error;
      });
      return c.html(await renderActivity(parts, readActivityView(c)));
    });

import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { ServiceError } from '../../sandbox/client';
import { Activity, type ActivityView, maxOpen } from '../page/activity/activity';
import { activityKinds, maxLines } from '../service/activity';
import { maskSecrets, toReadableJson } from '../service/readable-json';
import { Refused } from '../service/refused';
import { listActivity, listStories } from '../service/stories';
import { readForm, readOne, readWholeNumber } from './form';
import type { Env, Parts } from './parts';

const maxRows = 10_000;
const maxOpenLength = 4000;
const kind = z.enum(activityKinds);

/** Reads what the activity list shows from the address of the pane. */
export const readActivityView = (c: Context, isLine = c.req.query('line') !== undefined): ActivityView => ({
  isLine,
  kind: kind.safeParse(c.req.query('kind')).data,
  customer: (c.req.query('customer') ?? '').trim().slice(0, 50),
  open: (c.req.query('open') ?? '').slice(0, maxOpenLength).split(',').filter(Boolean).slice(-maxOpen),
  count: readWholeNumber(c.req.query('count'), maxRows) ?? 50,
});

/** Renders the activity list: the lines of a kind, or stories of all kinds. */
export const renderActivity = async (parts: Parts, view: ActivityView) => {
  if (view.kind) return <Activity view={view} entries={await listActivity(parts, view.kind, view)} />;
  return <Activity view={view} entries={[]} stories={await listStories(parts, view)} />;
};

/** Sends a delivery again, once or twice. */
const deliverAgain = async ({ service }: Parts, delivery: number, times: number): Promise<void> => {
  for (let left = times; left > 0; left -= 1) await service.control('POST', `deliveries/${delivery}/again`);
};

/** A story with everything that it shows, as JSON without secrets. Undefined when there is none. */
const saveStory = async (parts: Parts, id: string): Promise<string | undefined> => {
  const filters = { customer: '', count: maxLines, open: parts.runs.list().map((run) => run.id) };
  const story = (await listStories(parts, filters)).find((each) => each.id === id);
  return story && toReadableJson(story, maskSecrets);
};

/** The calls of the activity list. */
export const activityRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>()
    .get('/', async (c) => c.html(await renderActivity(parts, readActivityView(c))))
    .get('/stories/:id', async (c) => {
      const json = await saveStory(parts, c.req.param('id'));
      return json ? c.body(json, 200, { 'content-type': 'application/json' }) : c.notFound();
    })
    .post('/', async (c) => {
      const body = await readForm(c);
      const delivery = readWholeNumber(readOne(body, 'delivery'), Number.MAX_SAFE_INTEGER) ?? 0;
      const times = readWholeNumber(readOne(body, 'times'), 2) ?? 1;
      await deliverAgain(parts, delivery, times).catch((error: unknown) => {
        throw error instanceof ServiceError ? new Refused(error.message) : error;
      });
      return c.html(await renderActivity(parts, readActivityView(c)));
    });

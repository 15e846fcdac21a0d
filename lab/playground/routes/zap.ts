import { Hono } from 'hono';
import { toStage } from '../page/panel/stages';
import { addEmptyZap, addRecipe, wantedZap } from '../service/new-zaps';
import { Refused } from '../service/refused';
import { readForm, readOne, readWholeNumber } from './form';
import { findWholeRun, openZap, requireStep, requireZap } from './open-zap';
import type { Env, Parts } from './parts';
import { addRecords } from './records';
import { addRuns } from './runs';
import { addSteps } from './steps';
import { addVersions } from './versions';

const maxRecipes = 1000;

/** The calls of the Zap pane. */
export const zapRoutes = (parts: Parts): Hono<Env> => {
  const { zaps, live } = parts;
  const routes = new Hono<Env>();
  routes.use(async (c, next) => {
    await next();
    // What a Zap runs, and what can be undone.
    if (c.req.method === 'POST') live.changed('runs');
  });

  routes.post('/recipe', async (c) => {
    const zap = await addRecipe(parts, readWholeNumber(readOne(await readForm(c), 'recipe'), maxRecipes) ?? -1);
    if (!zap) throw new Refused('There is no such recipe. Choose one from the list.');
    return c.html(await openZap(parts, zap, 0));
  });
  routes.post('/new', async (c) => c.html(await openZap(parts, addEmptyZap(zaps), 0, { stage: 'setup' })));
  routes.get('/', async (c) => c.html(await openZap(parts, wantedZap(zaps, c.req.query('zap')), 0)));
  addSteps(routes, parts);
  addRecords(routes, parts);
  addRuns(routes, parts);
  addVersions(routes, parts);
  routes.get('/:id', async (c) => {
    const zap = requireZap(parts, c);
    const stage = toStage(c.req.query('stage'));
    const run = findWholeRun(parts, zap, c.req.query('run'));
    return c.html(await openZap(parts, zap, requireStep(zap, c.req.query('step') ?? '0'), { stage, run }));
  });
  return routes;
};

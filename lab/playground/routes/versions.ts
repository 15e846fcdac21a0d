import type { Hono } from 'hono';
import type { Step } from '../../zapier/kinds';
import { hasSameValues } from '../../zapier/zap/versions';
import type { Zap } from '../../zapier/zap/zap';
import { newestZap } from '../service/new-zaps';
import { Refused } from '../service/refused';
import { type Posted, readForm, readOne, readWholeNumber } from './form';
import { isStopped, openZap, readStage, requireZap, saveOpenStep } from './open-zap';
import type { Env, Parts } from './parts';

const maxTitle = 120;

/** The step that another version of the Zap changes, to show it. */
const changedStep = (before: readonly Step[], zap: Zap, open: number): number => {
  const changed = zap.steps.findIndex((step, at) => !hasSameValues(before[at], step));
  return Math.min(changed < 0 ? open : changed, zap.steps.length - 1);
};

/** The calls that undo, rename, duplicate and delete. */
export const addVersions = (routes: Hono<Env>, parts: Parts): void => {
  const { zaps, subscriptions } = parts;
  /** The position of the open step, also when another tab removed it. */
  const openStep = (zap: Zap, body: Posted) => readWholeNumber(readOne(body, 'at'), zap.steps.length - 1) ?? 0;

  for (const direction of ['undo', 'redo'] as const) {
    routes.post(`/:id/${direction}`, async (c) => {
      const zap = requireZap(parts, c);
      const body = await readForm(c);
      const [open, before] = [openStep(zap, body), zap.steps];
      zaps[direction](zap);
      return c.html(await openZap(parts, zap, changedStep(before, zap, open), { stage: readStage(body) }));
    });
  }

  routes.post('/:id/rename', async (c) => {
    const zap = requireZap(parts, c);
    const body = await readForm(c);
    const title = (readOne(body, 'title') ?? '').trim().slice(0, maxTitle);
    if (title === '') throw new Refused('Enter a name. The Zap kept its old one.');
    zaps.change(zap, { title });
    return c.html(await openZap(parts, zap, openStep(zap, body), { stage: readStage(body) }));
  });

  routes.post('/:id/duplicate', async (c) => {
    const { zap, index, shown } = await saveOpenStep(parts, c);
    if (isStopped(shown)) return c.html(await openZap(parts, zap, index, shown));
    return c.html(await openZap(parts, zaps.duplicate(zap), index));
  });

  routes.post('/:id/delete', async (c) => {
    const zap = requireZap(parts, c);
    const error = await subscriptions.turnOff(zap);
    zaps.setDeleted(zap, true);
    return c.html(await openZap(parts, newestZap(zaps), 0, { deleted: zap, error }));
  });

  routes.post('/:id/restore', async (c) => {
    const zap = zaps.find(c.req.param('id'));
    if (!zap) throw new Refused('This Zap no longer exists. Reload the page.');
    zaps.setDeleted(zap, false);
    return c.html(await openZap(parts, zap, 0));
  });
};

import { Hono } from 'hono';
import { OtherWindows } from '../page/windows/windows';
import { decide } from '../service/approvals';
import { addRecord } from '../service/events';
import { otherTrigger } from '../service/other-records';
import { readWindows } from '../service/other-windows';
import { Refused } from '../service/refused';
import { readAll, readForm, readOne } from './form';
import { requireShownZap, requireZap } from './open-zap';
import type { Env, Parts } from './parts';

/** The calls of the windows of other apps. */
export const windowsRoutes = (parts: Parts): Hono<Env> => {
  const { work, live } = parts;
  return new Hono<Env>()
    .get('/:id', (c) => {
      const zap = requireShownZap(parts, c);
      return c.html(<OtherWindows zap={zap} windows={readWindows(parts, zap)} />);
    })
    .post('/:id/approvals/:run', async (c) => {
      const zap = requireShownZap(parts, c);
      const form = await readForm(c);
      const [names, given] = [readAll(form, 'name'), readAll(form, 'text')];
      const content = Object.fromEntries(names.map((name, at) => [name, given[at] ?? '']));
      decide(parts, c.req.param('run'), { decision: form.decision === 'approved' ? 'approved' : 'declined', content });
      live.changed('runs');
      return c.html(<OtherWindows zap={zap} windows={readWindows(parts, zap)} />);
    })
    .post('/:id/records', async (c) => {
      const zap = requireZap(parts, c);
      const trigger = otherTrigger(zap);
      const form = await readForm(c);
      if (!trigger) throw new Refused('No other app starts this Zap anymore, so nothing was added. Reload the page.');
      work.inBackground(addRecord(parts, zap, trigger, readAll(form, 'cell')));
      live.changed('runs');
      // Another Zap may show the same table.
      const shown = parts.zaps.find(readOne(form, 'shown') ?? '') ?? zap;
      return c.html(<OtherWindows zap={shown} windows={readWindows(parts, shown)} />);
    });
};

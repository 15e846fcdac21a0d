import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { OtherWindows } from '../page/windows/windows';
import { composeRecord, otherTrigger, recordCause } from '../service/other-records';
import { readWindows } from '../service/other-windows';
import { Refused } from '../service/refused';
import { readAll, readForm } from './form';
import { requireShownZap, requireZap } from './open-zap';
import type { Env, Parts } from './parts';

/** The calls of the windows of other apps. */
export const windowsRoutes = (parts: Parts): Hono<Env> => {
  const { otherRecords, runner, work, live, ledger, clock } = parts;
  return new Hono<Env>()
    .get('/:id', (c) => {
      const zap = requireShownZap(parts, c);
      return c.html(<OtherWindows zap={zap} windows={readWindows(parts, zap)} />);
    })
    .post('/:id/records', async (c) => {
      const zap = requireZap(parts, c);
      const trigger = otherTrigger(zap);
      if (!trigger) throw new Refused('No other app starts this Zap anymore, so nothing was added. Reload the page.');
      const record = composeRecord(otherRecords, zap, trigger, readAll(await readForm(c), 'cell'));
      const id = randomUUID();
      otherRecords.add({ id, step: trigger.id, at: new Date(clock.now()).toISOString(), record });
      ledger.numberOf(recordCause(id));
      if (zap.isOn) work.inBackground(runner.startWith(zap, 'live', record, recordCause(id)));
      live.changed('activity');
      return c.html(<OtherWindows zap={zap} windows={readWindows(parts, zap)} />);
    });
};

import type { Hono } from 'hono';
import { sentenceOf } from '../../zapier/core/failure';
import type { Zap } from '../../zapier/zap/zap';
import { RecordChoices } from '../page/panel/last-records';
import { otherTrigger } from '../service/other-records';
import { readTable } from '../service/other-windows';
import { Refused } from '../service/refused';
import { describeRecord } from '../service/subject';
import { readForm, readOne, readWholeNumber } from './form';
import { openZap, requireZap } from './open-zap';
import type { Env, Parts } from './parts';

const maxRecords = 5;

interface Listed {
  label: string;
  record: unknown;
}

/** The last records of a Zap's trigger, newest first. */
const listRecords = async (parts: Parts, zap: Zap): Promise<Listed[]> => {
  const trigger = otherTrigger(zap);
  if (!trigger) {
    const records = await parts.editor.listRecords(zap);
    return records.slice(0, maxRecords).map((record) => ({ label: describeRecord(record), record }));
  }
  return readTable(parts, zap, trigger)
    .rows.toReversed()
    .slice(0, maxRecords)
    .map(({ cells, record }) => ({ label: cells.filter(Boolean).slice(0, 3).join(' · '), record }));
};

/** The calls that offer the last records of a trigger, whose first step is the only one that has some. */
export const addRecords = (routes: Hono<Env>, parts: Parts): void => {
  routes.get('/:id/0/records', async (c) => {
    const zap = requireZap(parts, c);
    const shown = await listRecords(parts, zap).then(
      (listed) => ({ records: listed.map(({ label }) => label) }),
      (error: unknown) => ({ records: [], problem: sentenceOf(error) }),
    );
    return c.html(<RecordChoices address={`/zap/${zap.id}/0`} {...shown} />);
  });

  routes.post('/:id/0/records', async (c) => {
    const zap = requireZap(parts, c);
    const position = readWholeNumber(readOne(await readForm(c), 'record'), maxRecords) ?? -1;
    const chosen = (await listRecords(parts, zap))[position];
    if (!chosen) throw new Refused('This record is no longer there. Open the list again.');
    return c.html(await openZap(parts, zap, 0, { run: parts.editor.chooseRecord(zap, chosen.record) }));
  });
};

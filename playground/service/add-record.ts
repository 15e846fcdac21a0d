import { randomUUID } from 'node:crypto';
import type { OtherStep } from '../../zapier/kinds';
import type { Zap } from '../../zapier/zap/zap';
import type { Parts } from './assemble';
import { composeRecord, recordCause } from './other-records';
import { readTable } from './other-windows';

/** Adds a row with these texts, or the next one, to the app that starts a Zap. Resolves when its run ends or waits. */
export const addRecord = async (
  parts: Parts,
  zap: Zap,
  trigger: OtherStep,
  cells?: readonly string[],
): Promise<void> => {
  const { otherRecords, runner, ledger, clock } = parts;
  const { columns, start } = readTable(parts, zap, trigger);
  const record = composeRecord(otherRecords, zap, trigger, columns, cells ?? start?.next ?? []);
  const id = randomUUID();
  otherRecords.add({ id, step: trigger.id, at: new Date(clock.now()).toISOString(), record });
  ledger.numberOf(recordCause(id));
  if (zap.isOn) await runner.startWith(zap, 'live', record, recordCause(id));
};

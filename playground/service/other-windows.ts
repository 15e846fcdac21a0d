import * as z from 'zod/mini';
import type { OtherStep } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { hasRecord } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import {
  type Column,
  cellsOf,
  columnsOf,
  exampleIn,
  nextCells,
  type OtherRecords,
  otherTrigger,
  recordCause,
} from './other-records';

/** What the windows are read from. */
export interface WindowSources {
  otherRecords: OtherRecords;
  runs: { list(): readonly Run[] };
}

/** A record that the window shows, with the run that it started. */
export interface ListedRecord {
  id: string;
  cells: string[];
  record: object;
  run: Run | undefined;
}

/** The records of the app that starts the Zap, and the next one to add. */
export interface Sheet {
  /** What the app calls the event of a new record. */
  event: string;
  columns: Column[];
  /** Oldest first. */
  records: ListedRecord[];
  next: string[];
}

/** What a step wrote into another app. */
export interface Arrival {
  id: string;
  at: string;
  /** By the names that the person chose. */
  fields: Record<string, string>;
}

/** The window of another app. */
export interface OtherWindow {
  app: string;
  /** Of the app that starts the Zap. */
  sheet: Sheet | undefined;
  /** What the Zap wrote, newest first. Undefined when none of its steps writes there. */
  arrivals: Arrival[] | undefined;
}

/** How many records a window shows. */
const maxShown = 20;

/** Reads the records of the app that starts the Zap. Undefined when no other app does. */
export const readSheet = ({ otherRecords, runs }: WindowSources, zap: Zap): Sheet | undefined => {
  const trigger = otherTrigger(zap);
  if (!trigger) return undefined;
  const example = exampleIn(trigger);
  const columns = columnsOf(zap, example);
  const known = [{ id: 'example', record: example }, ...otherRecords.of(trigger)];
  const records = known.slice(-maxShown).map(({ id, record }) => ({
    id,
    record,
    cells: cellsOf(record, columns),
    run: runs.list().find(({ cause }) => cause === recordCause(id)),
  }));
  return { event: trigger.event, columns, records, next: nextCells(otherRecords, zap, trigger, columns) };
};

const fieldsOf = z.catch(z.record(z.string(), z.string()), {});

const readArrivals = ({ runs }: WindowSources, zap: Zap, steps: readonly OtherStep[]): Arrival[] => {
  const ids = steps.map(({ id }) => id);
  return runs
    .list()
    .filter(({ zapId }) => zapId === zap.id)
    .flatMap((run) =>
      run.steps.flatMap(({ status, input }, at) => {
        const step = run.alone?.step ?? run.stepIds?.[at];
        if (status !== 'success' || !step || !ids.includes(step)) return [];
        return { id: `${run.id}-${at}`, at: run.startedAt, fields: fieldsOf.parse(input ?? {}) };
      }),
    )
    .slice(0, maxShown);
};

/** The window of every other app of a Zap, in the order of its steps. */
export const readWindows = (sources: WindowSources, zap: Zap): OtherWindow[] => {
  const starting = otherTrigger(zap)?.app;
  const writing = Map.groupBy(zap.steps.slice(1).filter(hasRecord), ({ app }) => app);
  return [...new Set([...(starting === undefined ? [] : [starting]), ...writing.keys()])].map((app) => {
    const steps = writing.get(app);
    return {
      app,
      sheet: app === starting ? readSheet(sources, zap) : undefined,
      arrivals: steps && readArrivals(sources, zap, steps),
    };
  });
};

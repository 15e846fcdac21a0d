import { toLabel } from '../../../src/api/labels';
import { valueAt } from '../../zapier/fields/mapping';
import type { OtherStep } from '../../zapier/kinds';
import type { OtherApps } from '../../zapier/kinds/kind';
import type { Run } from '../../zapier/runs/run';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import { hasRecord } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { type Approval, asksPerson, readApprovals } from './approvals';
import { type Done, doneIn, fieldsOf } from './other-actions';
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
import { stageOf } from './stage';

/** What the windows are read from. */
interface WindowSources {
  otherRecords: OtherRecords;
  runs: { list(): readonly Run[] };
  zaps: Zaps;
}

/** A row of another app, such as a line of a sheet or an event of a calendar. */
interface Row {
  id: string;
  record: object;
  /** The run that it started. */
  run: Run | undefined;
  /** Whether a step deleted or canceled it. */
  isRemoved: boolean;
}

/** The rows of another app. */
export interface Table {
  columns: Column[];
  /** Oldest first. */
  rows: (Row & { cells: string[] })[];
  /** The Zap that a new row starts, what the app calls that event, and the next row to add. */
  start: { zap: Zap; event: string; next: string[] } | undefined;
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
  /** Undefined when the Zap has no rows there. */
  table: Table | undefined;
  /** What the Zap wrote besides rows, newest first. Undefined when none of its steps does. */
  arrivals: Arrival[] | undefined;
  /** What waits for a person. Undefined for every app but the one that asks people. */
  approvals?: Approval[] | undefined;
}

const approvalApp = 'Human in the Loop';

/** How many rows or lines a window shows. */
const maxShown = 20;

/** The fields that name a table of an app. */
const tableFields = ['Spreadsheet', 'Calendar'];

/** Which table of its app a step is about. */
const tableOf = ({ app, fields }: Pick<OtherStep, 'app' | 'fields'>): string =>
  JSON.stringify([app, ...tableFields.map((name) => fields[name] ?? '')]);

/** What the steps of other apps did in these Zaps, newest run first. */
const listDone = ({ runs }: WindowSources, stage: readonly Zap[]): Done[] =>
  runs.list().flatMap((run) => stage.filter(({ id }) => id === run.zapId).flatMap((zap) => doneIn(zap, run)));

/** The record with the texts of fields, by the labels of its values. An empty text changes nothing. */
const withFields = (record: object, fields: [name: string, text: string][]): object => {
  const keys = Object.keys(record);
  const named = (name: string) => keys.find((key) => toLabel(key) === toLabel(name)) ?? name;
  return { ...record, ...Object.fromEntries(fields.flatMap(([name, text]) => (text ? [[named(name), text]] : []))) };
};

/** Does to rows what a step did to one of them. */
const applyTo = (rows: Row[], { id, step: { row }, input }: Done): void => {
  if (!row) return;
  const fields = Object.entries(input).filter(([name]) => name !== row.field && !tableFields.includes(name));
  if (row.does === 'add') rows.push({ id, record: withFields({}, fields), run: undefined, isRemoved: false });
  const named = rows.find(({ record }) => `${valueAt(record, row.column)}` === input[row.field]);
  if (named && row.does === 'change') named.record = withFields(named.record, fields);
  if (named && row.does === 'remove') named.isRemoved = true;
};

const startsWith = (zap: Zap, table: string): boolean => {
  const trigger = otherTrigger(zap);
  return trigger !== undefined && tableOf(trigger) === table;
};

/** The Zap that starts with a table, of those on a stage. */
const starterOf = (stage: readonly Zap[], table: string): Zap | undefined =>
  stage.find((zap) => startsWith(zap, table));

const readRows = (sources: WindowSources, stage: readonly Zap[], table: string): Row[] => {
  const starter = starterOf(stage, table);
  const { otherRecords, runs } = sources;
  const trigger = starter && otherTrigger(starter);
  const known = trigger ? [{ id: 'example', record: exampleIn(trigger) }, ...otherRecords.of(trigger)] : [];
  const rows: Row[] = known.map(({ id, record }) => ({
    id,
    record,
    run: runs.list().find(({ cause }) => cause === recordCause(id)),
    isRemoved: false,
  }));
  const done = listDone(sources, stage).filter(({ step }) => tableOf(step) === table);
  for (const each of done.reverse()) applyTo(rows, each);
  return rows;
};

/** Reads the table of a step of another app, for a person who looks at a Zap. */
export const readTable = (sources: WindowSources, zap: Zap, step: OtherStep): Table => {
  const table = tableOf(step);
  const stage = stageOf(sources.zaps, zap);
  const starter = starterOf(stage, table);
  const trigger = starter && otherTrigger(starter);
  const rows = readRows(sources, stage, table);
  const writing = stage.flatMap(({ steps }) => steps.filter(hasRecord));
  const written = writing
    .filter((each) => each.row && tableOf(each) === table)
    .flatMap(({ fields }) => Object.keys(fields));
  const empty = Object.fromEntries(written.filter((name) => !tableFields.includes(name)).map((name) => [name, '']));
  const columns = columnsOf(starter ?? zap, trigger ? exampleIn(trigger) : empty, written);
  return {
    columns,
    rows: rows.slice(-maxShown).map((row) => ({ ...row, cells: cellsOf(row.record, columns) })),
    start: starter &&
      trigger && {
        zap: starter,
        event: trigger.event,
        next: nextCells(sources.otherRecords, starter, trigger, columns),
      },
  };
};

/** Finds a row of another app by a value, for a search. */
export const findRow = (
  sources: WindowSources,
  ...[step, value]: Parameters<OtherApps['findRow']>
): object | undefined => {
  const table = tableOf({ ...step, fields: fieldsOf.parse(step.fields) });
  const zap = sources.zaps.list().find(({ steps }) => steps.some(({ id }) => id === step.id));
  const stage = zap ? stageOf(sources.zaps, zap) : [];
  const rows = readRows(sources, stage, table).filter(({ isRemoved }) => !isRemoved);
  return rows.find(({ record }) => value !== '' && `${valueAt(record, step.row?.column ?? '')}` === value)?.record;
};

/** The window of every other app of a Zap, in the order of its steps. */
export const readWindows = (sources: WindowSources, zap: Zap): OtherWindow[] => {
  const [done, trigger] = [listDone(sources, stageOf(sources.zaps, zap)), otherTrigger(zap)];
  const steps = zap.steps.filter(hasRecord);
  const approvals = asksPerson(zap)
    ? [{ app: approvalApp, table: undefined, arrivals: undefined, approvals: readApprovals(sources, zap) }]
    : [];
  const windows = [...Map.groupBy(steps, ({ app }) => app)].map(([app, own]) => {
    const [first = own[0]] = own.filter((step) => step === trigger || step.row);
    const lines = own.filter((step) => step !== trigger && !step.row).map(({ id }) => id);
    const arrived = done.filter(({ step }) => lines.includes(step.id));
    return {
      app,
      table: first && (first === trigger || first.row) ? readTable(sources, zap, first) : undefined,
      arrivals:
        lines.length === 0
          ? undefined
          : arrived.slice(0, maxShown).map(({ id, at, input }) => ({ id, at, fields: input })),
    };
  });
  return [...windows, ...approvals];
};

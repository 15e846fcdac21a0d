import * as z from 'zod/mini';
import { capitalize, toLabel } from '../../src/api/labels';
import { changeRecord, rowsOf, type ShownRow } from '../../zapier/editor/record-rows';
import { reference, textsOf } from '../../zapier/fields/mapping';
import { kindOf, type OtherStep, type Step } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { exampleOf, hasRecord } from '../../zapier/zap/steps';
import type { Store } from '../../zapier/zap/store';
import type { Zap } from '../../zapier/zap/zap';
import { definition } from './zapier';

const added = z.object({ id: z.string(), step: z.string(), at: z.string(), record: z.looseObject({}) });
/** A record that a person added in another app, such as a row of a sheet. */
type AddedRecord = z.output<typeof added>;

const maxRecords = 200;

/** What people added in the apps that start Zaps, by the step that starts. Kept in the store. */
export class OtherRecords {
  readonly #store: Store;
  /** Oldest first. */
  readonly #records: AddedRecord[];

  constructor(store: Store) {
    this.#store = store;
    this.#records = store.list('other record', added);
  }

  add(record: AddedRecord): void {
    this.#records.push(record);
    this.#store.put('other record', record.id, record);
    for (const { id } of this.#records.splice(0, Math.max(0, this.#records.length - maxRecords))) {
      this.#store.remove('other record', id);
    }
  }

  /** The records of a trigger, oldest first. */
  of({ id }: Step): AddedRecord[] {
    return this.#records.filter(({ step }) => step === id);
  }
}

/** The trigger of a Zap that another app starts. */
export const otherTrigger = ({ steps: [first] }: Zap): OtherStep | undefined =>
  first && hasRecord(first) ? first : undefined;

const exampleIn = (step: OtherStep): object => z.catch(z.looseObject({}), {}).parse(exampleOf(definition, step));

/** The paths of the trigger's values that texts map, with dots. */
const pathsIn = (texts: readonly string[]): Set<string> => {
  const references = texts.flatMap((text) => [...text.matchAll(reference)]);
  return new Set(references.flatMap(([, step, path]) => (step === '1' && path ? path : [])));
};

/** The values of the trigger that later steps map. */
const mappedIn = ({ steps }: Zap): Set<string> =>
  pathsIn(
    steps.slice(1).flatMap((step) =>
      kindOf(step)
        .mapped(step)
        .flatMap(({ value }) => textsOf(value)),
    ),
  );

const maxColumns = 6;

/** How long the text of a cell is at most. */
export const maxCell = 1000;

/** A value of a record that the window of its app shows. */
interface Column {
  label: string;
  row: ShownRow;
}

const labelOf = ({ path = [], name }: ShownRow): string =>
  toLabel((path.at(-1) ?? name).replaceAll(/([a-z])(?=[A-Z])/g, '$1_').replaceAll(/[\s.]+/g, '_'));

/** What the window shows of each record: the values that the Zap uses, and the first others while there is room. No long text. */
const columnsOf = (zap: Zap, record: object): Column[] => {
  const rows = rowsOf(record).rows.filter(({ isGroup, text }) => !isGroup && text.length <= maxCell);
  const mapped = mappedIn(zap);
  const [used, others] = [true, false].map((isUsed) => rows.filter(({ name }) => mapped.has(name) === isUsed));
  const shown = new Set([...(used ?? []), ...(others ?? [])].slice(0, maxColumns));
  return rows.filter((row) => shown.has(row)).map((row) => ({ label: labelOf(row), row }));
};

const namesRecord = /(^|[\s._])(id|uri|number|order|parcel|order_number|row)$/i;

/** The next of texts such as "A-1042", or another text where there's no number. */
const nextOf = (text: string): string => {
  const digits = /\d{1,15}$/.exec(text)?.[0];
  if (digits === undefined) return `${text}-2`;
  return text.slice(0, -digits.length) + `${Number(digits) + 1}`.padStart(digits.length, '0');
};

/** The values that tell one record from the next, since a Zap sends once per record. */
const identitiesOf = ({ steps }: Zap): Set<string> =>
  pathsIn(steps.slice(1).flatMap((step) => textsOf(kindOf(step).entered(step).deduplication_key ?? '')));

const withTexts = (record: object, rows: readonly ShownRow[]): Record<string, unknown> =>
  Object.fromEntries(changeRecord(record, rows));

/** The record that a person would add next: as the last one, with the next number. */
const nextRecord = (zap: Zap, last: object): Record<string, unknown> => {
  const identities = identitiesOf(zap);
  const changed = rowsOf(last).rows.flatMap((row) => {
    const isNumbered = namesRecord.test(row.name) && /\d$/.test(row.text);
    if (row.isGroup || !(isNumbered || identities.has(row.name))) return [];
    return { ...row, text: nextOf(row.text) };
  });
  return withTexts(last, changed);
};

/** The words of an event that name what it's about, such as "order" of "New Order". Undefined when it names a moment. */
const nounOf = ({ event }: OtherStep): string | undefined => {
  const noun = /^New (?:or Updated )?(.+)$/i.exec(event)?.[1] ?? /^(.+?) (?:Created|Added|Start)$/i.exec(event)?.[1];
  return noun?.replace(/^Spreadsheet /i, '').toLowerCase();
};

const namesPerson = /(^|\.|full[\s_]?|first[\s_]?)name$/i;

/** How long the number of a record is that people would say. */
const maxSpoken = 8;

/** The text by which people know a record: a short number, or else a name. Long ids and web addresses tell them nothing. */
const spokenIn = (zap: Zap, record: object): string | undefined => {
  const identities = identitiesOf(zap);
  const rows = rowsOf(record).rows.filter(({ isGroup, text }) => !isGroup && text !== '');
  const numbers = rows.filter(({ text }) => text.length <= maxSpoken);
  const own = numbers.find(({ name }) => identities.has(name)) ?? numbers.find(({ name }) => namesRecord.test(name));
  return (own ?? rows.find(({ name }) => namesPerson.test(name)))?.text;
};

/** Says that a record was added, such as "Row A-1043 was added in Google Sheets", or what happened otherwise. */
export const describeAdded = (zap: Zap, trigger: OtherStep, record: object): string => {
  const noun = nounOf(trigger);
  if (!noun) return `${trigger.event} in ${trigger.app}`;
  return `${capitalize([noun, spokenIn(zap, record)].filter(Boolean).join(' '))} was added in ${trigger.app}`;
};

/** A record that the window shows, with the run that it started. */
export interface ListedRecord {
  id: string;
  cells: string[];
  record: object;
  run: Run | undefined;
}

/** The records of the app that starts the Zap, and the next one to add. */
export interface Sheet {
  /** What each record is called. */
  noun: string;
  columns: Column[];
  /** Oldest first. */
  records: ListedRecord[];
  next: string[];
}

const cellsOf = (record: object, columns: readonly Column[]): string[] => {
  const texts = new Map(rowsOf(record).rows.map(({ path, text }) => [JSON.stringify(path), text]));
  return columns.map(({ row }) => texts.get(JSON.stringify(row.path)) ?? '');
};

/** Names a record as the cause of its run. */
export const recordCause = (id: string): string => `record-${id}`;

/** How many records a window shows. */
export const maxShown = 20;

/** What the windows are read from. */
export interface WindowSources {
  otherRecords: OtherRecords;
  runs: { list(): readonly Run[] };
}

/** Reads the records of the app that starts the Zap. Undefined when no other app does. */
export const readSheet = ({ otherRecords, runs }: WindowSources, zap: Zap): Sheet | undefined => {
  const trigger = otherTrigger(zap);
  if (!trigger) return undefined;
  const example = exampleIn(trigger);
  const columns = columnsOf(zap, example);
  const known = [{ id: 'example', record: example }, ...otherRecords.of(trigger)];
  const next = nextRecord(zap, known.at(-1)?.record ?? example);
  const records = known.slice(-maxShown).map(({ id, record }) => ({
    id,
    record,
    cells: cellsOf(record, columns),
    run: runs.list().find(({ cause }) => cause === recordCause(id)),
  }));
  return { noun: nounOf(trigger) ?? 'record', columns, records, next: cellsOf(next, columns) };
};

/** The record that a person adds with these texts in the columns. */
export const composeRecord = (
  { otherRecords }: WindowSources,
  zap: Zap,
  trigger: OtherStep,
  cells: readonly string[],
) => {
  const example = exampleIn(trigger);
  const next = nextRecord(zap, otherRecords.of(trigger).at(-1)?.record ?? example);
  const rows = columnsOf(zap, example).map(({ row }, at) => ({ ...row, text: cells[at] ?? '' }));
  return withTexts(next, rows);
};

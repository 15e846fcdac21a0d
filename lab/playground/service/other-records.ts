import * as z from 'zod/mini';
import { toLabel } from '../../../src/api/labels';
import { momentOf, timeZone } from '../../recipes/dates';
import { changeRecord, rowsOf, type ShownRow } from '../../zapier/editor/record-rows';
import { reference, textsOf } from '../../zapier/fields/mapping';
import { readMoment } from '../../zapier/fields/moment';
import { kindOf, type OtherStep, type Step } from '../../zapier/kinds';
import { exampleOf, hasRecord } from '../../zapier/zap/steps';
import type { Store } from '../../zapier/zap/store';
import type { Zap } from '../../zapier/zap/zap';
import { nameOfPath } from './name-of-path';
import { asPerson } from './people';
import { definition } from './zapier';

const added = z.object({
  id: z.string(),
  step: z.string(),
  at: z.string(),
  /** 1 for the first record that was added after the example. */
  number: z.catch(z.number(), 1),
  record: z.looseObject({}),
});
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

  add(record: Omit<AddedRecord, 'number'>): void {
    const numbered = { ...record, number: this.nextNumber(record.step) };
    this.#records.push(numbered);
    this.#store.put('other record', record.id, numbered);
    for (const { id } of this.#records.splice(0, Math.max(0, this.#records.length - maxRecords))) {
      this.#store.remove('other record', id);
    }
  }

  /** The records of a trigger, oldest first. */
  of({ id }: Step): AddedRecord[] {
    return this.#records.filter(({ step }) => step === id);
  }

  /** The number of the next record of a trigger. */
  nextNumber(id: string): number {
    return (this.#records.findLast(({ step }) => step === id)?.number ?? 0) + 1;
  }
}

/** The trigger of a Zap that another app starts. */
export const otherTrigger = ({ steps: [first] }: Zap): OtherStep | undefined =>
  first && hasRecord(first) ? first : undefined;

/** The record that a trigger of another app shows while the Zap is built. */
export const exampleIn = (step: OtherStep): object => z.catch(z.looseObject({}), {}).parse(exampleOf(definition, step));

/** The paths of the trigger's values that texts map, with dots. */
const pathsIn = (texts: readonly string[]): Set<string> => {
  const references = texts.flatMap((text) => [...text.matchAll(reference)]);
  return new Set(references.flatMap(([, step, path]) => (step === '1' && path ? path : [])));
};

/** The values of the trigger that later steps map. */
const mappedIn = ({ steps }: Zap): Set<string> =>
  pathsIn(
    steps
      .slice(1)
      .flatMap((step) => kindOf(step).mapped(step))
      .flatMap(({ value }) => textsOf(value)),
  );

/** The values that tell one record from the next, since a Zap sends once per record. */
const identitiesOf = ({ steps }: Zap): Set<string> =>
  pathsIn(steps.slice(1).flatMap((step) => textsOf(kindOf(step).entered(step).deduplication_key ?? '')));

const maxColumns = 7;

/** What a value that tells records apart is called. */
const identifies = /(^| )(id|uri|uuid|token)$/i;

/** Whether only programs read a value. */
const isTechnical = ({ name }: ShownRow): boolean =>
  identifies.test(nameOfPath(name)) || name.toLowerCase() === 'row number';

/** How long the text of a cell is at most. */
export const maxCell = 1000;

/** A value of a record that the window of its app shows. */
export interface Column {
  label: string;
  row: ShownRow;
}

const labelOf = ({ path, name }: ShownRow): string => nameOfPath(path.at(-1) ?? name);

/**
 * What the window shows of each record: the values that the Zap uses or writes, and the first others while there is room.
 * No ids.
 */
export const columnsOf = (zap: Zap, record: object, written: readonly string[]): Column[] => {
  const all = rowsOf(record).rows.filter(({ isGroup }) => !isGroup);
  const named = all.filter((row) => !isTechnical(row));
  const rows = named.length > 0 ? named : all;
  const mapped = mappedIn(zap);
  const isWritten = (row: ShownRow) => written.some((name) => toLabel(name) === labelOf(row));
  const isUsed = (row: ShownRow) => mapped.has(row.name) || isWritten(row);
  const [used, others] = [true, false].map((wanted) => rows.filter((row) => isUsed(row) === wanted));
  const shown = new Set([...(used ?? []), ...(others ?? [])].slice(0, maxColumns));
  // What changes comes first.
  const inOrder = rows.filter((row) => shown.has(row)).toSorted((a, b) => Number(isWritten(b)) - Number(isWritten(a)));
  const isOnly = (row: ShownRow) => inOrder.filter((each) => labelOf(each) === labelOf(row)).length === 1;
  return inOrder.map((row) => ({ label: isOnly(row) ? labelOf(row) : nameOfPath(row.name), row }));
};

const dateAndTime = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'medium', timeStyle: 'short' });

/** A date with its time, unless a person wrote the text in another way. */
const readExact = (text: string): Date | undefined => (text.includes('T') ? readMoment(text) : undefined);

/** A text of a record as its app shows it: a date and time as people write them, such as "Jun 12, 2026, 2:30 PM". */
const toCell = (text: string): string => {
  const moment = readExact(text);
  return moment ? dateAndTime.format(moment).replaceAll('\u202f', ' ') : text;
};

/** The text of a record for what a person has in its cell, which showed the text before. */
const fromCell = (cell: string, before: string): string => {
  if (cell === toCell(before)) return before;
  const wall = readExact(before) ? Date.parse(`${cell} UTC`) : Number.NaN;
  return Number.isNaN(wall) ? cell : new Date(momentOf(wall)).toISOString();
};

/** The texts of a record in columns. */
const textsIn = (record: object, columns: readonly Column[]): string[] => {
  const texts = new Map(rowsOf(record).rows.map(({ path, text }) => [JSON.stringify(path), text]));
  return columns.map(({ row }) => texts.get(JSON.stringify(row.path)) ?? '');
};

/** What the cells of a record in columns show. */
export const cellsOf = (record: object, columns: readonly Column[]): string[] => textsIn(record, columns).map(toCell);

const withTexts = (record: object, rows: readonly ShownRow[]): Record<string, unknown> =>
  Object.fromEntries(changeRecord(record, rows));

/** A number that tells one record from others, such as 1042 or A-1042. A shorter one may count something. */
const numbered = /^([^\d+]{0,20})(\d{3,15})$/;

/** A text with another number at its end. One that tells records apart gets one. */
const varyNumber = (text: string, by: number, isIdentity: boolean): string => {
  const [, start = '', digits] = numbered.exec(text) ?? [];
  if (digits !== undefined) return start + `${Number(digits) + by}`.padStart(digits.length, '0');
  return isIdentity ? `${text}-${by + 1}` : text;
};

/** Whether a value is the ID of a record or of a part of it. One that is a time says when something happened. */
const isId = ({ name, text }: ShownRow): boolean => identifies.test(nameOfPath(name)) && readMoment(text) === undefined;

const halfHourMs = 30 * 60 * 1000;

const namesNumber = /(^|[^a-z])(id|number)$/i;

/** A value of the record with this number: of another person, and with a number of its own. */
const varyText = (row: ShownRow, number: number, isIdentity: boolean): string => {
  const { name, text } = row;
  const ofPerson = asPerson(text, number);
  if (ofPerson !== text) return ofPerson;
  // The next customer comes half an hour later.
  const moment = readMoment(text);
  if (moment) return text.includes('T') ? new Date(moment.getTime() + number * halfHourMs).toISOString() : text;
  if (namesNumber.test(name) && /^\d{1,2}$/.test(text)) return `${Number(text) + number}`;
  return varyNumber(text, number, isIdentity || isId(row));
};

/** The values of a record that have a text. */
const filledIn = (record: object): ShownRow[] =>
  rowsOf(record).rows.filter(({ isGroup, text }) => !isGroup && text !== '');

/** The example of a trigger with other texts. `vary` hears whether a value tells one record from the next. */
const varied = (zap: Zap, trigger: OtherStep, vary: (row: ShownRow, isIdentity: boolean) => string) => {
  const [example, identities] = [exampleIn(trigger), identitiesOf(zap)];
  return withTexts(
    example,
    filledIn(example).map((row) => ({ ...row, text: vary(row, identities.has(row.name)) })),
  );
};

/** The record that a person would add next: like the example, but of another person and with other numbers. */
const nextRecord = (zap: Zap, trigger: OtherStep, number: number): Record<string, unknown> =>
  varied(zap, trigger, (row, isIdentity) => varyText(row, number, isIdentity));

/** The example of a Zap with other numbers, so that the Zaps of a visit don't send for the same order. */
export const renumbered = (zap: Zap, trigger: OtherStep, by: number): Record<string, unknown> =>
  varied(zap, trigger, (row) => (numbered.test(row.text) || isId(row) ? varyNumber(row.text, by, true) : row.text));

/** The texts of the record that a person would add next. */
export const nextCells = (records: OtherRecords, zap: Zap, trigger: OtherStep, columns: readonly Column[]): string[] =>
  cellsOf(nextRecord(zap, trigger, records.nextNumber(trigger.id)), columns);

/** The record that a person adds with these texts in the columns. */
export const composeRecord = (
  records: OtherRecords,
  zap: Zap,
  trigger: OtherStep,
  columns: readonly Column[],
  cells: readonly string[],
) => {
  const next = nextRecord(zap, trigger, records.nextNumber(trigger.id));
  const texts = textsIn(next, columns);
  return withTexts(
    next,
    columns.map(({ row }, at) => ({ ...row, text: fromCell(cells[at] ?? '', texts[at] ?? '') })),
  );
};

const namesRecord = /(^|\.)((full[\s_]?|first[\s_]?)?name|summary|subject)$/i;

/** How long the number of a record is that people would say. */
const maxSpoken = 8;

/** Says what happened in the other app, such as "New Spreadsheet Row in Google Sheets: A-1043". Long ids say nothing. */
export const describeAdded = (zap: Zap, { app, event }: OtherStep, record: object): string => {
  const identities = identitiesOf(zap);
  const rows = filledIn(record);
  const own = rows.find(({ name, text }) => identities.has(name) && text.length <= maxSpoken);
  const spoken = own ?? rows.find(({ name }) => namesRecord.test(name));
  return [`${event} in ${app}`, spoken?.text].filter(Boolean).join(': ');
};

/** Names a record as the cause of its run. */
export const recordCause = (id: string): string => `record-${id}`;

import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import { tables } from './tables';

/** The columns of a row. An insert leaves out those that are undefined. */
type Row = Record<string, SQLInputValue | undefined>;

const isGiven = (cell: [string, SQLInputValue | undefined]): cell is [string, SQLInputValue] => cell[1] !== undefined;

/** Returns the text in lower case and without accents. SQL calls it as `fold`. */
export const fold = (text: SQLOutputValue): string =>
  String(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A number that changes when the tables do. */
const version = createHash('sha256').update(tables).digest().readUInt32BE() >>> 1;

/** A SQLite database that caches statements and parses rows by a schema. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Called before every commit, in the transaction. */
  beforeCommit: () => void = () => undefined;
  /** Called after every commit. */
  onCommit: () => void = () => undefined;

  /** Opens the file or `:memory:`. Throws when another sandbox has it open, or when another version created it. */
  constructor(path: string) {
    this.#connection = new DatabaseSync(path, { open: false });
    try {
      this.#open();
    } catch (error) {
      if (this.#connection.isOpen) this.close();
      throw new Error(`The database ${path} cannot be used: ${error instanceof Error ? error.message : error}.`);
    }
  }

  #open(): void {
    this.#connection.open();
    // A second sandbox with the same file would send every delivery again, so the first one locks it.
    this.#connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    this.#connection.function('fold', { deterministic: true }, fold);
    const found = this.number('PRAGMA user_version');
    if (found === version) return;
    if (found) throw new Error('it was made by another version of the sandbox');
    this.transaction(() => this.#connection.exec(`${tables}; PRAGMA user_version = ${version};`));
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Returns all rows of the query. */
  all<S extends z.ZodMiniType>(row: S, sql: string, ...values: SQLInputValue[]): z.output<S>[] {
    return this.#prepare(sql)
      .all(...values)
      .map((found) => row.parse(found));
  }

  /** Returns the first row of the query, if any. */
  first<S extends z.ZodMiniType>(row: S, sql: string, ...values: SQLInputValue[]): z.output<S> | undefined {
    const found = this.#prepare(sql).get(...values);
    return found && row.parse(found);
  }

  #value(sql: string, values: SQLInputValue[]): SQLOutputValue | undefined {
    return Object.values(this.#prepare(sql).get(...values) ?? {})[0];
  }

  /** Returns the text in the first column of the first row, if there is one. */
  text(sql: string, ...values: SQLInputValue[]): string | undefined {
    const value = this.#value(sql, values);
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns the number in the first column of the first row, if there is one. */
  number(sql: string, ...values: SQLInputValue[]): number | undefined {
    const value = this.#value(sql, values);
    return typeof value === 'number' ? value : undefined;
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  insert(table: string, row: Row): void {
    const cells = Object.entries(row).filter(isGiven);
    const columns = cells.map(([column]) => column).join(', ');
    const places = cells.map(() => '?').join(', ');
    this.run(`INSERT INTO ${table} (${columns}) VALUES (${places})`, ...cells.map(([, value]) => value));
  }

  /** Runs the work in a transaction, or in the current one. Rolls back when it throws. */
  transaction<T>(work: () => T): T {
    if (this.#connection.isTransaction) return work();
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.beforeCommit();
      this.#connection.exec('COMMIT');
      this.onCommit();
      return result;
    } catch (error) {
      this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  /** Runs the work in a transaction that is always rolled back, so that nothing changes. */
  rehearse<T>(work: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      return work();
    } finally {
      this.#connection.exec('ROLLBACK');
    }
  }

  close(): void {
    this.#connection.close();
  }
}

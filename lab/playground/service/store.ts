import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import type { Store as ZapStore } from '../../zapier/zap/store';

const place = z.object({ rowid: z.number(), id: z.unknown() });
const row = z.object({ document: z.string() });
const titled = z.object({ title: z.string() });

/** The record of a row, or undefined when it isn't what the schema says. */
const parse = <S extends z.ZodMiniType>(given: unknown, schema: S): z.output<S> | undefined => {
  try {
    return schema.safeParse(JSON.parse(row.parse(given).document)).data;
  } catch {
    return undefined;
  }
};

/** Records of the playground as JSON, by kind and id, in a SQLite file or in memory. */
export class Store implements ZapStore {
  readonly #database: DatabaseSync;
  readonly #path: string;

  /** Opens the file or `:memory:`. Throws an error with a message for the user when it isn't a file of the playground. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#database = new DatabaseSync(path);
      this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, document TEXT NOT NULL, UNIQUE (kind, id))`);
    } catch {
      throw this.#unreadable();
    }
  }

  #unreadable(): Error {
    return new Error(`The playground can't read ${this.#path}. Move the file away to start without Zaps and runs.`);
  }

  /**
   * The records of a kind, oldest first. A row that can't be read, such as one of another version of the playground, is
   * named on the terminal and set aside: it stays in the file, and everything else goes on without it.
   */
  list<S extends z.ZodMiniType>(kind: string, schema: S): z.output<S>[] {
    const sql = 'SELECT rowid, id, document FROM records WHERE kind = ? ORDER BY rowid';
    return this.#database
      .prepare(sql)
      .all(kind)
      .flatMap((each) => {
        const record = typeof each.id === 'string' ? parse(each, schema) : undefined;
        if (record === undefined) this.#setAside(kind, each);
        return record === undefined ? [] : [record];
      });
  }

  #setAside(kind: string, given: unknown): void {
    const { rowid, id } = place.parse(given);
    const title = parse(given, titled)?.title ?? `${id}`;
    console.error(
      `The playground can't read the ${kind} "${title.slice(0, 80)}" in ${this.#path}, so it starts without it.`,
    );
    const sql = 'UPDATE OR REPLACE records SET kind = ? WHERE rowid = ?';
    this.#database.prepare(sql).run(`unreadable ${kind}`, rowid);
  }

  put(kind: string, id: string, record: unknown): void {
    // A run may be under way when the playground starts over.
    if (!this.#database.isOpen) return;
    const sql = `INSERT INTO records (kind, id, document) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET document = excluded.document`;
    this.#database.prepare(sql).run(kind, id, JSON.stringify(record));
  }

  remove(kind: string, id: string): void {
    if (!this.#database.isOpen) return;
    this.#database.prepare('DELETE FROM records WHERE kind = ? AND id = ?').run(kind, id);
  }

  close(): void {
    this.#database.close();
  }
}

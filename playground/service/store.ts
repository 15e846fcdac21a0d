import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import type { Store as ZapStore } from '../../zapier/store';

const row = z.object({ document: z.string() });

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

  /** The records of a kind, oldest first. Throws an error with a message for the user when another version of the playground wrote one. */
  list<S extends z.ZodMiniType>(kind: string, schema: S): z.output<S>[] {
    try {
      const rows = this.#database.prepare('SELECT document FROM records WHERE kind = ? ORDER BY rowid').all(kind);
      return rows.map((each) => schema.parse(JSON.parse(row.parse(each).document)));
    } catch {
      throw this.#unreadable();
    }
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

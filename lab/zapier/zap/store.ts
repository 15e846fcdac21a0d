import type * as z from 'zod/mini';

/** Keeps records by kind and id. */
export interface Store {
  /** The records of a kind, oldest first. One that isn't what the schema says may be left out. */
  list<S extends z.ZodMiniType>(kind: string, schema: S): z.output<S>[];
  put(kind: string, id: string, record: unknown): void;
  remove(kind: string, id: string): void;
}

/** Keeps records as long as the process runs. */
export class MemoryStore implements Store {
  readonly #kinds = new Map<string, Map<string, unknown>>();

  list<S extends z.ZodMiniType>(kind: string, schema: S): z.output<S>[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])].map((record) => schema.parse(record));
  }

  put(kind: string, id: string, record: unknown): void {
    const records = this.#kinds.get(kind) ?? new Map<string, unknown>();
    this.#kinds.set(kind, records.set(id, record));
  }

  remove(kind: string, id: string): void {
    this.#kinds.get(kind)?.delete(id);
  }
}

import type * as z from 'zod/mini';

/** Keeps records by kind and id. */
export interface Store {
  /** The records of a kind, oldest first. Throws when one of them isn't what the schema says. */
  list<S extends z.ZodMiniType>(kind: string, schema: S): z.output<S>[];
  put(kind: string, id: string, record: unknown): void;
  remove(kind: string, id: string): void;
}

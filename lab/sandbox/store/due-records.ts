import * as z from 'zod/mini';
import type { Job } from '../engine/scheduler';
import { inWorkspace, type SandboxContext, type WorkspaceContext } from './context';

/** Does the work of a record that is due, and changes its `due_at`. */
type Work = (context: WorkspaceContext, document: unknown) => void;

/** Returns work that reads the record by the schema. */
export const workOn =
  <S extends z.ZodMiniType>(schema: S, work: (context: WorkspaceContext, record: z.output<S>) => void): Work =>
  (context, document) =>
    work(context, schema.parse(document));

const row = z.object({ kind: z.string(), workspace: z.string(), due_at: z.number(), document: z.string() });

const nextDue = "SELECT min(document ->> 'due_at') FROM records WHERE document ->> 'due_at' IS NOT NULL";
const firstDue = `SELECT kind, workspace, document ->> 'due_at' AS due_at, document FROM records
  WHERE document ->> 'due_at' <= ? ORDER BY document ->> 'due_at' LIMIT 1`;

/** The maximum work of one transaction. */
const maxAtOnce = 100;

/** Does the work of records at their `due_at`, the first one first, by their kind. */
export const dueRecords = (context: SandboxContext, work: Record<string, Work>): Job => {
  const { database } = context;
  const doNext = (until: number): boolean => {
    const record = database.first(row, firstDue, until);
    if (record) work[record.kind]?.(inWorkspace(context, record.workspace, record.due_at), JSON.parse(record.document));
    return record !== undefined;
  };
  return {
    nextDue: () => database.number(nextDue),
    run: (until) =>
      database.transaction(() => {
        for (let done = 0; done < maxAtOnce && doNext(until); done += 1);
      }),
  };
};

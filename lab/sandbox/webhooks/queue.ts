import * as z from 'zod/mini';
import { second, toIso } from '../../zapier/clock';
import { ApiError } from '../engine/api-error';
import type { DeliveryFault } from '../engine/faults';
import type { SandboxContext } from '../store/context';
import type { Database } from '../store/database';

interface QueueEntry {
  status?: 'pending' | 'held' | 'dropped';
  delayMs?: number;
}

/** The deliveries of an event that has a fault. */
const faultyEntries: Record<DeliveryFault['kind'], (fault: DeliveryFault) => QueueEntry[]> = {
  delivery_twice: () => [{}, {}],
  delivery_late: ({ delay_ms }) => [{ delayMs: delay_ms }],
  delivery_out_of_order: () => [{ status: 'held' }],
  delivery_dropped: () => [{ status: 'dropped' }],
};

const seqRow = z.object({ seq: z.number() });

/** Queues held deliveries, the last one first and ten seconds apart. */
export const releaseHeld = ({ database, clock }: SandboxContext): void => {
  const held = database.all(seqRow, "SELECT seq FROM deliveries WHERE status = 'held' ORDER BY seq DESC");
  for (const [index, { seq }] of held.entries()) {
    const sql = "UPDATE deliveries SET status = 'pending', due_at = ? WHERE seq = ?";
    database.run(sql, clock.now() + index * 10 * second, seq);
  }
};

/** Queues an event for a webhook and applies a delivery fault when there is one. Call it in the event's transaction. */
export const enqueue = (context: SandboxContext, event: { id: string; type: string }, webhook: string): void => {
  const { database, clock, deliveryFaults } = context;
  const fault = deliveryFaults.take(
    (each) => (!each.event || each.event === event.type) && (!each.webhook_id || each.webhook_id === webhook),
  );
  for (const { status = 'pending', delayMs = 0 } of fault ? faultyEntries[fault.kind](fault) : [{}]) {
    const due_at = clock.now() + delayMs;
    database.insert('deliveries', { event_id: event.id, webhook_id: webhook, status, due_at });
  }
  if (deliveryFaults.list().every(({ kind }) => kind !== 'delivery_out_of_order')) releaseHeld(context);
};

const attempt = z.object({ at: z.string(), status: z.nullable(z.number()), error: z.nullable(z.string()) });

const row = z.object({
  seq: z.number(),
  event_id: z.string(),
  type: z.string(),
  webhook_id: z.string(),
  status: z.string(),
  due_at: z.number(),
  attempts: z.string(),
});

interface DeliveryFilters {
  limit: number;
  webhook_id?: string | undefined;
  status?: string | undefined;
}

/** Returns the last deliveries that match, newest first, with all attempts. */
export const listDeliveries = (database: Database, { limit, ...filters }: DeliveryFilters) => {
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = ['true', ...chosen.map(([column]) => `${column} = ?`)].join(' AND ');
  const deliveries = database.all(
    row,
    `SELECT delivery.seq, event_id, type, webhook_id, status, due_at, attempts
      FROM deliveries AS delivery JOIN events AS event ON event.id = event_id
      WHERE ${where} ORDER BY delivery.seq DESC LIMIT ?`,
    ...chosen.map(([, value]) => value ?? null),
    limit,
  );
  return deliveries.map(({ seq, due_at, attempts, ...delivery }) => ({
    id: seq,
    ...delivery,
    due_at: toIso(due_at),
    attempts: z.array(attempt).parse(JSON.parse(attempts)),
  }));
};

/** Queues the delivery's event for its webhook again. Throws a 404 when either no longer exists. */
export const deliverAgain = ({ database, clock }: SandboxContext, seq: number, delayMs: number): void => {
  const sql = `INSERT INTO deliveries (event_id, webhook_id, status, due_at)
    SELECT event_id, webhook_id, 'pending', ? FROM deliveries JOIN records ON kind = 'webhook' AND id = webhook_id
    WHERE deliveries.seq = ?`;
  const added = database.run(sql, clock.now() + delayMs, seq);
  if (added === 0) throw new ApiError('not_found', "This delivery doesn't exist, or its webhook doesn't.");
};

import * as z from 'zod/mini';
import { toIso } from './clock';
import type { Database } from './database';

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

/** Which deliveries to list. */
export interface DeliveryFilters {
  webhook_id?: string | undefined;
  status?: string | undefined;
}

/** The last thousand deliveries that match, newest first, with every attempt. */
export const listDeliveries = (database: Database, { webhook_id, status }: DeliveryFilters) =>
  database
    .all(
      row,
      `SELECT delivery.seq, event_id, type, webhook_id, status, due_at, attempts
        FROM deliveries AS delivery JOIN events AS event ON event.id = event_id
        WHERE webhook_id = ifnull(?, webhook_id) AND status = ifnull(?, status)
        ORDER BY delivery.seq DESC LIMIT 1000`,
      webhook_id ?? null,
      status ?? null,
    )
    .map(({ seq, due_at, attempts, ...delivery }) => ({
      id: seq,
      ...delivery,
      due_at: toIso(due_at),
      attempts: z.array(attempt).parse(JSON.parse(attempts)),
    }));

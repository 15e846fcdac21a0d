import * as z from 'zod/mini';
import { toIso } from '../engine/clock';
import type { Service } from '../engine/context';
import type { DeliveryFault } from '../faults';
import { Refusal } from '../refusal';
import type { Database } from '../store/database';

interface Place {
  status?: 'pending' | 'held' | 'dropped';
  /** Milliseconds. */
  delay?: number;
}

const queue = ({ database, clock }: Service, event: string, webhook: string, place: Place): void => {
  const { status = 'pending', delay = 0 } = place;
  database.insert('deliveries', { event_id: event, webhook_id: webhook, status, due_at: clock.now() + delay });
};

const seqRow = z.object({ seq: z.number() });

/** Lets go of the deliveries that were held back, the last one first and ten seconds between them. */
export const releaseHeld = ({ database, clock }: Service): void => {
  const held = database.all(seqRow, "SELECT seq FROM deliveries WHERE status = 'held' ORDER BY seq DESC");
  for (const [index, { seq }] of held.entries()) {
    const sql = "UPDATE deliveries SET status = 'pending', due_at = ? WHERE seq = ?";
    database.run(sql, clock.now() + index * 10_000, seq);
  }
};

const placesFor = (fault: DeliveryFault | undefined): Place[] => {
  switch (fault?.kind) {
    case 'delivery_twice':
      return [{}, {}];
    case 'delivery_late':
      return [{ delay: fault.delay_ms }];
    case 'delivery_out_of_order':
      return [{ status: 'held' }];
    case 'delivery_dropped':
      return [{ status: 'dropped' }];
    default:
      return [{}];
  }
};

/** Queues an event for a webhook, part of the transaction of the event; goes wrong when that was asked for. */
export const enqueue = (service: Service, event: { id: string; type: string }, webhook: string): void => {
  const { deliveryFaults } = service;
  const fault = deliveryFaults.take(
    (each) => (!each.event || each.event === event.type) && (!each.webhook_id || each.webhook_id === webhook),
  );
  for (const place of placesFor(fault)) queue(service, event.id, webhook, place);
  if (deliveryFaults.list().every(({ kind }) => kind !== 'delivery_out_of_order')) releaseHeld(service);
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

/** Which deliveries to list. */
interface DeliveryFilters {
  webhook_id?: string | undefined;
  status?: string | undefined;
}

/** The last thousand deliveries that match, newest first, with every attempt. */
export const listDeliveries = (database: Database, filters: DeliveryFilters) => {
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = ['true', ...chosen.map(([column]) => `${column} = ?`)].join(' AND ');
  const deliveries = database.all(
    row,
    `SELECT delivery.seq, event_id, type, webhook_id, status, due_at, attempts
      FROM deliveries AS delivery JOIN events AS event ON event.id = event_id
      WHERE ${where} ORDER BY delivery.seq DESC LIMIT 1000`,
    ...chosen.map(([, value]) => value ?? null),
  );
  return deliveries.map(({ seq, due_at, attempts, ...delivery }) => ({
    id: seq,
    ...delivery,
    due_at: toIso(due_at),
    attempts: z.array(attempt).parse(JSON.parse(attempts)),
  }));
};

const eventRow = z.object({ event_id: z.string(), webhook_id: z.string() });

/** Delivers the event of this delivery to its webhook once more, now or so many milliseconds later; 404 when it is gone. */
export const deliverAgain = (service: Service, seq: number, delay: number): void => {
  const sql = `SELECT event_id, webhook_id FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
    WHERE deliveries.seq = ?`;
  const found = service.database.first(eventRow, sql, seq);
  if (!found) throw new Refusal('not_found', `There is no delivery ${seq} to a webhook that still exists.`);
  queue(service, found.event_id, found.webhook_id, { delay });
};

import * as z from 'zod/mini';
import { readEvent as readBody } from '../../../src/api/adapter';
import { decodeDelivery } from '../../../src/api/decode';
import { type Delivery, delivery, type EventName, events } from '../../../src/api/events';
import type { Received } from '../checks/receiver';
import { readJson } from '../json';
import { resourceOf } from './resource';
import { type Comparison, compare, nothingFound } from './shape';

/** An event of a delivery. */
interface DeliveredEvent {
  /** By our names. */
  type: string;
  /** As the service sent it. */
  record: unknown;
  /** Undefined when the record has none. */
  recordId: string | undefined;
  /** Undefined for an event that the contract doesn't know. */
  definition: (typeof events)[EventName] | undefined;
}

/** The payload of a delivery: parsed JSON, and its events when it has the fields of the contract. */
export interface Payload {
  body: unknown;
  events: DeliveredEvent[];
}

const withId = z.object({ id: z.union([z.string(), z.number()]) });

const readEvent = ({ type, data: record }: Delivery): DeliveredEvent => {
  const definition = Object.entries(events).find(([name]) => name === type)?.[1];
  const id = withId.safeParse(record).data?.id;
  return { type, record, recordId: id === undefined ? undefined : String(id), definition };
};

/** Reads the payload of a delivery, whatever its shape. */
export const readPayload = ({ content, headers }: Received): Payload => {
  const body = readBody({ headers, content, body: readJson(content) });
  const event = decodeDelivery(body);
  return { body, events: event ? [readEvent(event)] : [] };
};

/** Compares payloads with the contract: what surrounds each record, and the record itself. */
export const comparePayloads = (payloads: readonly Payload[]): Comparison => {
  const found = nothingFound();
  for (const { body, events: delivered } of payloads) {
    compare(delivery, body, 'delivery', { found });
    for (const { type, record, definition } of delivered) {
      if (!definition) continue;
      compare(definition.schema, record, resourceOf(definition.get), { start: `${type}: `, found });
    }
  }
  return found;
};

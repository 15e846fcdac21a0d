import * as z from 'zod/mini';
import { readEvents } from '../../../src/api/adapter';
import { decodeDelivery } from '../../../src/api/decode';
import { type Delivery, delivery, type EventName, events } from '../../../src/api/events';
import { fromWire } from '../../../src/api/translate';
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
  const id = withId.safeParse(definition ? fromWire(definition.schema, record) : record).data?.id;
  return { type, record, recordId: id === undefined ? undefined : String(id), definition };
};

/** Reads the payload of a delivery, whatever its shape. */
export const readPayload = ({ content, headers, path }: Received): Payload => {
  const body = readEvents({ headers, content, url: path, body: readJson(content) });
  return { body, events: (decodeDelivery(body) ?? []).map(readEvent) };
};

/** Compares payloads with the contract: what surrounds each record, and the record itself. */
export const comparePayloads = (payloads: readonly Payload[]): Comparison => {
  const found = nothingFound();
  for (const { body, events: delivered } of payloads) {
    // The app takes one event, or a list of them.
    for (const each of [body].flat()) compare(delivery, each, 'delivery', { found });
    for (const { type, record, definition } of delivered) {
      if (!definition) continue;
      compare(definition.schema, record, resourceOf(definition.get), { start: `${type}: `, found });
    }
  }
  return found;
};

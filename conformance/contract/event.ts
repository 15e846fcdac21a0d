import * as z from 'zod/mini';
import { delivery, events } from '../../src/api/events';
import { campaign, conversation, message } from '../../src/api/resources';
import { fromWire } from '../../src/api/wire';
import type { Received } from '../checks/receiver';
import { type Comparison, compare } from './shape';

/** The payload of a delivery: parsed JSON, and its event when it has the fields of one. */
export interface Payload {
  body: unknown;
  event?: {
    /** By our names. */
    type: string;
    /** As the service sent it. */
    record: unknown;
    /** Undefined when the record has none. */
    recordId: string | undefined;
    /** Undefined for an event that the contract doesn't know. */
    schema: z.ZodMiniObject | undefined;
  };
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const withId = z.object({ id: z.union([z.string(), z.number()]) });

/** Reads the payload of a delivery, whatever its shape. */
export const readPayload = ({ content }: Received): Payload => {
  const body = readJson(content);
  const event = delivery.safeParse(fromWire(delivery, body)).data;
  if (!event) return { body };
  const { type, data: record } = event;
  const schema = Object.entries(events).find(([name]) => name === type)?.[1].schema;
  const id = withId.safeParse(schema ? fromWire(schema, record) : record).data?.id;
  return { body, event: { type, record, recordId: id === undefined ? undefined : String(id), schema } };
};

const areas = Object.entries({ message, conversation, campaign });

const comparePayload = ({ body, event }: Payload): Comparison[] => {
  const outer = compare(delivery, body, 'delivery');
  if (!event?.schema) return [outer];
  const owner = areas.find(([, { schema }]) => schema === event.schema)?.[0] ?? '';
  const inner = compare(event.schema, event.record, owner);
  return [outer, { ...inner, differences: new Set([...inner.differences].map((each) => `${event.type}: ${each}`)) }];
};

/** Compares payloads with the contract: what surrounds each record, and the record itself. */
export const comparePayloads = (payloads: readonly Payload[]): Comparison => {
  const all = payloads.flatMap(comparePayload);
  return {
    differences: new Set(all.flatMap(({ differences }) => [...differences])),
    absent: new Set(all.flatMap(({ absent }) => [...absent])),
    unknown: new Set(all.flatMap(({ unknown }) => [...unknown])),
  };
};

import * as z from 'zod/mini';
import { readEvents } from '../../src/api/adapter';
import { decodeDelivery } from '../../src/api/decode';
import { type Delivery, delivery, events } from '../../src/api/events';
import { campaign, conversation, message } from '../../src/api/resources';
import { fromWire } from '../../src/api/translate';
import type { Received } from '../checks/receiver';
import { readJson } from '../json';
import { type Comparison, compare } from './shape';

/** An event of a delivery. */
interface DeliveredEvent {
  /** By our names. */
  type: string;
  /** As the service sent it. */
  record: unknown;
  /** Undefined when the record has none. */
  recordId: string | undefined;
  /** Undefined for an event that the contract doesn't know. */
  schema: z.ZodMiniObject | undefined;
}

/** The payload of a delivery: parsed JSON, and its events when it has the fields of the contract. */
export interface Payload {
  body: unknown;
  events: DeliveredEvent[];
}

const withId = z.object({ id: z.union([z.string(), z.number()]) });

const readEvent = ({ type, data: record }: Delivery): DeliveredEvent => {
  const schema = Object.entries(events).find(([name]) => name === type)?.[1].schema;
  const id = withId.safeParse(schema ? fromWire(schema, record) : record).data?.id;
  return { type, record, recordId: id === undefined ? undefined : String(id), schema };
};

/** Reads the payload of a delivery, whatever its shape. */
export const readPayload = ({ content, headers, path }: Received): Payload => {
  const body = readEvents({ headers, content, url: path, body: readJson(content) });
  return { body, events: (decodeDelivery(body) ?? []).map(readEvent) };
};

const resources = Object.entries({ message, conversation, campaign });

const compareRecord = ({ type, record, schema }: DeliveredEvent): Comparison[] => {
  if (!schema) return [];
  const owner = resources.find(([, resource]) => resource.schema === schema)?.[0] ?? '';
  const comparison = compare(schema, record, owner);
  const ofEvent = (all: Set<string>) => new Set([...all].map((each) => `${type}: ${each}`));
  return [{ ...comparison, differences: ofEvent(comparison.differences), tolerated: ofEvent(comparison.tolerated) }];
};

const comparePayload = ({ body, events: delivered }: Payload): Comparison[] => [
  // The app takes one event, or a list of them.
  ...[body].flat().map((each) => compare(delivery, each, 'delivery')),
  ...delivered.flatMap(compareRecord),
];

/** Compares payloads with the contract: what surrounds each record, and the record itself. */
export const comparePayloads = (payloads: readonly Payload[]): Comparison => {
  const all = payloads.flatMap(comparePayload);
  return {
    renames: all.flatMap(({ renames }) => renames),
    respelled: all.flatMap(({ respelled }) => respelled),
    hasDeclaredNames: all.some(({ hasDeclaredNames }) => hasDeclaredNames),
    differences: new Set(all.flatMap(({ differences }) => [...differences])),
    tolerated: new Set(all.flatMap(({ tolerated }) => [...tolerated])),
    absent: new Set(all.flatMap(({ absent }) => [...absent])),
    unknown: new Set(all.flatMap(({ unknown }) => [...unknown])),
    asDeclared: new Set(all.flatMap(({ asDeclared }) => [...asDeclared])),
    spoken: new Set(all.flatMap(({ spoken }) => [...spoken])),
  };
};

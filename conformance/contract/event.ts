import * as z from 'zod/mini';
import { delivery, events } from '../../src/api/events';
import { fromWire } from '../../src/api/wire';
import type { Received } from '../checks/receiver';
import { idOf } from './response';

/** What was delivered: the body as it came, and what it tells when it can be read. */
export interface ReadEvent {
  body: unknown;
  told?: {
    /** In our words. */
    type: string;
    /** As it came. */
    record: unknown;
    recordId: string;
    /** Undefined for an event that the contract does not know. */
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

const anyRecord = z.catch(z.record(z.string(), z.unknown()), {});

/** Reads what was delivered, whatever it is like. */
export const readEvent = ({ content }: Received): ReadEvent => {
  const body = readJson(content);
  const event = delivery().safeParse(fromWire(delivery(), body)).data;
  if (!event) return { body };
  const { type, data: record } = event;
  const schema = Object.entries(events).find(([name]) => name === type)?.[1].schema;
  const recordId = idOf(anyRecord.parse(schema ? fromWire(schema, record) : record));
  return { body, told: { type, record, recordId, schema } };
};

import * as z from 'zod/mini';
import { delivery, type EventName, events } from '../../src/api/events';
import { webhookFilters } from '../../src/api/resources';
import { toWire } from '../../src/api/wire';
import { toIso } from '../engine/clock';
import type { Service } from '../engine/context';
import { strict } from '../http/responses';
import { kinds, read } from '../store/records';
import { enqueue } from './queue';

const listenerRow = z.object({ id: z.string(), filters: z.string() });

const filterable = z.object({
  id: z.string(),
  channel: z.optional(z.nullable(z.string())),
  from: z.optional(z.string()),
  source: z.optional(z.string()),
  campaign_id: z.optional(z.nullable(z.string())),
});

/** A filter lets through what has one of its values; what lacks the field does not pass. */
const passes = (filters: string, isCampaign: boolean, data: unknown): boolean => {
  const subject = filterable.parse(data);
  const values = { ...subject, campaign_id: isCampaign ? subject.id : subject.campaign_id };
  const { channel, from, source, campaign_id } = webhookFilters().parse(JSON.parse(filters));
  const allows = (allowed: string[] | undefined, value: string | null | undefined) =>
    !allowed || (typeof value === 'string' && allowed.includes(value));
  return (
    allows(channel, values.channel) &&
    allows(from, values.from) &&
    allows(source, values.source) &&
    allows(campaign_id, values.campaign_id)
  );
};

const area = z.enum(['message', 'conversation', 'campaign']);

const exactData = new Map(Object.entries(events).map(([type, { schema }]) => [type, strict(schema)]));

/**
 * Reports that something happened to the resource: one delivery for each webhook that asked for it, queued in the
 * same transaction. A webhook made later never hears of it.
 */
export const publish = (service: Service, workspaceId: string, type: EventName, id: string): void => {
  const { database, clock, random } = service;
  const listeners = database.all(
    listenerRow,
    `SELECT id, filters FROM webhooks WHERE workspace_id = ? AND ? BETWEEN created_at AND expires_at
      AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = ?)`,
    workspaceId,
    clock.now(),
    type,
  );
  if (listeners.length === 0) return;
  const kind = area.parse(type.split('.')[0]);
  const data = read<z.ZodMiniType>(database, kinds[kind], workspaceId, id);
  z.parse(exactData.get(type) ?? z.never(), data);
  const concerned = listeners.filter(({ filters }) => passes(filters, kind === 'campaign', data));
  if (concerned.length === 0) return;
  const event = random.id('evt');
  const created_at = toIso(clock.now());
  const sent = { id: event, type, created_at, workspace_id: workspaceId, data: toWire(events[type].schema, data) };
  const body = JSON.stringify(toWire(delivery(), sent));
  database.insert('events', { id: event, type, body });
  for (const listener of concerned) enqueue(service, { id: event, type }, listener.id);
};

import * as z from 'zod/mini';
import { encodeDelivery } from '../../src/api/encode';
import { type EventName, events } from '../../src/api/events';
import { webhookFilters } from '../../src/api/resources';
import { toIso } from '../engine/clock';
import type { WorkspaceContext } from '../engine/context';
import { readResource, resourceTypes } from '../store/records';
import { strict } from '../strict';
import { enqueue } from './queue';

const webhookRow = z.object({ id: z.string(), filters: z.string() });

const record = z.looseObject({});

const resourceName = z.enum(['message', 'contact', 'conversation', 'campaign']);

/** Whether the data passes the webhook's filters. Data without a filtered field doesn't pass. */
const passes = (filters: string, data: Record<string, unknown>): boolean =>
  Object.entries(webhookFilters.parse(JSON.parse(filters))).every(
    ([field, allowed]) => !allowed || allowed.some((value) => value === data[field]),
  );

const strictSchemas = new Map(Object.entries(events).map(([type, { schema }]) => [type, strict(schema)]));

/** Queues a delivery of the event for each webhook that subscribes to it. Call it in the transaction of the change. */
export const publish = (context: WorkspaceContext, type: EventName, id: string): void => {
  const { database, clock, random, workspaceId } = context;
  const sql = `SELECT id, filters FROM webhooks WHERE workspace_id = ? AND ? BETWEEN created_at AND expires_at
    AND ? IN (SELECT value FROM json_each(events))`;
  const subscribed = database.all(webhookRow, sql, workspaceId, clock.now(), type);
  if (subscribed.length === 0) return;
  const name = resourceName.parse(type.split('.')[0]);
  const data = record.parse(readResource<z.ZodMiniType>(context, resourceTypes[name], id));
  z.parse(strictSchemas.get(type) ?? z.never(), data);
  const filterable = name === 'campaign' ? { ...data, campaign_id: data.id } : data;
  const matching = subscribed.filter(({ filters }) => passes(filters, filterable));
  if (matching.length === 0) return;
  const event = random.id('evt');
  const created_at = toIso(clock.now());
  const body = JSON.stringify(encodeDelivery({ id: event, type, created_at, workspace_id: workspaceId, data }));
  database.insert('events', { id: event, type, body });
  for (const webhook of matching) enqueue(context, { id: event, type }, webhook.id);
};

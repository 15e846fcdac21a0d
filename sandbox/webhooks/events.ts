import * as z from 'zod/mini';
import { encodeDelivery } from '../../src/api/encode';
import { type EventName, events } from '../../src/api/events';
import { webhookFilters } from '../../src/api/resources';
import { toIso } from '../engine/clock';
import type { WorkspaceContext } from '../engine/context';
import { readResource, resourceTypes } from '../store/records';
import { strict } from '../strict';
import { enqueue } from './queue';

const webhookRow = z.object({ id: z.string(), events: z.string(), filters: z.string() });

const eventNames = z.array(z.string());

const filterable = z.object({
  id: z.string(),
  channel: z.optional(z.nullable(z.string())),
  from: z.optional(z.string()),
  source: z.optional(z.string()),
  campaign_id: z.optional(z.nullable(z.string())),
});

/** Whether the data passes the webhook's filters. Data without a filtered field doesn't pass. */
const passes = (filters: string, isCampaign: boolean, data: unknown): boolean => {
  const subject = filterable.parse(data);
  const values = { ...subject, campaign_id: isCampaign ? subject.id : subject.campaign_id };
  const { channel, from, source, campaign_id } = webhookFilters.parse(JSON.parse(filters));
  const allows = (allowed: string[] | undefined, value: string | null | undefined) =>
    !allowed || (typeof value === 'string' && allowed.includes(value));
  return (
    allows(channel, values.channel) &&
    allows(from, values.from) &&
    allows(source, values.source) &&
    allows(campaign_id, values.campaign_id)
  );
};

const record = z.looseObject({});

const resourceName = z.enum(['message', 'conversation', 'campaign']);

const strictSchemas = new Map(Object.entries(events).map(([type, { schema }]) => [type, strict(schema)]));

/** Queues a delivery of the event for each webhook that subscribes to it. Call it in the transaction of the change. */
export const publish = (context: WorkspaceContext, type: EventName, id: string): void => {
  const { database, clock, random, workspaceId } = context;
  const webhooks = database.all(
    webhookRow,
    'SELECT id, events, filters FROM webhooks WHERE workspace_id = ? AND ? BETWEEN created_at AND expires_at',
    workspaceId,
    clock.now(),
  );
  const subscribed = webhooks.filter((webhook) => eventNames.parse(JSON.parse(webhook.events)).includes(type));
  if (subscribed.length === 0) return;
  const name = resourceName.parse(type.split('.')[0]);
  const data = record.parse(readResource<z.ZodMiniType>(context, resourceTypes[name], id));
  z.parse(strictSchemas.get(type) ?? z.never(), data);
  const matching = subscribed.filter(({ filters }) => passes(filters, name === 'campaign', data));
  if (matching.length === 0) return;
  const event = random.id('evt');
  const created_at = toIso(clock.now());
  const body = JSON.stringify(encodeDelivery({ id: event, type, created_at, workspace_id: workspaceId, data }));
  database.insert('events', { id: event, type, body });
  for (const webhook of matching) enqueue(context, { id: event, type }, webhook.id);
};

import * as z from 'zod/mini';
import type { EventName } from '../../../src/api/events';
import { type Webhook, webhookFilters } from '../../../src/api/resources';
import { toIso } from '../../zapier/clock';
import type { WorkspaceContext } from '../store/context';
import { readDocument, readRecord } from '../store/records';
import { enqueue } from './queue';

const webhookRow = z.object({ id: z.string(), filters: z.string() });

const subscribers = `SELECT id, document ->> 'filters' AS filters FROM records WHERE kind = 'webhook' AND workspace = ?
  AND ? BETWEEN document ->> 'starts_at' AND document ->> 'due_at'
  AND ? IN (SELECT value FROM json_each(document, '$.events'))`;

const record = z.looseObject({});

const recordKind = z.enum(['message', 'conversation', 'campaign']);

/** Whether the data passes the webhook's filters. Data without a filtered field doesn't pass. */
const passes = (filters: string, data: Record<string, unknown>): boolean => {
  const { after: _, ...lists } = webhookFilters.parse(JSON.parse(filters));
  return Object.entries(lists).every(([field, allowed]) => !allowed || allowed.some((value) => value === data[field]));
};

/** Queues a delivery of the event for those of the webhooks whose filters it passes. */
const queueFor = (
  context: WorkspaceContext,
  subscribed: z.output<typeof webhookRow>[],
  type: EventName,
  id: string,
): void => {
  if (subscribed.length === 0) return;
  const { database, clock, random, workspaceId } = context;
  const kind = recordKind.parse(type.split('.')[0]);
  const known = readDocument(context, kind, id, record);
  const filterable = kind === 'campaign' ? { ...known, campaign_id: id } : known;
  const matching = subscribed.filter(({ filters }) => passes(filters, filterable));
  if (matching.length === 0) return;
  const data: Record<string, unknown> = readRecord(context, kind, id);
  const event = random.id('evt');
  const created_at = toIso(clock.now());
  const body = JSON.stringify({ id: event, type, created_at, workspace_id: workspaceId, data });
  database.insert('events', { id: event, type, body });
  for (const webhook of matching) enqueue(context, { id: event, type }, webhook.id);
};

/** Queues a delivery of the event for each webhook that subscribes to it. Call it in the transaction of the change. */
export const publish = (context: WorkspaceContext, type: EventName, id: string): void => {
  const { database, clock, workspaceId } = context;
  queueFor(context, database.all(webhookRow, subscribers, workspaceId, clock.now(), type), type, id);
};

const idRow = z.object({ id: z.string() });

const receivedAfter = `SELECT id FROM records WHERE kind = 'message' AND workspace = ?
  AND document ->> 'direction' = 'inbound'
  AND seq > (SELECT seq FROM records WHERE kind = 'message' AND workspace = ? AND id = ?) ORDER BY seq`;

/** Queues deliveries of the messages received after one, to a new webhook that subscribes to them. */
export const publishReceived = (context: WorkspaceContext, webhook: Webhook, after: string): void => {
  const type = 'message.received';
  if (!webhook.events?.includes(type)) return;
  const { database, workspaceId } = context;
  const subscribed = [{ id: webhook.id, filters: JSON.stringify(webhook.filters) }];
  for (const { id } of database.all(idRow, receivedAfter, workspaceId, workspaceId, after)) {
    queueFor(context, subscribed, type, id);
  }
};

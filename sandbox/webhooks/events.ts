import * as z from 'zod/mini';
import { encodeDelivery } from '../../src/api/encode';
import { exists } from '../../src/api/endpoints';
import type { EventName } from '../../src/api/events';
import { webhookFilters } from '../../src/api/resources';
import { toIso } from '../engine/clock';
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
const passes = (filters: string, data: Record<string, unknown>): boolean =>
  Object.entries(webhookFilters.parse(JSON.parse(filters))).every(
    ([field, allowed]) => !allowed || allowed.some((value) => value === data[field]),
  );

/** Queues a delivery of the event for each webhook that subscribes to it. Call it in the transaction of the change. */
export const publish = (context: WorkspaceContext, type: EventName, id: string): void => {
  if (!exists(type)) return;
  const { database, clock, random, workspaceId } = context;
  const subscribed = database.all(webhookRow, subscribers, workspaceId, clock.now(), type);
  if (subscribed.length === 0) return;
  const kind = recordKind.parse(type.split('.')[0]);
  const known = readDocument(context, kind, id, record);
  const filterable = kind === 'campaign' ? { ...known, campaign_id: id } : known;
  const matching = subscribed.filter(({ filters }) => passes(filters, filterable));
  if (matching.length === 0) return;
  const data: Record<string, unknown> = readRecord(context, kind, id);
  const event = random.id('evt');
  const created_at = toIso(clock.now());
  const body = JSON.stringify(encodeDelivery({ id: event, type, created_at, workspace_id: workspaceId, data }));
  database.insert('events', { id: event, type, body });
  for (const webhook of matching) enqueue(context, { id: event, type }, webhook.id);
};

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { isLoopback } from '../../../src/api/addresses';
import { type BodyOf, webhookDays } from '../../../src/api/endpoints';
import { events } from '../../../src/api/events';
import type { Webhook } from '../../../src/api/resources';
import { day, toIso } from '../../zapier/clock';
import { type FieldProblem, requireNone, validationError } from '../engine/api-error';
import type { SandboxContext, WorkspaceContext } from '../store/context';
import { workOn } from '../store/due-records';
import { addRecord, changeRecord, findDocument, readDocument, readRecord, removeRecord } from '../store/records';
import { publishReceived } from './events';

const lifetimeMs = webhookDays * day;
/** How long deliveries are also signed with the old secret after a rotation. */
const rotationMs = day;

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

const isDeliverable = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

const anyRecord = z.looseObject({});

const invalidFields = ({ url, events: wanted }: BodyOf<'createWebhook'>): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  if (!isDeliverable(url)) {
    problems.push({ field: 'url', message: 'must be an https address, or an http address of this machine' });
  }
  const unknown = wanted.filter((type) => !Object.hasOwn(events, type));
  if (wanted.length === 0) problems.push({ field: 'events', message: 'must name at least one event' });
  if (unknown.length > 0) problems.push({ field: 'events', message: `does not know ${unknown.join(', ')}` });
  return problems;
};

/**
 * Creates a webhook for events from now on, or from the message in the filter `after` on, and returns it. Only this response
 * has the secret.
 */
export const createWebhook = (context: WorkspaceContext, webhook: BodyOf<'createWebhook'>): Webhook => {
  const { clock, random } = context;
  requireNone(invalidFields(webhook));
  const after = webhook.filters?.after;
  if (after && !findDocument(context, 'message', after, anyRecord)) {
    throw validationError([{ field: 'filters.after', message: `is no message: ${after}` }]);
  }
  const id = random.id('wh');
  const now = clock.now();
  addRecord(context, 'webhook', id, {
    id,
    url: webhook.url,
    events: [...new Set(webhook.events)],
    filters: webhook.filters ?? {},
    secret: newSecret(),
    created_at: toIso(now),
    expires_at: toIso(now + lifetimeMs),
    starts_at: now,
    due_at: now + lifetimeMs,
  });
  const created = readRecord(context, 'webhook', id);
  if (after) publishReceived(context, created, after);
  return created;
};

/** Lets webhooks that were created ahead of the clock hear events from now on. Call it when the clock went back. */
export const startWebhooks = ({ database, clock }: SandboxContext): void => {
  const now = clock.now();
  database.run(
    `UPDATE records SET document = json_set(document, '$.starts_at', ?)
      WHERE kind = 'webhook' AND document ->> 'starts_at' > ?`,
    now,
    now,
  );
};

/** Removes the webhook and cancels its deliveries. */
export const removeWithDeliveries = ({ database }: SandboxContext, id: string): void => {
  removeRecord(database, 'webhook', id);
  database.run(
    "UPDATE deliveries SET status = 'canceled' WHERE webhook_id = ? AND status IN ('pending', 'held', 'sending')",
    id,
  );
};

/** Deletes the workspace's webhook. Throws a 404 when it doesn't exist. */
export const deleteWebhook = (context: WorkspaceContext, id: string): void => {
  readRecord(context, 'webhook', id);
  removeWithDeliveries(context, id);
};

const withSecret = z.object({ secret: z.string() });

/** Gives the webhook a new secret. For a day its deliveries are signed with both. */
export const rotateSecret = (context: WorkspaceContext, id: string): Webhook => {
  const { secret: old_secret } = readDocument(context, 'webhook', id, withSecret);
  const old_secret_until = context.clock.now() + rotationMs;
  changeRecord(context, 'webhook', id, { secret: newSecret(), old_secret, old_secret_until });
  return readRecord(context, 'webhook', id);
};

/** Removes a webhook that has expired. */
export const expireWebhook = workOn(z.object({ id: z.string() }), (context, { id }) =>
  removeWithDeliveries(context, id),
);

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type BodyOf, webhookDays } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import type { Webhook } from '../../src/api/resources';
import { type FieldProblem, requireNone } from '../api-error';
import { day } from '../engine/clock';
import type { SandboxContext, WorkspaceContext } from '../engine/context';
import type { Job } from '../engine/scheduler';
import { isLoopback } from '../loopback';
import { readResource, resourceTypes } from '../store/records';

const lifetimeMs = webhookDays * day;
/** How long deliveries are also signed with the old secret after a rotation. */
const rotationMs = day;

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

const isDeliverable = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

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

/** Creates a webhook for events from now on and returns it. Only this response has the secret. */
export const createWebhook = (context: WorkspaceContext, webhook: BodyOf<'createWebhook'>): Webhook => {
  const { database, clock, random, workspaceId } = context;
  requireNone(invalidFields(webhook));
  const id = random.id('wh');
  const secret = newSecret();
  database.insert('webhooks', {
    id,
    workspace_id: workspaceId,
    url: webhook.url,
    events: JSON.stringify([...new Set(webhook.events)]),
    filters: JSON.stringify(webhook.filters ?? {}),
    secret,
    created_at: clock.now(),
    expires_at: clock.now() + lifetimeMs,
  });
  return { ...readResource(context, resourceTypes.webhook, id), secret };
};

/** Removes the webhook and cancels its deliveries. */
export const removeWithDeliveries = ({ database }: SandboxContext, id: string): void => {
  database.run('DELETE FROM webhooks WHERE id = ?', id);
  database.run(
    "UPDATE deliveries SET status = 'canceled' WHERE webhook_id = ? AND status IN ('pending', 'held', 'sending')",
    id,
  );
};

/** Deletes the workspace's webhook. Throws a 404 when it doesn't exist. */
export const deleteWebhook = (context: WorkspaceContext, id: string): void => {
  readResource(context, resourceTypes.webhook, id);
  removeWithDeliveries(context, id);
};

/** Gives the webhook a new secret. For a day its deliveries are signed with both. */
export const rotateSecret = (context: WorkspaceContext, id: string): Webhook => {
  const { database, clock } = context;
  const webhook = readResource(context, resourceTypes.webhook, id);
  const secret = newSecret();
  const sql = 'UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ? WHERE id = ?';
  database.run(sql, clock.now() + rotationMs, secret, id);
  return { ...webhook, secret };
};

const idRow = z.object({ id: z.string() });

/** Removes webhooks that have expired. */
export const webhookExpiry = (context: SandboxContext): Job => ({
  nextDue: () => context.database.number('SELECT min(expires_at) FROM webhooks'),
  run: (until) =>
    context.database.transaction(() => {
      const expired = 'SELECT id FROM webhooks WHERE expires_at <= ?';
      for (const { id } of context.database.all(idRow, expired, until)) removeWithDeliveries(context, id);
    }),
});

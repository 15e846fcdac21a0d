import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { BodyOf } from '../../src/api/endpoints';
import { events } from '../../src/api/events';
import type { Webhook } from '../../src/api/resources';
import type { Service } from '../engine/context';
import { type Job, readDue } from '../engine/scheduler';
import { isLoopback } from '../loopback';
import { type Problem, refuseFields } from '../refusal';
import { kinds, read } from '../store/records';

const day = 24 * 60 * 60 * 1000;
/** How long a webhook lasts unless it is made again, and how long an old secret signs beside the new one. */
const lifetime = 30 * day;
const rotation = day;

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

const isDeliverable = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

const wrongFields = ({ url, events: wanted }: BodyOf<'createWebhook'>): Problem[] => {
  const problems: Problem[] = [];
  if (!isDeliverable(url)) {
    problems.push({ field: 'url', message: 'must be an https address, or an http address of this machine' });
  }
  const unknown = wanted.filter((type) => !Object.hasOwn(events, type));
  if (wanted.length === 0) problems.push({ field: 'events', message: 'must name at least one event' });
  if (unknown.length > 0) problems.push({ field: 'events', message: `does not know ${unknown.join(', ')}` });
  return problems;
};

/** Makes a webhook that hears of every matching event from now on. The answer alone shows its secret. */
export const createWebhook = (
  { database, clock, random }: Service,
  workspaceId: string,
  webhook: BodyOf<'createWebhook'>,
): Webhook => {
  const problems = wrongFields(webhook);
  if (problems.length > 0) throw refuseFields(problems);
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
    expires_at: clock.now() + lifetime,
  });
  return { ...read(database, kinds.webhook, workspaceId, id), secret };
};

/** Removes the webhook; what has not reached it yet is canceled. */
export const removeWebhook = ({ database }: Service, id: string): void => {
  database.run('DELETE FROM webhooks WHERE id = ?', id);
  database.run(
    "UPDATE deliveries SET status = 'canceled' WHERE webhook_id = ? AND status IN ('pending', 'held', 'sending')",
    id,
  );
};

/** Deletes the workspace's own webhook, or 404 when there is none (any more). */
export const deleteWebhook = (service: Service, workspaceId: string, id: string): void => {
  read(service.database, kinds.webhook, workspaceId, id);
  removeWebhook(service, id);
};

/** Gives the webhook a new secret; for a day deliveries are signed with the old one too. */
export const rotateSecret = ({ database, clock }: Service, workspaceId: string, id: string): Webhook => {
  const webhook = read(database, kinds.webhook, workspaceId, id);
  const secret = newSecret();
  const sql = 'UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ? WHERE id = ?';
  database.run(sql, clock.now() + rotation, secret, id);
  return { ...webhook, secret };
};

const idRow = z.object({ id: z.string() });

/** Removes webhooks that have expired. */
export const webhookExpiry = (service: Service): Job => ({
  nextDue: () => readDue(service.database, 'SELECT min(expires_at) AS due_at FROM webhooks'),
  run: (until) =>
    service.database.transaction(() => {
      const expired = 'SELECT id FROM webhooks WHERE expires_at <= ?';
      for (const { id } of service.database.all(idRow, expired, until)) removeWebhook(service, id);
    }),
});

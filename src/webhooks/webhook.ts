import { randomUUID } from 'node:crypto';
import type { ZObject } from 'zapier-platform-core';
import { type BodyOf, endpoints } from '../api/endpoints';
import type { Webhook } from '../api/resources';
import { call, extendDeadlineForCleanup, find } from '../http/client';

/** Creates a webhook and returns it with its secret. A retry doesn't create a second one. */
export const createWebhook = (z: ZObject, body: BodyOf<'createWebhook'>): Promise<Webhook> =>
  call(z, endpoints.createWebhook, { body, idempotencyKey: randomUUID() });

/** Deletes a webhook that a step gives up. Ignores a failure, which would hide the reply or the reason. */
export const discardWebhook = (z: ZObject, id: string): Promise<unknown> => {
  extendDeadlineForCleanup(z);
  const discard = () => find(z, endpoints.deleteWebhook, { id });
  return discard()
    .catch(discard)
    .catch(() => undefined);
};

import type { ZObject } from 'zapier-platform-core';
import { type BodyOf, endpoints } from '../api/endpoints';
import type { FieldLabels } from '../api/labels';
import type { Webhook } from '../api/resources';
import { call, lookUp } from '../http/client';
import { startFinishing } from '../http/deadline';
import { untilFound } from '../http/until-found';

/** Creates a webhook and returns it with its secret. With the same key, it creates no second one. */
export const createWebhook = (
  z: ZObject,
  body: BodyOf<'createWebhook'>,
  labels: FieldLabels,
  idempotencyKey?: string,
): Promise<Webhook> => call(z, endpoints.createWebhook, { body, labels, idempotencyKey });

/** Deletes a webhook that a step gives up. Ignores a failure, which would hide the reply or the reason. */
export const discardWebhook = async (z: ZObject, id: string): Promise<void> => {
  startFinishing(z);
  const isGone = async (): Promise<boolean> => {
    await lookUp(z, endpoints.deleteWebhook, { id });
    return true;
  };
  await untilFound(z, isGone).catch(() => false);
};

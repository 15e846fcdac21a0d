/** The callback by which a step that waits goes on. */
import type { ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../api/decode';
import { encodeDelivery } from '../api/encode';
import { isTransientStatus } from '../api/errors';
import { fieldsOf } from '../api/object';
import { type Message, message } from '../api/resources';
import { pauseBefore, timeLeft } from '../http/deadline';

/** Posts JSON, and returns the status of the response. Not by z.request, which adds the token. */
const post = async (url: string, body: string, timeoutMs: number): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  return response.status;
};

/** What a step tells itself by its callback, in case Zapier hasn't kept its result yet. */
const own = zod.object({ sent_id: zod.string(), webhook_id: zod.string(), already_sent: zod.boolean() });

/**
 * Ends the wait of this step with a reply, as the service does by its webhook. Zapier gets only ids. Repeats the callback
 * while Zapier is down and the step has time. Ignores a refusal, since an earlier callback may have ended the wait.
 */
export const resumeWith = async (
  z: ZObject,
  url: string,
  { id }: Message,
  facts: zod.output<typeof own>,
): Promise<void> => {
  const event = encodeDelivery({ id, type: 'message.received', data: { id } });
  const body = JSON.stringify({ ...fieldsOf(event), ...facts });
  for (let retry = 0; ; retry += 1) {
    const status = await post(url, body, Math.max(1, timeLeft(z))).catch(() => undefined);
    const isDown = status === undefined || status === 429 || isTransientStatus(status);
    if (!isDown || !(await pauseBefore(z, retry))) return;
  }
};

/** Returns the id of the message that a callback names; undefined when it names none. */
export const readCallback = (body: unknown): string | undefined => {
  const event = decodeDelivery(body)?.find(({ type }) => type === 'message.received');
  return event && decode(message.schema, event.data).data?.id;
};

/** Returns what the step itself told by a callback; undefined for a callback of the service. */
export const readOwnFacts = (body: unknown): zod.output<typeof own> | undefined => own.safeParse(body).data;

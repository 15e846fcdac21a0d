/** The callback by which a step that waits goes on. */
import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../api/decode';
import { encodeDelivery } from '../api/encode';
import { isTransientStatus } from '../api/errors';
import { fieldsOf } from '../api/object';
import { type Message, message } from '../api/resources';
import { pauseBefore, timeLeft } from '../http/deadline';

/** The query of a callback's address, in case it's called before Zapier has stored the step's result. */
const callbackQuery = zod.object({
  /** The id of the message. */
  sent: zod.string(),
  /** When it was sent, in milliseconds since 1970; `NaN` when nobody knows. */
  sent_at: zod.catch(zod.string(), 'NaN'),
  /** Whether an earlier step sent it: `true` or `false`. */
  already_sent: zod.string(),
  /** Random, so that a step finds its own webhook by its address, and nobody else's. */
  wait: zod.string(),
});
export type CallbackQuery = zod.output<typeof callbackQuery>;

/** Returns a callback address with the query. */
export const addQuery = (address: string, query: CallbackQuery): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

/** Returns the query of a callback's address; undefined for another address. */
export const queryIn = (address: string | null | undefined): CallbackQuery | undefined =>
  callbackQuery.safeParse(Object.fromEntries(new URLSearchParams((address ?? '').replace(/^[^?]*\?/, '')))).data;

/** Returns the query of a callback; undefined when Zapier didn't pass it on. */
export const readQuery = ({ cleanedRequest, rawRequest }: Bundle): CallbackQuery | undefined =>
  callbackQuery.safeParse(fieldsOf(cleanedRequest).querystring).data ?? queryIn(`?${rawRequest?.querystring}`);

/** Posts JSON, and returns the status of the response. Not by z.request, which adds the token. */
const post = async (url: string, body: string, timeoutMs: number): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  return response.status;
};

/** The time that a step keeps to delete its webhook, in milliseconds. */
const cleanUpMs = 2_000;

/** The time that Zapier has to respond even when a slow service has left none, in milliseconds. */
const leastMs = 1_000;

/**
 * Ends the wait of this step with a reply, as the service does by its webhook. Zapier gets only ids. Repeats the callback
 * while Zapier is down and the step has time. Ignores a refusal, since an earlier callback may have ended the wait. Returns
 * false when Zapier was down all the time.
 */
export const resumeWith = async (z: ZObject, url: string, { id }: Message): Promise<boolean> => {
  const event = encodeDelivery({ id, type: 'message.received', data: { id } });
  // Zapier isn't known to pass on the query.
  const body = JSON.stringify({ ...fieldsOf(event), querystring: queryIn(url) });
  for (let retry = 0; ; retry += 1) {
    const status = await post(url, body, Math.max(leastMs, timeLeft(z) - cleanUpMs)).catch(() => undefined);
    const isDown = status === undefined || status === 429 || isTransientStatus(status);
    if (!isDown) return true;
    if (!(await pauseBefore(z, retry, cleanUpMs))) return false;
  }
};

/** Returns the id of the message that a callback names; undefined when it names none. */
export const readCallback = (body: unknown): string | undefined => {
  const event = decodeDelivery(body)?.find(({ type }) => type === 'message.received');
  return event && decode(message.schema, event.data).data?.id;
};

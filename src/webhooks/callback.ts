/** The callback by which a step that waits goes on. */
import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../api/decode';
import { encodeDelivery } from '../api/encode';
import { isTransientStatus } from '../api/errors';
import { fieldsOf } from '../api/object';
import { type Message, message } from '../api/resources';
import { pauseBefore, timeLeft } from '../http/deadline';

/** What the address of a callback tells in its query, in case it's called before Zapier has kept the step's result. */
const facts = zod.object({
  /** The id of the message. */
  sent: zod.string(),
  /** When it was sent, in milliseconds since 1970; `NaN` when nobody knows. */
  sent_at: zod.catch(zod.string(), 'NaN'),
  /** Whether an earlier step sent it: `true` or `false`. */
  already_sent: zod.string(),
  /** Random, so that a step finds its own webhook by its address, and nobody else's. */
  wait: zod.string(),
});
export type Facts = zod.output<typeof facts>;

/** Returns a callback address that tells the facts. */
export const addFacts = (address: string, told: Facts): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return url.href;
};

/** Returns the facts in an address; undefined when it tells none. */
export const factsIn = (address: string | null | undefined): Facts | undefined =>
  facts.safeParse(Object.fromEntries(new URLSearchParams((address ?? '').replace(/^[^?]*\?/, '')))).data;

/** Returns the facts that a callback tells; undefined when Zapier didn't pass on the query of its address. */
export const readFacts = ({ cleanedRequest, rawRequest }: Bundle): Facts | undefined =>
  facts.safeParse(fieldsOf(cleanedRequest).querystring).data ?? factsIn(`?${rawRequest?.querystring}`);

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
  const body = JSON.stringify({ ...fieldsOf(event), querystring: factsIn(url) });
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

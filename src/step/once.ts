/** What keeps an action from acting twice: Send Once for Each, and the same call of an agent. */
import type { Bundle, ZObject } from 'zapier-platform-core';
import { takesKey } from '../api/adapter';
import type { Endpoint } from '../api/endpoints';
import { readText } from '../text/fold';
import { halt, quote } from './errors';
import { isMapped, peopleWords, refuseLostValue, refuseUnfilled } from './lost-value';
import { digest, memory } from './memory';

const deduplicationField = {
  key: 'deduplication_key',
  label: 'Send Once for Each',
  helpText:
    'Map the order number, or another unique value. This person gets this template only once per value in 24 hours, on this channel.',
  group: 'repeats',
} as const;

/** Returns the field Send Once for Each, unless the service would do a call again for the same value. */
export const deduplicationFields = (endpoint: Endpoint, helpText: string = deduplicationField.helpText) =>
  takesKey(endpoint) ? [{ ...deduplicationField, helpText }] : [];

/** Returns a value without what another app may write in another way: invisible characters, and kinds and numbers of spaces. */
const comparable = (value: string): string =>
  value
    .replace(/\p{Cf}|\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

const refuseConstant = ({ meta, inputDataRaw }: Bundle): void => {
  const form = readText(inputDataRaw?.[deduplicationField.key]);
  if (!meta?.isLoadingSample || form === undefined || isMapped(form)) return;
  throw halt(
    `${deduplicationField.label}: ${quote(form)} is the same in every run, so each person would get only the first one in 24 hours. Map the order number or another value that differs, or clear the field.`,
  );
};

/**
 * Returns what makes the idempotency key for the value in Send Once for Each, of the details that make it a different message,
 * such as its template and recipient. The key is undefined when the field is empty or not in the form. Throws an error when
 * the value is lost or isn't filled in, since the message would then be sent again, or every later one would count as a
 * repeat.
 */
export const readIdempotencyKey = (
  endpoint: Endpoint,
  bundle: Bundle,
): ((...message: string[]) => string | undefined) => {
  if (!takesKey(endpoint)) return () => undefined;
  const value = readText(bundle.inputData[deduplicationField.key]);
  refuseUnfilled(deduplicationField.label, value, peopleWords);
  refuseLostValue(deduplicationField, bundle);
  refuseConstant(bundle);
  return (...message) => value && digest(comparable(value), ...message);
};

/** How long the same call of an agent is a repeat, in milliseconds. */
const repeatMs = 10 * 60_000;

/**
 * Returns the key of a call without a form and without a key of the person's: that of the first call with the same content in
 * the last ten minutes, since an agent's client repeats a call that it takes for lost. When the cache doesn't know the first
 * one, calls of the same ten minutes of the clock share a key. Undefined for any other call.
 */
export const readRepeatKey = async (
  z: ZObject,
  endpoint: Endpoint,
  bundle: Bundle,
  ...content: unknown[]
): Promise<string | undefined> => {
  if (bundle.inputDataRaw || !takesKey(endpoint) || readText(bundle.inputData[deduplicationField.key]))
    return undefined;
  const { known, remember } = await memory(z, bundle, 'call', content);
  const isRecent = typeof known === 'number' && Date.now() - known < repeatMs;
  const first = isRecent ? known : Date.now();
  if (!isRecent) await remember(first, repeatMs / 1000);
  return digest(Math.floor(first / repeatMs), content);
};

/** The service keeps a key for 24 hours, and Zapier may replay a failed run during the first half of a day. Texts say 12 hours. */
const safeMs = 12 * 60 * 60_000;

/** How far the clock of the service may be ahead. A later time says nothing. */
const aheadMs = 60 * 60_000;

/** Whether the service still keeps a key that was used at `sentAt`, in milliseconds since 1970, for as long as Zapier may replay. */
export const isKeyKept = (sentAt: number): boolean => {
  const age = Date.now() - sentAt;
  return age > -aheadMs && age < safeMs;
};

/**
 * Whether Zapier can replay a step without making its call twice, because the person gave it a key that the service still
 * keeps. `sentAt` is in milliseconds since 1970.
 */
export const isSafeToReplay = (endpoint: Endpoint, { inputData }: Bundle, sentAt: number): boolean =>
  takesKey(endpoint) && readText(inputData[deduplicationField.key]) !== undefined && isKeyKept(sentAt);

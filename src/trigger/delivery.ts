/** What a webhook delivers: its signature, and the event in it. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { readEvent, signatureInUse } from '../api/adapter';
import { connectionValues } from '../api/connection';
import { decodeDelivery } from '../api/decode';
import type { Delivery } from '../api/events';
import { mapStrings, parseJson } from '../api/json';
import type { RawDelivery } from '../api/transport';
import { cleanToken, credentialScrubber } from '../call/connection';
import { halt } from '../step/errors';

const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

const readKey = (secret: string, encoding: BufferEncoding): Buffer =>
  Buffer.from(encoding === 'base64' ? secret.replace(/^whsec_/, '') : secret, encoding);

/** The bytes of the shortest key that nobody can guess. Standard Webhooks takes 24 or more. */
const minKeyBytes = 16;

/** Whether a signing secret holds a key that nobody can guess. */
export const hasSigningKey = (secret: string | null | undefined, { key } = signatureInUse()): boolean =>
  readKey(secret ?? '', key).length >= minKeyBytes;

/**
 * Whether one of the delivery's signatures was made with the secret. Accepts any age, because Zapier holds and replays
 * deliveries.
 */
export const isGenuine = (delivery: RawDelivery, secret: string, scheme = signatureInUse()): boolean => {
  const signed = scheme.verify(delivery);
  if (!signed || !hasSigningKey(secret, scheme)) return false;
  const expected = createHmac('sha256', readKey(secret, scheme.key)).update(signed.text).digest();
  return signed.signatures.some((each) => sameBytes(Buffer.from(each, scheme.encoding), expected));
};

/** The result of `subscribe`, which Zapier keeps. */
const subscription = zod.object({ id: zod.string(), secret: zod.string() });
export type Subscription = zod.output<typeof subscription>;

/** A delivery as Zapier passes it on: with header names such as `Http-Webhook-Id`, and the unchanged content. */
const received = zod.object({
  content: zod.string(),
  headers: zod.optional(zod.looseObject({})),
});

const readHeaders = (headers: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase().replace(/^http-/, ''),
      typeof value === 'string' ? value : '',
    ]),
  );

/** Reads a delivery as Zapier passes it on; undefined when it isn't one. */
const readRawRequest = (rawRequest: unknown): RawDelivery | undefined => {
  const { content, headers } = received.safeParse(rawRequest).data ?? {};
  return content === undefined ? undefined : { content, headers: readHeaders(headers) };
};

/** Returns the error for a payload in another format. */
export const unrecognizedPayload = (): Error =>
  halt(
    "The messaging service sent something that this Zap can't read, so the Zap didn't run. If this keeps happening, contact the messaging service's support.",
  );

/** Whether the trigger runs for a delivery. */
export const hasPayload = ({ rawRequest, cleanedRequest }: Bundle): boolean => Boolean(rawRequest || cleanedRequest);

/**
 * Returns the event of a delivery, without the token, and its subscription. Throws an error unless it was signed for this
 * subscription, and for anything but one event with its record.
 */
export const readDelivery = ({
  authData,
  subscribeData,
  rawRequest,
}: Bundle): { subscription: Subscription; event: Delivery } => {
  const subscribed = subscription.safeParse(subscribeData).data;
  if (!subscribed) {
    throw halt('This Zap is no longer connected to the messaging service. Turn it off and on again.');
  }
  const raw = readRawRequest(rawRequest);
  if (!raw || !isGenuine(raw, subscribed.secret)) {
    throw halt(
      "This Zap received something that may not come from the messaging service, so the Zap didn't run. If real messages are missing, turn the Zap off and on again.",
    );
  }
  const connection = connectionValues((key) => String(authData?.[key] ?? '').trim());
  const scrub = credentialScrubber(cleanToken(authData?.api_token), connection);
  const event = decodeDelivery(mapStrings(readEvent({ ...raw, body: parseJson(raw.content) }), scrub));
  if (!event) throw unrecognizedPayload();
  return { subscription: subscribed, event };
};

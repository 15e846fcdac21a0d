/** What a webhook delivers: its signature, and the events in it. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { readEvents } from '../api/adapter';
import { connectionValues } from '../api/connection';
import { decodeDelivery } from '../api/decode';
import type { Delivery } from '../api/events';
import { signatureInUse } from '../api/service';
import type { RawDelivery, Signature } from '../api/transport';
import { cleanToken, credentialScrubber } from '../call/connection';
import { mapStrings, parseJson } from '../call/json';
import { halt } from '../step/errors';

const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

const readKey = (secret: string, encoding: BufferEncoding): Buffer =>
  Buffer.from(encoding === 'base64' ? secret.replace(/^whsec_/, '') : secret, encoding);

/** The bytes of the shortest key that nobody can guess. Standard Webhooks takes 24 or more. */
const minKeyBytes = 16;

/** Whether a signing secret holds a key that nobody can guess. */
export const hasSigningKey = (secret: string | null | undefined, scheme = signatureInUse()): boolean =>
  scheme !== null && ('isGenuine' in scheme || readKey(secret ?? '', scheme.key).length >= minKeyBytes);

/** The query parameter of a webhook's address that holds our own secret. */
const secretParameter = 'secret';

/** Returns a webhook address with a new secret in its query, for a service that doesn't sign. */
export const addSecret = (address: string): { url: string; secret: string } => {
  const [url, secret] = [new URL(address), randomBytes(32).toString('hex')];
  url.searchParams.set(secretParameter, secret);
  return { url: url.href, secret };
};

const hasSecret = ({ url }: RawDelivery, secret: string): boolean => {
  const given = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get(secretParameter);
  return secret !== '' && given !== null && sameBytes(Buffer.from(given), Buffer.from(secret));
};

/** Accepts any age, because Zapier holds and replays deliveries. */
const isSigned = (delivery: RawDelivery, secret: string, scheme: Signature): boolean => {
  if ('isGenuine' in scheme) return scheme.isGenuine(delivery, secret);
  const { key: keyEncoding, encoding, verify } = scheme;
  const key = readKey(secret, keyEncoding);
  const signed = verify(delivery);
  if (!signed || key.length < minKeyBytes) return false;
  const expected = createHmac('sha256', key).update(signed.text).digest();
  return signed.signatures.some((each) => sameBytes(Buffer.from(each, encoding), expected));
};

/**
 * Whether one of the delivery's signatures was made with the secret. For a service that doesn't sign, whether the
 * delivery's address has the secret.
 */
export const isGenuine = (delivery: RawDelivery, secret: string, scheme = signatureInUse()): boolean =>
  scheme ? isSigned(delivery, secret, scheme) : hasSecret(delivery, secret);

/** The result of `subscribe`, which Zapier keeps. */
const subscription = zod.object({
  id: zod.string(),
  secret: zod.string(),
  /** The address of the webhook, if deliveries sign it. */
  url: zod.optional(zod.string()),
  confirmed_sources: zod.catch(zod.array(zod.string()), []),
});
export type Subscription = zod.output<typeof subscription>;

/** A delivery as Zapier passes it on: with header names such as `Http-Webhook-Id`, and the unchanged content. */
const received = zod.object({
  content: zod.string(),
  headers: zod.optional(zod.looseObject({})),
  querystring: zod.optional(zod.unknown()),
});

const readHeaders = (headers: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase().replace(/^http-/, ''),
      typeof value === 'string' ? value : '',
    ]),
  );

/** Reads a delivery to an address as Zapier passes it on; undefined when it isn't one. */
export const readRawRequest = (rawRequest: unknown, address = ''): RawDelivery | undefined => {
  const { content, headers, querystring } = received.safeParse(rawRequest).data ?? {};
  if (content === undefined) return undefined;
  const query = typeof querystring === 'string' && querystring ? `?${querystring}` : '';
  return { content, headers: readHeaders(headers), url: address.replace(/\?.*/s, '') + query };
};

/** Returns the error for a payload in another format. */
export const unrecognizedPayload = (): Error =>
  halt(
    "The messaging service sent something that this Zap can't read, so the Zap didn't run. If this keeps happening, contact the messaging service's support.",
  );

/** Whether the trigger runs for a delivery. */
export const hasPayload = ({ rawRequest, cleanedRequest }: Bundle): boolean => Boolean(rawRequest || cleanedRequest);

/**
 * Returns the events of a delivery, without the token, and its subscription. Throws an error unless it was signed for this
 * subscription.
 */
export const readDelivery = ({
  authData,
  subscribeData,
  rawRequest,
}: Bundle): { subscription: Subscription; delivered: Delivery[] } => {
  const subscribed = subscription.safeParse(subscribeData).data;
  if (!subscribed) {
    throw halt('This Zap is no longer connected to the messaging service. Turn it off and on again.');
  }
  const raw = readRawRequest(rawRequest, subscribed.url);
  if (!raw || !isGenuine(raw, subscribed.secret)) {
    throw halt(
      "This Zap received something that may not come from the messaging service, so the Zap didn't run. If real messages are missing, turn the Zap off and on again.",
    );
  }
  const connection = connectionValues((key) => String(authData?.[key] ?? '').trim());
  const scrub = credentialScrubber(cleanToken(authData?.api_token), connection);
  const delivered = decodeDelivery(mapStrings(readEvents({ ...raw, body: parseJson(raw.content) }), scrub));
  if (!delivered) throw unrecognizedPayload();
  return { subscription: subscribed, delivered };
};

import type { Bundle } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { readEvents } from '../api/adapter';
import { connectionValues } from '../api/connection';
import { decodeDelivery } from '../api/decode';
import type { Delivery } from '../api/events';
import type { RawDelivery } from '../api/transport';
import { cleanToken } from '../http/connection';
import { parseJson } from '../http/json';
import { credentialScrubber, mapStrings } from '../http/scrub';
import { halt } from '../platform/errors';
import { isGenuine } from './signature';

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

/** Returns the headers by their original names in lower case. */
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
  const connection = connectionValues((key) => String(authData?.[key] ?? ''));
  const scrub = credentialScrubber(cleanToken(authData?.api_token), connection);
  const delivered = decodeDelivery(mapStrings(readEvents({ ...raw, body: parseJson(raw.content) }), scrub));
  if (!delivered) throw unrecognizedPayload();
  return { subscription: subscribed, delivered };
};

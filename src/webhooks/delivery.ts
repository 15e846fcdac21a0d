import type { Bundle } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decodeDelivery } from '../api/decode';
import type { Delivery } from '../api/events';
import { cleanToken } from '../http/connection';
import { parseJson } from '../http/json';
import { mapStrings, tokenScrubber } from '../http/scrub';
import { halt } from '../platform/errors';
import { isGenuine } from './signature';

/** The result of `subscribe`, which Zapier keeps. */
const subscription = zod.object({
  id: zod.string(),
  secret: zod.string(),
  confirmed_sources: zod.catch(zod.array(zod.string()), []),
});
export type Subscription = zod.output<typeof subscription>;

const rawDelivery = zod.object({
  content: zod.string(),
  headers: zod.optional(zod.looseObject({})),
  querystring: zod.optional(zod.unknown()),
});

/** Returns the error for a payload in another format. */
export const unrecognizedPayload = (): Error =>
  halt("The messaging service sent an unrecognized webhook payload, so the Zap didn't start.");

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
    throw halt("This Zap isn't subscribed to the messaging service. Turn the Zap off and on again.");
  }
  const received = rawDelivery.safeParse(rawRequest).data;
  if (!received || !isGenuine(received, subscribed.secret)) {
    throw halt(
      "The messaging service didn't sign this webhook payload, so the Zap didn't start. If real messages are missing, turn the Zap off and on again.",
    );
  }
  const scrub = tokenScrubber(cleanToken(authData?.api_token));
  const delivered = decodeDelivery(mapStrings(parseJson(received.content), scrub));
  if (!delivered) throw unrecognizedPayload();
  return { subscription: subscribed, delivered };
};

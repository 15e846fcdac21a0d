/** When Zapier must renew a subscription. A webhook that expires unnoticed leaves its Zap on, but nothing starts it. */
import { parseDateAndTime } from '../formats/date-and-time';
import { readDateTime } from '../formats/local-time';
import { fail } from '../platform/errors';

/** Returns when a webhook expires; undefined unless that is one certain moment. */
export const readExpiry = (expiresAt: string): Date | undefined => {
  const text = expiresAt.trim();
  // A time without an offset is another moment in each zone.
  return parseDateAndTime(text)?.offset ? readDateTime(text, 'UTC') : undefined;
};

/** Returns when a webhook expires, in ISO 8601 with Z. Throws unless that is one certain moment in the future. */
export const readRenewal = (expiresAt: string): string => {
  const moment = readExpiry(expiresAt);
  if (moment && moment.getTime() > Date.now()) return moment.toISOString();
  throw fail(
    "The messaging service didn't say how long this Zap stays connected, so the Zap can't be turned on. Contact the messaging service's support.",
    'unclear_expiry',
  );
};

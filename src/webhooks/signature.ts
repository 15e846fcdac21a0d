import { createHmac, timingSafeEqual } from 'node:crypto';
import { deliveryHeaders } from '../api/events';

/** A delivery as Zapier hands it over: header names arrive as `Http-Webhook-Id`, the body as it was sent. */
export interface RawDelivery {
  content: string;
  headers: Record<string, unknown>;
}

/** The headers by the names that the service gave them, in lower case. */
const readHeaders = (headers: Record<string, unknown>): Map<string, string> =>
  new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase().replace(/^http-/, ''),
      typeof value === 'string' ? value : '',
    ]),
  );

const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

const readKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Whether a signing secret holds a key. Without one, no delivery could ever be verified. */
export const hasSigningKey = (secret: string | null | undefined): boolean => readKey(secret ?? '').length > 0;

/**
 * Whether the delivery was signed with the secret (`whsec_` and base64): HMAC-SHA256 over `id.timestamp.body`, one or
 * several `v1,` signatures (https://www.standardwebhooks.com). Its age doesn't matter: Zapier holds and replays deliveries.
 */
export const isGenuine = ({ content, headers }: RawDelivery, secret: string): boolean => {
  const given = readHeaders(headers);
  const id = given.get(deliveryHeaders.id);
  const timestamp = given.get(deliveryHeaders.timestamp) ?? '';
  const signatures = given.get(deliveryHeaders.signature);
  const key = readKey(secret);
  if (key.length === 0 || !id || !/^\d{1,15}$/.test(timestamp) || !signatures) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest();
  return signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .some((signature) => sameBytes(Buffer.from(signature.slice('v1,'.length), 'base64'), expected));
};

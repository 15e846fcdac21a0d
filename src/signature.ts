import { createHmac, timingSafeEqual } from 'node:crypto';
import { deliveryHeaders } from './api/events';

/** A delivery as Zapier hands it over: header names arrive as `Http-Webhook-Id`, the body as it was sent. */
export interface RawDelivery {
  content: string;
  headers: Record<string, string>;
}

const readHeader = (headers: Record<string, string>, name: string): string | undefined => {
  const found = Object.keys(headers).find((key) => key.toLowerCase().replace(/^http-/, '') === name);
  return found && headers[found];
};

const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

/**
 * Whether the delivery was signed with the secret (`whsec_` and base64): HMAC-SHA256 over `id.timestamp.body`, one or
 * several `v1,` signatures (https://www.standardwebhooks.com). Its age is no matter: Zapier holds and replays deliveries.
 */
export const isGenuine = ({ content, headers }: RawDelivery, secret: string): boolean => {
  const id = readHeader(headers, deliveryHeaders.id);
  const timestamp = readHeader(headers, deliveryHeaders.timestamp);
  const signatures = readHeader(headers, deliveryHeaders.signature);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (!id || !timestamp || !signatures || key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest();
  return signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .some((signature) => sameBytes(Buffer.from(signature.slice('v1,'.length), 'base64'), expected));
};

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deliveryHeaders, signing } from '../api/events';

/** A delivery as Zapier passes it on: with header names such as `Http-Webhook-Id`, and the unchanged body. */
interface RawDelivery {
  content: string;
  headers?: Record<string, unknown> | undefined;
  querystring?: unknown;
}

/** Returns the headers by their original names in lower case. */
const readHeaders = (headers: Record<string, unknown> = {}): Map<string, string> =>
  new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase().replace(/^http-/, ''),
      typeof value === 'string' ? value : '',
    ]),
  );

const sameBytes = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

const readKey = (secret: string, encoding: BufferEncoding): Buffer =>
  Buffer.from(encoding === 'base64' ? secret.replace(/^whsec_/, '') : secret, encoding);

/** The bytes of the shortest key that nobody can guess. Standard Webhooks takes 24 or more. */
const minKeyBytes = 16;

/** Whether a signing secret holds a key that nobody can guess. */
export const hasSigningKey = (secret: string | null | undefined, scheme = signing): boolean =>
  scheme !== null && readKey(secret ?? '', scheme.key).length >= minKeyBytes;

/** The query parameter of a webhook's address that holds our own secret. */
const secretParameter = 'secret';

/** Returns a webhook address with a new secret in its query, for a service that doesn't sign. */
export const addSecret = (address: string): { url: string; secret: string } => {
  const [url, secret] = [new URL(address), randomBytes(32).toString('hex')];
  url.searchParams.set(secretParameter, secret);
  return { url: url.href, secret };
};

const hasSecret = ({ querystring }: RawDelivery, secret: string): boolean => {
  const given = new URLSearchParams(typeof querystring === 'string' ? querystring : '').get(secretParameter);
  return secret !== '' && given !== null && sameBytes(Buffer.from(given), Buffer.from(secret));
};

/** Accepts any age, because Zapier holds and replays deliveries. */
const isSigned = (
  { content, headers }: RawDelivery,
  secret: string,
  { parts, encoding, prefix, key: keyEncoding }: NonNullable<typeof signing>,
): boolean => {
  const given = readHeaders(headers);
  const signed = parts.map((part) => (part === 'body' ? content : given.get(deliveryHeaders[part])));
  const key = readKey(secret, keyEncoding);
  if (key.length < minKeyBytes) return false;
  // A dot would make it unclear where the parts begin.
  if (parts.includes('timestamp') && !/^\d{1,15}$/.test(given.get(deliveryHeaders.timestamp) ?? '')) return false;
  const expected = createHmac('sha256', key).update(signed.join('.')).digest();
  const signatures = given.get(deliveryHeaders.signature)?.split(' ') ?? [];
  return signatures
    .filter((signature) => signature.startsWith(prefix))
    .some((signature) => sameBytes(Buffer.from(signature.slice(prefix.length), encoding), expected));
};

/**
 * Whether one of the delivery's signatures was made with the secret. For a service that doesn't sign, whether the
 * delivery's address has the secret.
 */
export const isGenuine = (delivery: RawDelivery, secret: string, scheme = signing): boolean =>
  scheme ? isSigned(delivery, secret, scheme) : hasSecret(delivery, secret);

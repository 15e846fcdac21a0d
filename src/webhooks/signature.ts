import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { signatureInUse } from '../api/service';
import type { RawDelivery, Signature } from '../api/transport';

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

import { createHmac } from 'node:crypto';
import { deliveryHeaders, signing } from '../../src/api/events';

/** A delivery to sign. `timestamp` is in seconds since 1970. */
interface SignedDelivery {
  id: string;
  timestamp: string;
  body: string;
}

/** Returns the headers that sign a delivery with each of the secrets, or none when the contract has no signatures. */
export const signatureHeaders = (
  delivery: SignedDelivery,
  secrets: readonly string[],
  scheme = signing,
): Record<string, string> => {
  if (!scheme) return {};
  const { parts, encoding, prefix, key } = scheme;
  const content = parts.map((part) => delivery[part]).join('.');
  const sign = (secret: string): string => {
    const bytes = Buffer.from(key === 'base64' ? secret.replace('whsec_', '') : secret, key);
    return prefix + createHmac('sha256', bytes).update(content).digest(encoding);
  };
  const signed = parts.flatMap((part) => (part === 'body' ? [] : [[deliveryHeaders[part], delivery[part]]]));
  return { ...Object.fromEntries(signed), [deliveryHeaders.signature]: secrets.map(sign).join(' ') };
};

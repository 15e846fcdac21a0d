import { createHmac } from 'node:crypto';
import { signature } from '../../src/api/service';

/** A delivery to sign. `timestamp` is in seconds since 1970. */
interface SignedDelivery {
  id: string;
  timestamp: string;
  body: string;
  url?: string;
}

/** Returns the headers that sign a delivery with each of the secrets, or none when the contract has no signatures. */
export const signatureHeaders = (
  { body, url = '', ...delivery }: SignedDelivery,
  secrets: readonly string[],
  scheme = signature,
): Record<string, string> => {
  if (!scheme) return {};
  const { key, encoding, sign } = scheme;
  const bytesOf = (secret: string) => Buffer.from(key === 'base64' ? secret.replace('whsec_', '') : secret, key);
  return sign({ ...delivery, content: body, url }, (text) =>
    secrets.map((secret) => createHmac('sha256', bytesOf(secret)).update(text).digest(encoding)),
  );
};

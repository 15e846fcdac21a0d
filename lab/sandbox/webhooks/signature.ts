import { createHmac } from 'node:crypto';
import { deliveryHeaders } from '../../../src/api/presets';

/** A delivery to sign. `timestamp` is in seconds since 1970. */
interface SignedDelivery {
  id: string;
  timestamp: string;
  body: string;
}

/** Returns the headers that sign a delivery with each of the secrets, as in https://www.standardwebhooks.com. */
export const signatureHeaders = (
  { id, timestamp, body }: SignedDelivery,
  secrets: readonly string[],
): Record<string, string> => {
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    [deliveryHeaders.id]: id,
    [deliveryHeaders.timestamp]: timestamp,
    [deliveryHeaders.signature]: secrets.map(sign).join(' '),
  };
};

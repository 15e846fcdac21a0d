import { isLoopback } from '../../../src/api/addresses';
import type { OnExchange } from '../engine/exchange';
import { signatureHeaders } from './signature';

/** A delivery to send: the address of its webhook, the event as JSON, and the secrets that sign it. */
interface OutgoingDelivery {
  event_id: string;
  body: string;
  url: string;
  secret: string;
  old_secret: string | null;
}

/** The status of the receiver's response, or the error when there was none. */
export interface DeliveryResult {
  status: number | null;
  error: string | null;
  /** Whether a retry can't succeed. */
  isPermanent?: boolean;
}

const requestOf = ({ event_id, body, url, secret, old_secret }: OutgoingDelivery) => {
  // The receiver compares this with its own clock, so it is real time.
  const timestamp = String(Math.floor(Date.now() / 1000));
  const secrets = old_secret === null ? [secret] : [secret, old_secret];
  const signed = signatureHeaders({ id: event_id, timestamp, body }, secrets);
  const headers = { 'user-agent': 'messaging-service-sandbox', 'content-type': 'application/json', ...signed };
  return { url, headers, content: body };
};

export interface SenderOptions {
  /** How long a receiver may take to respond. Real time, because the receiver doesn't know the sandbox's clock. */
  timeoutMs: number;
  /** Aborted when the sandbox stops. */
  shutdown: AbortSignal;
  onExchange: OnExchange;
}

const post = async (delivery: OutgoingDelivery, { timeoutMs, shutdown }: SenderOptions): Promise<number> => {
  const { url, headers, content } = requestOf(delivery);
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: content,
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), shutdown]),
  });
  await response.arrayBuffer();
  return response.status;
};

const errorText = ({ name, message, cause }: Error, timeoutMs: number): string => {
  if (name === 'TimeoutError') return `No response within ${timeoutMs / 1000} seconds.`;
  return cause instanceof Error ? cause.message : message;
};

/** Sends a delivery once, if its address is on this machine. Never rejects. */
export const send = async (delivery: OutgoingDelivery, options: SenderOptions): Promise<DeliveryResult> => {
  const { hostname, origin, pathname } = new URL(delivery.url);
  if (!isLoopback(hostname)) {
    return { status: null, error: 'The sandbox delivers to this machine only.', isPermanent: true };
  }
  const startedAt = performance.now();
  const result = await post(delivery, options).then(
    (status) => ({ status, error: null }),
    (error: Error) => ({ status: null, error: errorText(error, options.timeoutMs) }),
  );
  const ms = Math.round(performance.now() - startedAt);
  options.onExchange({ kind: 'webhook', method: 'POST', target: origin + pathname, status: result.status, ms });
  return result;
};

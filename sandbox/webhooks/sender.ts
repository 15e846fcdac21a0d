import http from 'node:http';
import https from 'node:https';
import type { OnExchange } from '../exchange';
import { isLoopback } from '../loopback';
import { signatureHeaders } from './signature';

/** A delivery to send: the address of its webhook, the payload, and the secrets that sign it. */
export interface OutgoingDelivery {
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

const headersOf = ({ event_id, body, secret, old_secret }: OutgoingDelivery): Record<string, string | number> => {
  // The receiver compares this with its own clock, so it is real time.
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'messaging-service-sandbox',
    ...signatureHeaders({ id: event_id, timestamp, body }, old_secret === null ? [secret] : [secret, old_secret]),
  };
};

/** Sends deliveries to addresses on this machine over connections that it keeps open. */
export class DeliverySender {
  /** How long a receiver may take to respond. Real time, because the receiver doesn't know the sandbox's clock. */
  readonly timeoutMs: number;
  readonly #onExchange: OnExchange;
  readonly #httpAgent = new http.Agent({ keepAlive: true });
  readonly #httpsAgent = new https.Agent({ keepAlive: true });

  constructor(timeoutMs: number, onExchange: OnExchange) {
    this.timeoutMs = timeoutMs;
    this.#onExchange = onExchange;
  }

  /** Sends the delivery once. Never rejects. */
  async send(delivery: OutgoingDelivery): Promise<DeliveryResult> {
    const url = new URL(delivery.url);
    if (!isLoopback(url.hostname)) {
      return { status: null, error: 'The sandbox delivers to this machine only.', isPermanent: true };
    }
    const startedAt = performance.now();
    const result = await this.#post(url, delivery).then(
      (status) => ({ status, error: null }),
      ({ message }: Error) => ({ status: null, error: message }),
    );
    const ms = Math.round(performance.now() - startedAt);
    this.#onExchange({ kind: 'webhook', method: 'POST', target: url.origin + url.pathname, status: result.status, ms });
    return result;
  }

  #post(url: URL, delivery: OutgoingDelivery): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: headersOf(delivery) };
      const request =
        url.protocol === 'https:'
          ? https.request(url, { ...options, agent: this.#httpsAgent })
          : http.request(url, { ...options, agent: this.#httpAgent });
      const timer = setTimeout(() => {
        reject(new Error(`No response within ${this.timeoutMs / 1000} seconds.`));
        request.destroy();
      }, this.timeoutMs);
      request.on('close', () => clearTimeout(timer));
      request.on('error', reject);
      request.on('response', (response) => {
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? null));
        response.resume();
      });
      request.end(delivery.body);
    });
  }

  /** Closes all connections, also those that wait for a response. */
  stop(): void {
    this.#httpAgent.destroy();
    this.#httpsAgent.destroy();
  }
}

import http from 'node:http';
import https from 'node:https';
import { Webhook as Signer } from 'standardwebhooks';
import { deliveryHeaders } from '../src/api/events';
import { isLoopback } from './loopback';

/** One delivery on its way: where to, what, and the secrets that sign it. */
export interface Parcel {
  event_id: string;
  body: string;
  url: string;
  secret: string;
  old_secret: string | null;
}

/** What came of a try: the receiver's status, or why there was none. */
export interface Outcome {
  status: number | null;
  error: string | null;
  /** Whether another try can be no better. */
  final?: boolean;
}

const headersOf = ({ event_id, body, secret, old_secret }: Parcel): Record<string, string | number> => {
  // The receiver compares this with its own clock, so it is real time.
  const at = new Date();
  const signatures = [secret, old_secret]
    .filter((key) => key !== null)
    .map((key) => new Signer(key).sign(event_id, at, body));
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'messaging-service-sandbox',
    [deliveryHeaders.id]: event_id,
    [deliveryHeaders.timestamp]: Math.floor(at.getTime() / 1000),
    [deliveryHeaders.signature]: signatures.join(' '),
  };
};

/** Brings deliveries to their address on this machine, over connections that are kept. */
export class Courier {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #secure = new https.Agent({ keepAlive: true });

  /** Posts the delivery and calls `done` with what came of it. Gives a function that ends the wait for an answer. */
  post(parcel: Parcel, done: (outcome: Outcome) => void): () => void {
    const url = new URL(parcel.url);
    if (!isLoopback(url.hostname)) {
      done({ status: null, error: 'The sandbox delivers to this machine only.', final: true });
      return () => {};
    }
    const options = { method: 'POST', headers: headersOf(parcel) };
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: this.#secure })
        : http.request(url, { ...options, agent: this.#plain });
    const fail = ({ message }: Error) => done({ status: null, error: message });
    request.on('error', fail);
    request.on('response', (response) => {
      response.on('error', fail);
      response.on('end', () => done({ status: response.statusCode ?? null, error: null }));
      response.resume();
    });
    request.end(parcel.body);
    return () => request.destroy(new Error('No answer within 10 seconds.'));
  }

  stop(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

import type { ConnectionValues } from './connection';
import type { Method } from './endpoints';

/** A request. */
export interface Call {
  method: Method;
  /**
   * The path with its prefix, as the endpoint declares it. Each `{…}` takes the value of that name: the `id` or `name` of
   * a record, a field of the connection, or a field of the query or body as they were before `request`. In `receive`, the
   * path has its values.
   */
  path: string;
  /** The `id` of the record that the call is about, if it's about one. In `receive`, the path has it. */
  parameters: Readonly<Record<string, string>>;
  /** The values of `connectionFields`. In `receive`, these are their examples. */
  connection: ConnectionValues;
  query: Readonly<Record<string, unknown>>;
  /** The query as names and values, where a name may come several times. `request` adds these to `query`. */
  pairs?: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A response. The body is parsed JSON, the text of any other, or undefined when it's empty. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A delivery of events to the address of a webhook. */
export interface RawDelivery {
  headers: Readonly<Record<string, string>>;
  content: string;
  url: string;
}

/** A delivery with its content as parsed JSON, which is undefined for any other. */
export type ParsedDelivery = RawDelivery & { body: unknown };

/**
 * Returns a request of the contract, which has no empty values, as the service takes it. A body that is text is sent as it
 * is, with the `content-type` of the headers.
 */
export const request = (call: Call): Call => call;

/** Returns a request that the service takes as the contract has it. `query` has the last value of a name. */
export const receive = (call: Call): Call => call;

/**
 * Returns a response of the service as the contract has it. `call` is the request before `request`. The response is
 * without the token.
 */
export const response = (answer: Answer, _call: Call): Answer => answer;

/** Returns a response of the contract as the service sends it. */
export const respond = (answer: Answer, _call: Call): Answer => answer;

/** Returns the event of a delivery, or a list of events. */
export const delivery = ({ body }: ParsedDelivery): unknown => body;

/** Returns an event as the service delivers it to an address. */
export const deliver = (event: unknown, url: string): RawDelivery => ({
  headers: { 'content-type': 'application/json' },
  content: JSON.stringify(event),
  url,
});

/** The headers of a delivery, as in https://www.standardwebhooks.com. */
export const deliveryHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** What a delivery signs, and the signatures that it has. */
interface Signed {
  text: string;
  signatures: readonly string[];
}

/** How a delivery proves that it comes from the service: by an HMAC-SHA256 with the secret of the webhook. */
export interface Signature {
  /** The encoding of the key in the secret: base64 after an optional `whsec_`, or plain text. */
  key: 'base64' | 'utf8';
  encoding: 'base64' | 'hex';
  /** Whether `verify` uses the address of the delivery, which Zapier then keeps. */
  usesUrl?: boolean;
  /** Returns what was signed; undefined without a signature. */
  verify: (delivery: RawDelivery) => Signed | undefined;
  /** Returns the headers of a delivery. `hmac` signs a text once with each secret. `timestamp` is in seconds. */
  sign: (
    delivery: { id: string; timestamp: string; content: string; url: string },
    hmac: (text: string) => readonly string[],
  ) => Record<string, string>;
}

/** Signatures as in https://www.standardwebhooks.com. */
export const standardWebhooks: Signature = {
  key: 'base64',
  encoding: 'base64',
  verify: ({ headers, content }) => {
    const { id, timestamp, signature: name } = deliveryHeaders;
    // A dot would make it unclear where the parts begin.
    if (!/^\d{1,15}$/.test(headers[timestamp] ?? '')) return undefined;
    const signatures = (headers[name] ?? '').split(' ').flatMap((each) => /^v1,(.*)$/.exec(each)?.slice(1) ?? []);
    return { text: `${headers[id] ?? ''}.${headers[timestamp]}.${content}`, signatures };
  },
  sign: ({ id, timestamp, content }, hmac) => ({
    [deliveryHeaders.id]: id,
    [deliveryHeaders.timestamp]: timestamp,
    [deliveryHeaders.signature]: hmac(`${id}.${timestamp}.${content}`)
      .map((each) => `v1,${each}`)
      .join(' '),
  }),
};

/** How each delivery is signed; null for a service that doesn't sign. */
export const signature: Signature | null = standardWebhooks;

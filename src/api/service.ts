/**
 * How the service differs from the contract in what travels. Everything here is only between the app and the service: the
 * sandbox, the documents and the tests speak the contract.
 */
import type { ConnectionValues } from './connection';
import type { EndpointName, Method } from './endpoints';
import { bearer } from './presets';
import type { Template } from './resources';
import { isSandboxed } from './sandboxed';

/** A request. */
export interface Call {
  /** The name of the call; undefined for a request that a person wrote. */
  name: EndpointName | undefined;
  method: Method;
  /**
   * The path with its prefix. Each `{…}` takes the value of that name: the `id` of a record, a field of the connection, or a
   * field of the query or body as they were before `request`.
   */
  path: string;
  /** The `id` of the record that the call is about, if it's about one. */
  parameters: Readonly<Record<string, string>>;
  /** The values of `connectionFields`. */
  connection: ConnectionValues;
  query: Readonly<Record<string, unknown>>;
  /** The query as names and values, where a name may come several times. `request` adds these to `query`. */
  pairs?: readonly (readonly [name: string, value: string])[];
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON. One that `request` returns as text is sent as it is, with the `content-type` of the headers. */
  body: unknown;
  /** The versions of the template that a message is sent by, when the caller has read them. */
  template?: readonly Template[] | undefined;
}

/** A response. The body is parsed JSON, the text of any other, or undefined when it's empty. It's without the token. */
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

/** What proves to the service whose a request is. */
export type Authorize = (
  token: string,
  connection: ConnectionValues,
) => { headers?: Readonly<Record<string, string>>; query?: Readonly<Record<string, string>> };

/** How one call differs. */
export interface CallHook {
  method?: Method;
  /** The path with its prefix. */
  path?: string;
  /** Returns what differs in a request of the contract, which has no empty values. */
  request?: (call: Call) => Partial<Call>;
  /** Returns the body of the contract for the body of a success. `call` is the request of the contract. */
  response?: (body: unknown, call: Call) => unknown;
}

export type Hooks = { readonly [N in EndpointName]?: CallHook };

/** The start of every path. */
export const prefix: string = '/v1';

/** Every request, and every download of a file from the service, has this. */
export const authorize: Authorize = bearer;

/** The calls that differ, by name. */
export const hooks: Hooks = {};

/** Returns any request as the service takes it, after the hook of its call. */
export const request = (call: Call): Call => call;

/** Returns any response as the contract has it, such as a refusal, before the hook of its call. */
export const response = (answer: Answer, _call: Call): Answer => answer;

/** Returns the event of a delivery, or a list of events. */
export const delivery = ({ body }: ParsedDelivery): unknown => body;

/** The headers of a delivery, as in https://www.standardwebhooks.com. */
export const deliveryHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** How a delivery proves that it comes from the service: by an HMAC-SHA256 with the secret of the webhook. */
interface Hmac {
  /** The encoding of the key in the secret: base64 after an optional `whsec_`, or plain text. */
  key: 'base64' | 'utf8';
  encoding: 'base64' | 'hex';
  /** Returns what was signed, and the signatures that the delivery has; undefined without a signature. */
  verify: (delivery: RawDelivery) => { text: string; signatures: readonly string[] } | undefined;
}

/** Another proof, such as a signature by a public key of the service. */
interface OtherProof {
  isGenuine: (delivery: RawDelivery, secret: string) => boolean;
}

/** `usesUrl`: whether the proof needs the address of the webhook, which Zapier then keeps. */
export type Signature = (Hmac | OtherProof) & { usesUrl?: boolean };

/** Signatures as in https://www.standardwebhooks.com. */
export const standardWebhooks: Signature & Hmac = {
  key: 'base64',
  encoding: 'base64',
  verify: ({ headers, content }) => {
    const { id, timestamp, signature: name } = deliveryHeaders;
    // A dot would make it unclear where the parts begin.
    if (!/^\d{1,15}$/.test(headers[timestamp] ?? '')) return undefined;
    const signatures = (headers[name] ?? '').split(' ').flatMap((each) => /^v1,(.*)$/.exec(each)?.slice(1) ?? []);
    return { text: `${headers[id] ?? ''}.${headers[timestamp]}.${content}`, signatures };
  },
};

/** How each delivery is signed; null for a service that doesn't sign. */
export const signature: Signature | null = standardWebhooks;

/** Returns how a delivery to this process is signed. */
export const signatureInUse = (): Signature | null => (isSandboxed() ? standardWebhooks : signature);

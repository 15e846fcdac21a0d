/** What travels between the app and the service, and what may differ there. */
import type { ConnectionValues } from './connection';
import type { Template } from './resources';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** The calls of the contract, which `endpoints.ts` describes. */
export type EndpointName =
  | 'sendMessage'
  | 'listMessages'
  | 'getMessage'
  | 'getWorkspace'
  | 'listChannels'
  | 'listTemplates'
  | 'listContacts'
  | 'createContact'
  | 'getContact'
  | 'updateContact'
  | 'deleteContact'
  | 'listConversations'
  | 'getConversation'
  | 'listConversationMessages'
  | 'listCampaigns'
  | 'getCampaign'
  | 'triggerCampaign'
  | 'createWebhook'
  | 'listWebhooks'
  | 'deleteWebhook';

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
  parameters: Readonly<Record<string, unknown>>;
  /** The values of `connectionFields`. */
  connection: ConnectionValues;
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON. One that `request` returns as text is sent as it is, with the `content-type` of the headers. */
  body: unknown;
  /** The versions of the template that a message is sent by, when the caller has read them. */
  template?: readonly Template[] | undefined;
}

/** A response. The body is parsed JSON, the text of any other, or undefined when it's empty. It's without the token. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A delivery of an event to the address of a webhook. */
export interface RawDelivery {
  headers: Readonly<Record<string, string>>;
  content: string;
}

/** A delivery with its content as parsed JSON, which is undefined for any other. */
export type ParsedDelivery = RawDelivery & { body: unknown };

/**
 * What proves to the service whose a request is. It must take any text as a token: to know which values to remove from
 * results and logs, the app also asks with a token that nobody has.
 */
export type Authorize = (
  token: string,
  connection: ConnectionValues,
) => { headers?: Readonly<Record<string, string>>; query?: Readonly<Record<string, string>> };

/** Reads from the service, by a path with its prefix. Returns the body of a success. Any refusal ends the call. */
export type ReadFirst = (path: string, query?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** How one call differs. */
export interface CallHook {
  method?: Method;
  /** The path with its prefix. */
  path?: string;
  /**
   * Returns what differs in a request of the contract, which has no empty values. It may first read a record, such as the
   * tags of a contact to which an update adds one.
   */
  request?: (call: Call, read: ReadFirst) => Partial<Call> | Promise<Partial<Call>>;
  /** Returns the body of the contract for the body of a success. `call` is the request of the contract. */
  response?: (body: unknown, call: Call) => unknown;
}

export type Hooks = { readonly [N in EndpointName]?: CallHook };

/** How a delivery proves that it comes from the service: by an HMAC-SHA256 with the secret of the webhook. */
export interface Signature {
  /** The encoding of the key in the secret: base64 after an optional `whsec_`, or plain text. */
  key: 'base64' | 'utf8';
  encoding: 'base64' | 'hex';
  /** Returns what was signed, and the signatures that the delivery has; undefined without a signature. */
  verify: (delivery: RawDelivery) => { text: string; signatures: readonly string[] } | undefined;
}

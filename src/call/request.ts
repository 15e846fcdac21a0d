/** The request of a call: its path, query and body, and the host and token of the account. */

import type { BeforeRequestMiddleware, HttpRequestOptions } from 'zapier-platform-core';
import { authorizationOf, toService } from '../api/adapter';
import type { ConnectionValues } from '../api/connection';
import { encode } from '../api/encode';
import type { AnyInput, Endpoint } from '../api/endpoints';
import { asRecord, isEmpty } from '../api/json';
import { fieldLabel, recordLabel, requestLabels, toLabel } from '../api/labels';
import type { Call, ReadFirst } from '../api/transport';
import { fail, halt, quote } from '../step/errors';
import { parseConnection, parseValues } from './connection';

/** Fills in the parameters of a path. Throws when a value can't identify a record. */
export const serializePath = (path: string, values: Record<string, unknown>): string =>
  path.replace(/\{(\w{1,40})\}/g, (_, parameter: string) => {
    const value = String(values[parameter] ?? '')
      .toWellFormed()
      .trim();
    // A dot segment leads to another path, even when it's encoded.
    if (/^\.{0,2}$/.test(value)) {
      throw halt(`${recordLabel(path) ?? toLabel(parameter)}: ${quote(value)} isn't an ID or name. Choose or map one.`);
    }
    return encodeURIComponent(value);
  });

/**
 * Returns a body as JSON. A string stays as it is. Escapes `{{`, because `z.request` removes or rejects double braces.
 */
export const serializeBody = (body: unknown): string => {
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  return json.replaceAll('{{', '\\u007b\\u007b');
};

/** Returns a query string that starts with `?`, without empty values. Lists become comma-separated (docs/api.md). */
export const serializeQuery = (query: object): string => {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (!isEmpty(value)) encoded.append(name, String(value));
  return encoded.size > 0 ? `?${encoded}` : '';
};

/** The maximum size of a response in bytes, after decompression. */
const maxResponseBytes = 20 * 1024 * 1024;

/** The maximum length of a path and its query. Many web servers close the connection on longer ones. */
const maxTargetLength = 8_000;

/** Returns what the form calls the longest part of a path and its query. */
const labelOfLongest = (endpoint: Endpoint, { labels }: AnyInput, { path, parameters, query }: Call): string => {
  const inPath = Object.entries(parameters).filter(([name]) => path.includes(`{${name}}`));
  const values = [...inPath, ...Object.entries(query)];
  // A name may be long as well, and most letters take several characters in a URL.
  const lengths = values.map(([name, value]) => ({ name, length: serializeQuery({ [name]: value }).length }));
  const { name } = lengths.reduce((longest, each) => (each.length > longest.length ? each : longest));
  const known = requestLabels(endpoint, labels);
  return fieldLabel(name, recordLabel(endpoint.path), known) ?? 'A field of this step';
};

const buildTarget = (endpoint: Endpoint, input: AnyInput, sent: Call): string => {
  const target = serializePath(sent.path, sent.parameters) + serializeQuery(sent.query);
  if (target.length <= maxTargetLength) return target;
  throw halt(`${labelOfLongest(endpoint, input, sent)} is too long. Shorten it and try again.`);
};

const buildRequest = (endpoint: Endpoint, input: AnyInput, sent: Call) =>
  ({
    method: sent.method,
    url: buildTarget(endpoint, input, sent),
    headers: { ...(sent.body !== undefined && { 'content-type': 'application/json' }), ...sent.headers },
    ...(sent.body !== undefined && { body: serializeBody(sent.body) }),
    // Following a redirect would send the token to another host.
    redirect: 'manual',
    // Core logs every response that it reads itself, including secrets and messages of customers.
    raw: true,
    size: maxResponseBytes,
  }) satisfies HttpRequestOptions;

/** A call with its input and its request, and what that was before it took the form of the service. */
export interface PreparedCall<E extends Endpoint = Endpoint> {
  endpoint: E;
  input: AnyInput;
  call: Call;
  request: ReturnType<typeof buildRequest>;
}

/**
 * Prepares the request of a call of an account. Its URL starts with the path, and `addConnection` adds the host. The key
 * may be another one than the person's in `input`. `read` is for a hook that reads before it writes.
 */
export const prepare = async <E extends Endpoint>(
  endpoint: E,
  input: AnyInput,
  connection: ConnectionValues,
  read: ReadFirst,
  idempotencyKey?: string,
): Promise<PreparedCall<E>> => {
  const call = encode(endpoint, { ...input, idempotencyKey }, connection);
  const sent = await toService(call, read);
  const parameters = { ...asRecord(call.body), ...call.query, ...connection, ...sent.parameters };
  return { endpoint, input, request: buildRequest(endpoint, input, { ...sent, parameters }), call };
};

/** Whether an address is below the API Base URL, so that it may get the token. Others can share its host. */
export const isBelow = (baseUrl: string, { href }: URL): boolean => href.startsWith(`${baseUrl}/`);

/** Returns the full URL of a request. Throws when it isn't a path or a URL below the API Base URL. */
export const resolveUrl = (baseUrl: string, target: string): string => {
  const url = URL.parse(/^\/(?!\/)/.test(target) ? baseUrl + target : target);
  // `URL` has already resolved dots and backslashes.
  if (url && isBelow(baseUrl, url)) return url.href;
  throw fail(
    "This request isn't for the API Base URL of the account, so it wasn't sent. Enter only the part after that address.",
    'foreign_address',
  );
};

/**
 * Adds the host and the token of the connection to a request. Encodes the query that core has parsed, because core would
 * remove `{{…}}` from it.
 */
export const addConnection: BeforeRequestMiddleware = (request, _z, bundle) => {
  const { baseUrl, token } = parseConnection(bundle.authData);
  const { headers, query } = authorizationOf(token, parseValues(bundle.authData));
  // Core removes the token from its log as the bundle spells it, so the request must spell it the same way.
  bundle.authData.api_token = token;
  return {
    ...request,
    url: resolveUrl(baseUrl, request.url) + serializeQuery({ ...request.params, ...query }),
    params: {},
    headers: { ...request.headers, ...headers },
  };
};

import type { BeforeRequestMiddleware, HttpRequestOptions } from 'zapier-platform-core';
import { encode } from '../api/encode';
import { type AnyInput, type Endpoint, headers } from '../api/endpoints';
import { fail, halt } from '../platform/errors';
import { parseConnection } from './connection';
import { encodeBody, encodePath, encodeQuery } from './encode';

/** The largest response that is read, in bytes after decompression. */
const maxResponseBytes = 20 * 1024 * 1024;

/** The longest path and query. Web servers close the connection on longer ones, often without a response. */
const maxTargetLength = 8_000;

const buildTarget = ({ path, parameters, query }: ReturnType<typeof encode>): string => {
  const target = encodePath(path, parameters) + encodeQuery(query);
  if (target.length > maxTargetLength) throw halt('A field of this step is too long. Shorten it and try again.');
  return target;
};

/** Builds the request of a call. Its address begins at the path; `addConnection` adds the rest. */
export const buildRequest = (endpoint: Endpoint, input: AnyInput) => {
  const encoded = encode(endpoint, input);
  const hasBody = encoded.body !== undefined;
  return {
    method: encoded.method,
    url: buildTarget(encoded),
    headers: {
      Accept: 'application/json',
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...(input.idempotencyKey && { [headers.idempotencyKey]: input.idempotencyKey }),
    },
    ...(hasBody && { body: encodeBody(encoded.body) }),
    // A followed redirect would send the token along to any host.
    redirect: 'manual',
    // Core logs every response that it reads itself, with secrets and customers' messages in it.
    raw: true,
    size: maxResponseBytes,
  } satisfies HttpRequestOptions;
};

/** The address of a request. Throws unless it is a path from one `/` on, or an address below the connection's own. */
const resolveUrl = (baseUrl: string, target: string): string => {
  const url = URL.parse(/^\/(?!\/)/.test(target) ? baseUrl + target : target);
  // `URL` has resolved dots and backslashes by now.
  if (url?.href.startsWith(`${baseUrl}/`)) return url.href;
  throw fail("This request isn't for the API Base URL of the account, so it wasn't sent.", 'foreign_address');
};

/**
 * Sends a request to the connection's own host, with its token. Core has parsed the query by now; it is encoded again
 * here because core would remove `{{…}}` from it.
 */
export const addConnection: BeforeRequestMiddleware = (request, _z, bundle) => {
  const { baseUrl, token } = parseConnection(bundle.authData);
  // Core hides the token from its log as the bundle spells it, so that has to be the spelling that is sent.
  bundle.authData.api_token = token;
  return {
    ...request,
    url: resolveUrl(baseUrl, request.url) + encodeQuery(request.params),
    params: {},
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
  };
};

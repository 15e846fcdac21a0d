import type * as zod from 'zod/mini';
import { exampleConnection } from '../../src/api/connection';
import { decode } from '../../src/api/decode';
import { encode } from '../../src/api/encode';
import type { AnyInput, Endpoint } from '../../src/api/endpoints';
import { parseRefusal } from '../../src/api/refusal';
import { serializeBody, serializePath, serializeQuery } from '../../src/call/request';

/** The address of a service, and a token. */
export interface Account {
  url: string;
  token: string;
}

/** A request that the service refused. The message is a sentence for a person. */
export class ServiceError extends Error {}

const timeoutMs = 30_000;

const parseJson = (text: string): unknown => (text ? JSON.parse(text) : undefined);

const refusal = async (response: Response): Promise<ServiceError> => {
  const { problems, message } = parseRefusal(response.status, await response.json().catch(() => undefined));
  const told = problems.map((problem) => [problem.field, problem.message].filter(Boolean).join(': '));
  return new ServiceError(told.join('; ') || message || `The service responded with status ${response.status}.`);
};

/** Makes a control call of the sandbox, such as `messages`, which lets a customer write. Throws a `ServiceError` when it refuses. */
export const control = async (
  url: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<unknown> => {
  const response = await fetch(`${url}/sandbox/${path}`, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw await refusal(response);
  return parseJson(await response.text());
};

/** Calls an endpoint and returns its response by the contract. Throws a `ServiceError` when the service refuses. */
export const callApi = async <S extends zod.ZodMiniType>(
  { url, token }: Account,
  endpoint: Endpoint & { response: S },
  input: AnyInput = {},
  headers: Record<string, string> = {},
): Promise<zod.output<S>> => {
  const { method, path, parameters, query, body } = encode(endpoint, input, exampleConnection);
  const response = await fetch(url + serializePath(path, parameters) + serializeQuery(query), {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: serializeBody(body) }),
  });
  if (!response.ok) throw await refusal(response);
  const decoded = decode<S>(endpoint.response, parseJson(await response.text()));
  if (decoded.success) return decoded.data;
  throw new ServiceError(`The service returned an unexpected response to ${method} ${endpoint.path}.`);
};

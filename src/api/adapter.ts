/** The way between the contract and the service. */
import { type ConnectionValues, connectByContract } from './connection';
import { type Endpoint, endpoints, pathPrefix } from './endpoints';
import type { ErrorCode } from './errors';
import { exists } from './missing';
import { contract, echo, isEmptyUpdate } from './presets';
import * as service from './service';
import type { Authorize, Call, CallHook, HttpResponse, ParsedDelivery, ReadFirst, Signature } from './transport';

let seam: typeof contract = service;

/** Makes this process speak the contract, as the sandbox does. Only the commands that start the sandbox call it. */
export const speakContract = (): void => {
  seam = contract;
  connectByContract();
};

const hookOf = ({ name }: Pick<Call, 'name'>): CallHook => (name && seam.hooks[name]) ?? {};

/** Returns how the body of a success is read. */
const readerOf = (call: Call, body: unknown): CallHook['response'] =>
  hookOf(call).response ?? (isEmptyUpdate(body, call) ? echo() : undefined);

/** Returns the start of every path. */
export const prefixInUse = (): string => seam.prefix;

/** Returns how a delivery to this process is signed. */
export const signatureInUse = (): Signature => seam.signature;

/** Returns a request as it's sent. `read` is for a hook that needs a record before it can write. */
export const toService = async (call: Call, read: ReadFirst): Promise<Call> => {
  const hook = hookOf(call);
  // A hook reads by a path of the service.
  if (!call.name) return seam.request(call);
  const { method = call.method, path = seam.prefix + call.path.slice(pathPrefix.length) } = hook;
  const own = { ...call, method, path };
  return seam.request({ ...own, ...(await hook.request?.(own, read)) });
};

/** Returns a response as the contract has it; undefined when a hook throws. `call` is the request of the contract. */
export const fromService = (given: HttpResponse, call: Call): HttpResponse | undefined => {
  try {
    const { status, headers, body } = seam.response(given, call);
    const read = status >= 200 && status < 300 ? readerOf(call, body) : undefined;
    return { status, headers, body: read ? read(body, call) : body };
  } catch {
    return undefined;
  }
};

/** Returns the event of a delivery, as `delivery` reads it; undefined when it has none. */
export const readEvent = (given: ParsedDelivery): unknown => {
  try {
    return seam.delivery(given);
  } catch {
    return undefined;
  }
};

/** Returns what proves to the service whose a request is. */
export const authorizationOf = (token: string, connection: ConnectionValues): ReturnType<Authorize> =>
  seam.authorize(token, connection);

/** Returns the token, and each text that `authorize` makes of it, such as the base64 of a password. */
export const secretsOf = (token: string, connection: ConnectionValues): string[] => {
  const textsOf = (given: string) => {
    const { headers = {}, query = {} } = authorizationOf(given, connection);
    return [...Object.values(headers), ...Object.values(query)].map((text) => text.split(' ').at(-1) ?? '');
  };
  // What stays the same with another token isn't secret, such as a version.
  const others = textsOf(`${token}x`);
  return [...new Set([token, ...textsOf(token).filter((text) => !others.includes(text))])];
};

/** Whether a call takes an idempotency key by the contract. */
export const specifiesKey = ({ method, keepsKeys = method === 'POST' }: Endpoint): boolean => keepsKeys;

/** Whether the service does a call only once for each idempotency key, so that it may be repeated. */
export const takesKey = (endpoint: Endpoint): boolean => specifiesKey(endpoint) && service.keepsIdempotencyKeys;

/** Whether a call can have an error code of the contract. On any other call, the code is unknown. */
export const canHave = (endpoint: Endpoint, code: ErrorCode): boolean => {
  if (code.startsWith('idempotency_')) return takesKey(endpoint);
  // A write without an id in its path is about no record.
  if (code === 'not_found') return endpoint.method === 'GET' || endpoint.path.includes('{');
  const isOfSome = Object.values<Endpoint>(endpoints).some(({ errors }) => errors?.includes(code));
  return !isOfSome || Boolean(endpoint.errors?.includes(code));
};

const connectionTestNames = ['getWorkspace', 'listMessages', 'listContacts', 'listTemplates'] as const;

/** The calls that test a connection, the best one first. Each reads without an id. */
export const connectionTests: readonly Endpoint[] = connectionTestNames.filter(exists).map((name) => endpoints[name]);

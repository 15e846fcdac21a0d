/** The way between the contract and the service. The sandbox speaks the contract, so nothing changes on the way to it. */
import type { ConnectionValues } from './connection';
import { pathPrefix } from './endpoints';
import { isSandboxed } from './sandboxed';
import * as service from './service';
import type { Answer, Authorize, Call, CallHook, ParsedDelivery } from './transport';

const hookOf = ({ name }: Pick<Call, 'name'>): CallHook => (name && service.hooks[name]) ?? {};

/** Returns the start of every path. */
export const prefixInUse = (): string => (isSandboxed() ? pathPrefix : service.prefix);

/** Returns the method and the path of a call of the contract, as the service has them. */
export const targetOf = (call: Pick<Call, 'name' | 'method' | 'path'>): Pick<Call, 'method' | 'path'> => {
  const { method = call.method, path = prefixInUse() + call.path.slice(pathPrefix.length) } = isSandboxed()
    ? {}
    : hookOf(call);
  return { method, path };
};

/** Returns a request as it's sent. One that a person wrote only gets the prefix. */
export const toService = (call: Call, isRaw = false): Call => {
  const own = { ...call, ...targetOf(call) };
  if (isSandboxed() || isRaw) return own;
  return service.request({ ...own, ...hookOf(call).request?.(own) });
};

/** Returns a response as the contract has it; undefined when a hook throws. `call` is the request of the contract. */
export const fromService = (answer: Answer, call: Call): Answer | undefined => {
  if (isSandboxed()) return answer;
  try {
    const { status, headers, body } = service.response(answer, call);
    const { response } = hookOf(call);
    return { status, headers, body: response && status >= 200 && status < 300 ? response(body, call) : body };
  } catch {
    return undefined;
  }
};

/** Returns the events of a delivery, as `delivery` reads them; undefined when it has none. */
export const readEvents = (given: ParsedDelivery): unknown => {
  if (isSandboxed()) return given.body;
  try {
    return service.delivery(given);
  } catch {
    return undefined;
  }
};

/** Returns what proves to the service whose a request is. */
export const authorizationOf = (token: string, connection: ConnectionValues): ReturnType<Authorize> =>
  isSandboxed() ? { headers: { authorization: `Bearer ${token}` } } : service.authorize(token, connection);

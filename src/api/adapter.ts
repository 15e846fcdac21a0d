/** The way between the contract and the service. The sandbox speaks the contract, so nothing changes on the way to it. */
import type { ConnectionValues } from './connection';
import { pathPrefix } from './endpoints';
import { echo, isEmptyUpdate } from './presets';
import * as service from './service';
import type { Answer, Authorize, Call, CallHook, ParsedDelivery } from './transport';
import { isSandboxed } from './wire';

const hookOf = ({ name }: Pick<Call, 'name'>): CallHook => (name && service.hooks[name]) ?? {};

/** Returns how the body of a success is read. */
const readerOf = (call: Call, body: unknown): CallHook['response'] =>
  hookOf(call).response ?? (isEmptyUpdate(body, call) ? echo() : undefined);

/** Returns the start of every path. */
export const prefixInUse = (): string => (isSandboxed() ? pathPrefix : service.prefix);

/** Returns the method and the path of a call of the contract, as the service has them. */
const targetOf = (call: Pick<Call, 'name' | 'method' | 'path'>): Pick<Call, 'method' | 'path'> => {
  const { method = call.method, path = prefixInUse() + call.path.slice(pathPrefix.length) } = isSandboxed()
    ? {}
    : hookOf(call);
  return { method, path };
};

/** Returns a request as it's sent. */
export const toService = (call: Call): Call => {
  const own = { ...call, ...targetOf(call) };
  if (isSandboxed()) return own;
  return service.request({ ...own, ...hookOf(call).request?.(own) });
};

/** Returns a response as the contract has it; undefined when a hook throws. `call` is the request of the contract. */
export const fromService = (answer: Answer, call: Call): Answer | undefined => {
  if (isSandboxed()) return answer;
  try {
    const { status, headers, body } = service.response(answer, call);
    const read = status >= 200 && status < 300 ? readerOf(call, body) : undefined;
    return { status, headers, body: read ? read(body, call) : body };
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

/** Reads responses of any shape, and says what to do about one that isn't as the contract says. */
import * as z from 'zod/mini';
import { type Endpoint, nameOf } from '../../src/api/endpoints';
import { codeOf, type ErrorCode, errorCodes, explainRefusal, isErrorCode, type Refusal } from '../../src/api/errors';
import { capitalize } from '../../src/api/labels';
import { parseRefusal } from '../../src/api/refusal';
import { Differs, inHook, leaveOut, NotChecked } from './check';
import type { ServiceResponse } from './service-client';

/** Returns which plan a refusal asks for. */
export const planIn = ({ requiredPlan }: Refusal): string =>
  requiredPlan ? `the ${capitalize(requiredPlan)} plan` : 'another plan';

/** Throws `NotChecked` when the token or the plan doesn't allow the request. */
export const requirePermission = ({ status, body, endpoint, hasScope }: ServiceResponse): void => {
  const refusal = parseRefusal(status, body);
  const { code, message, requiredScope = endpoint.scope } = refusal;
  if (code === 'insufficient_scope') throw new NotChecked(`the token doesn't have the scope ${requiredScope}`);
  if (code === 'plan_required') throw new NotChecked(`the workspace needs ${planIn(refusal)}`);
  if ((status === 402 || status === 403) && !hasScope) {
    throw new NotChecked(`the token or the plan doesn't allow it (${status}${message ? `: ${message}` : ''})`);
  }
};

/** Returns what to do about a call that the service refuses, or doesn't have. */
const todoFor = ({ endpoint, status, sent }: ServiceResponse): string => {
  const name = nameOf(endpoint);
  if (!name) return 'Correct `prefix`.';
  if (status === 404 || status === 405) return `Correct ${inHook(name, 'path')}, or ${leaveOut('calls', name)}.`;
  const [filter] = Object.keys(sent.query).filter((key) => key !== 'limit' && key !== 'after');
  const events =
    name === 'createWebhook'
      ? " Leave out the events that it doesn't know, such as `events: ['conversation.reopened']`."
      : '';
  const rest = filter ? `, or ${leaveOut('filters', `${name}.${filter}`)}` : '';
  return `Send what the service takes in ${inHook(name, 'request')}${rest}.${events}`;
};

/** Throws unless the request succeeded: `NotChecked` when the token or the plan doesn't allow it, else `Differs`. */
export const requireSuccess = (response: ServiceResponse): void => {
  const { status, body, endpoint } = response;
  if (status >= 200 && status < 300) return;
  requirePermission(response);
  const { message, problems } = parseRefusal(status, body);
  const named = problems.flatMap(({ field }) => (field ? [`\`${field}\``] : [])).slice(0, 5);
  const refused = named.length > 0 ? ` and refuses ${named.join(', ')}` : '';
  throw new Differs(
    `responds ${status} instead of ${endpoint.status}${refused}${message ? `: ${message}` : ''}`,
    todoFor(response),
  );
};

/** Whether a search takes the response for a record that isn't there. Text may come from another server. */
const saysGone = ({ status, body }: ServiceResponse): boolean =>
  (status === 404 || status === 410) && (typeof body !== 'string' || body.trim() === '');

/** Whether a Zap does the same about the refusal as about one in the format of the contract with this code. */
const hasSameEffect = (response: ServiceResponse, code: ErrorCode): boolean => {
  const { status, body } = response;
  const refusal = parseRefusal(status, body);
  if (isErrorCode(refusal.code) && refusal.code !== code && refusal.code !== codeOf(status)) return false;
  if (code === 'not_found') return saysGone(response);
  if (code === 'contact_exists') return refusal.code === code || status === errorCodes.contact_exists.status;
  return explainRefusal(refusal).reaction === errorCodes[code].reaction;
};

/** Throws unless a Zap does about the refusal what it does about one with this code. Returns what was seen. */
export const requireRefusal = (response: ServiceResponse, code: ErrorCode): string => {
  if (code !== 'invalid_token') requirePermission(response);
  const { status } = response;
  if (status >= 400 && hasSameEffect(response, code)) return `${status}`;
  const isText = status === errorCodes[code].status && typeof response.body === 'string';
  throw new Differs(
    isText
      ? `responds ${status} with text instead of JSON, which may be from another server`
      : `responds ${status} instead of ${errorCodes[code].status} with the code "${code}"`,
    'Give the refusal this status and `{ error: { code } }` in `response`.',
  );
};

const anyRecord = z.record(z.string(), z.unknown());
const anyPage = z.object({ data: z.array(anyRecord), next_cursor: z.nullish(z.union([z.string(), z.number()])) });

/** A record with our names. Its values may be anything. */
export type AnyRecord = z.output<typeof anyRecord>;

/** One page of a list. */
export interface AnyPage {
  records: AnyRecord[];
  cursor: string | undefined;
}

const shapeTodo = (endpoint: Endpoint, preset: string): string => {
  const name = nameOf(endpoint);
  return name
    ? `Use the preset \`${preset}\` in \`hooks.${name}\`, or return our record in ${inHook(name, 'response')}.`
    : '';
};

/** Reads one page of records of any shape. Throws `Differs` when the response isn't a list. */
export const readPage = (response: ServiceResponse): AnyPage => {
  requireSuccess(response);
  const { data } = z.safeParse(anyPage, response.body);
  if (!data) throw new Differs("the response isn't a list in `data`", shapeTodo(response.endpoint, 'list'));
  return { records: data.data, cursor: data.next_cursor?.toString() };
};

/** Reads a record of any shape. Throws `Differs` when the response isn't an object. */
export const readRecord = (response: ServiceResponse): AnyRecord => {
  requireSuccess(response);
  const { data } = z.safeParse(anyRecord, response.body);
  if (!data) throw new Differs("the response isn't a record", shapeTodo(response.endpoint, 'one'));
  return data;
};

/** Returns the id of a record, or the name or key of one that has no id. Throws `NotChecked` without any. */
export const idOf = ({ id, name, key }: AnyRecord): string => {
  const found = id ?? name ?? key;
  if (typeof found === 'string' || typeof found === 'number') return String(found);
  throw new NotChecked('the records have no id');
};

/** Returns the id of the record that a request created. Throws `NotChecked` when it created none. */
export const createdId = ({ status, body }: ServiceResponse): string => {
  const { data } = z.safeParse(anyRecord, body);
  if (status < 300 && data && 'id' in data) return idOf(data);
  throw new NotChecked('nothing was created, or the response has no `id`');
};

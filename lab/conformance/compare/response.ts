import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { readE164 } from '../../../src/api/e164';
import { type Endpoint, endpoints, headers, nameOf } from '../../../src/api/endpoints';
import {
  codeOf,
  type ErrorCode,
  errorCodes,
  errorResponse,
  explainRefusal,
  isErrorCode,
  type Refusal,
} from '../../../src/api/errors';
import { capitalize } from '../../../src/api/labels';
import { withoutMissing } from '../../../src/api/missing';
import { parseRefusal } from '../../../src/api/refusal';
import { Copes, Differs, NotChecked, requireNone } from '../checks/check';
import type { ServiceResponse } from '../service-client';
import { pagingHints } from './paging-hints';
import { placeOf } from './place';
import { refusedEvents } from './refused-events';
import { resourceOf } from './resource';
import { type Comparison, compare } from './shape';

const maxShown = 5;

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

/** Returns why the service refused, with the events or parameters that it names, or the parameters of the request. */
const reasonOf = (response: ServiceResponse): string => {
  const { endpoint, status, body, sent } = response;
  const name = nameOf(endpoint);
  const parameters = [sent.query, sent.body].flatMap(Object.keys);
  const { problems, message } = parseRefusal(status, body);
  const events = refusedEvents(response);
  const named = problems.flatMap(({ field }) => field ?? []).slice(0, maxShown);
  const suspects = named.length > 0 ? named : parameters;
  const fields = status === 400 || status === 422 ? suspects : [];
  const shown = events.length > 0 ? events : fields;
  const refused = shown.length > 0 ? ` and refuses ${shown.map((each) => `\`${each}\``).join(', ')}` : '';
  const known = fields.map((field) => field.split('.')[0] ?? '').filter((field) => parameters.includes(field));
  const place = name ? placeOf(name, known.slice(0, 1)) : '';
  return `${refused}${message ? `: ${message}` : ''}${events.length > 0 ? placeOf('missing', events.length === 1 ? events : []) : place}`;
};

/** Throws unless the request succeeded: `NotChecked` when the token or the plan doesn't allow it, else `Differs`. */
export const requireSuccess = (response: ServiceResponse): void => {
  const { status, endpoint } = response;
  if (status >= 200 && status < 300) return;
  requirePermission(response);
  throw new Differs(`responds ${status} instead of ${endpoint.status}${reasonOf(response)}`);
};

const listNames = (label: string, names: Set<string>): string => {
  const more = names.size > maxShown ? ', …' : '';
  return names.size > 0 ? `; ${label}: ${[...names].slice(0, maxShown).join(', ')}${more}` : '';
};

/** Throws `Differs` when there are differences; else lists absent and unknown fields. */
export const requireNoDifference = ({ differences, tolerated, absent, unknown }: Comparison): string => {
  requireNone([...differences], [...tolerated]);
  return listNames('absent', absent) + listNames('also there', unknown);
};

/** Whether a lookup takes the response for a record that isn't there. Text may come from another server. */
const saysGone = ({ status, body }: ServiceResponse): boolean =>
  (status === 404 || status === 410) && (typeof body !== 'string' || body.trim() === '');

/** Whether a Zap does the same about the refusal as about one in the format of the contract with this code. */
const hasSameEffect = (response: ServiceResponse, code: ErrorCode): boolean => {
  const { status, body } = response;
  const refusal = parseRefusal(status, body);
  if (isErrorCode(refusal.code) && refusal.code !== code && refusal.code !== codeOf(status)) return false;
  if (code === 'not_found') return saysGone(response);
  if (code === 'contact_exists') return refusal.code === code || status === errorCodes.contact_exists.status;
  return explainRefusal(refusal).outcome === errorCodes[code].outcome;
};

/** Returns how a refusal differs from one with this code in the format of the contract. */
const problemsOf = ({ endpoint, status, body }: ServiceResponse, code: ErrorCode): string[] => {
  const wanted = errorCodes[code].status;
  const name = nameOf(endpoint);
  const given = parseRefusal(status, body).code;
  const { differences } = compare(errorResponse, body, 'errorResponse');
  if (status !== wanted) {
    const place = status < 400 && name ? placeOf(name) : placeOf('errorCodes');
    return [`responds ${status} instead of ${wanted}${place}`];
  }
  if (differences.size > 0) return [...differences];
  return given === code ? [] : [`the error code is "${given}" instead of "${code}"${placeOf('errorCodes')}`];
};

/**
 * Throws unless the service refuses with this code, in the error format of the contract: `Copes` when a Zap does the same
 * about what the service sends, else `Differs`. Returns what was seen.
 */
export const requireRefusal = (response: ServiceResponse, code: ErrorCode): string => {
  if (code !== 'invalid_token') requirePermission(response);
  const problems = problemsOf(response, code);
  if (response.status >= 400 && hasSameEffect(response, code)) requireNone([], problems);
  requireNone(problems);
  return `${response.status} ${code}`;
};

/** Like `requireRefusal`, for a refusal that no step depends on. */
export const requireAnyRefusal = (response: ServiceResponse, code: ErrorCode): string => {
  const { status } = response;
  const isFailure = status >= 500 || (status >= 300 && status < 400);
  if (isFailure) return requireRefusal(response, code);
  requireNone([], problemsOf(response, code));
  return `${status} ${code}`;
};

const anyRecord = z.record(z.string(), z.unknown());
const anyPage = z.object({ data: z.array(anyRecord), next_cursor: z.nullish(z.union([z.string(), z.number()])) });

/** A record by our field names. Its values are as the service sent them. */
export type AnyRecord = z.output<typeof anyRecord>;

/** One page of a list. */
export interface AnyPage {
  records: AnyRecord[];
  cursor: string | null;
  /** The lists, counts and headers that came with it. */
  beside: string;
}

const decodeBody = <S extends z.ZodMiniType>(schema: S, { body }: ServiceResponse) => z.safeParse<S>(schema, body).data;

/** Reads one page of records of any shape. Throws `NotChecked` when the response isn't a list. */
export const readPage = (response: ServiceResponse): AnyPage => {
  requireSuccess(response);
  const page = decodeBody(anyPage, response);
  if (!page) throw new NotChecked(`the response isn't a list of the contract${pagingHints(response)}`);
  return { records: page.data, cursor: page.next_cursor?.toString() ?? null, beside: pagingHints(response) };
};

/** Reads a record of any shape. Throws `NotChecked` when the response isn't an object. */
export const readRecord = (response: ServiceResponse): AnyRecord => {
  requireSuccess(response);
  const record = decodeBody(anyRecord, response);
  if (!record) throw new NotChecked("the response isn't a record of the contract");
  return record;
};

/** Returns the id of a record, or the name or key of one that has no id. Throws `NotChecked` without any. */
export const idOf = ({ id, name, key }: AnyRecord): string => {
  const found = id ?? name ?? key;
  if (typeof found === 'string' || typeof found === 'number') return String(found);
  throw new NotChecked('the records have no id');
};

/** Returns the id of the record that a request created. Throws `NotChecked` when it created none. */
export const createdId = (response: ServiceResponse): string => {
  const record = decodeBody(anyRecord, response);
  if (response.status < 300 && record && 'id' in record) return idOf(record);
  throw new NotChecked('nothing was created, or the response has no `id`');
};

/** Whether two values are the same to the app: lists in any order, and phone numbers with any separators. */
const isSame = (one: unknown, other: unknown): boolean => {
  const settle = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.toSorted();
    return typeof value === 'string' ? (readE164(value) ?? value) : value;
  };
  return isDeepStrictEqual(settle(one), settle(other));
};

/** Adds what a record lacks of the values that were sent. The contract may say that it lacks some. */
const compareSent = (sent: object, record: AnyRecord, endpoint: Endpoint, found: Comparison): void => {
  for (const [key, value] of Object.entries(withoutMissing(resourceOf(endpoint), sent))) {
    if (isSame(record[key], value)) continue;
    if (key in record) found.differences.add(`\`${key}\` isn't what was sent`);
    else found.tolerated.add(`\`${key}\` isn't in the response`);
  }
};

/**
 * Throws `Differs` when the response differs from the contract, or in the values that were sent, which are looked at in each
 * shape that the app copes with. Returns what was seen.
 */
export const requireShape = (response: ServiceResponse, values: object = {}): string => {
  requireSuccess(response);
  const { endpoint, status, body } = response;
  if (endpoint.status === 204) return `${status}`;
  const found = compare(endpoint.response, body, resourceOf(endpoint));
  const failure = found.differences.size > 0 ? undefined : response.failure();
  if (failure !== undefined) throw new Differs(`a step can't use the response (${status}): ${failure}`);
  if (found.differences.size === 0) compareSent(values, decodeBody(anyRecord, response) ?? {}, endpoint, found);
  return `${status}${requireNoDifference(found)}`;
};

/** Whether a step says that the service repeats its response, so that a run without the header would say the opposite. */
const reportsReplay = (endpoint: Endpoint): boolean =>
  [endpoints.sendMessage, endpoints.triggerCampaign].some((each) => each === endpoint);

/** Throws unless the service repeats its first response, which created the record with this id. Returns what was seen. */
export const requireReplay = (response: ServiceResponse, id: string): string => {
  if (idOf(readRecord(response)) !== id) throw new Differs('a repeat with the same key creates another record');
  const replayed = response.headers.get(headers.idempotentReplayed);
  if (replayed?.toLowerCase() === 'true') return 'the first response again';
  const problem = `\`${headers.idempotentReplayed}\` is ${replayed === null ? 'missing' : "not 'true'"} on a repeat`;
  throw reportsReplay(response.endpoint) ? new Differs(problem) : new Copes(problem);
};

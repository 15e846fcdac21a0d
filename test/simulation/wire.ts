/** The wire in memory: takes every HTTP request of this process to the world, with faults on the way. */
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import https from 'node:https';
import { Readable, Writable } from 'node:stream';
import { asFields, type Fields, parseFields, textOf } from './fields';
import type { Random } from './random';
import { after, now, second } from './time';

/**
 * What can go wrong with one request. `late` and `…-after` are those where the service has acted all the same; `failed` is
 * a message that it accepts and that has failed already.
 */
export const faultKinds = [
  ...['refused', 'dns', 'tls', 'reset', 'reset-after', 'cut', 'cut-silent', 'hang', 'hang-after', 'late', 'busy'],
  ...['500', '500-after', '502-after', '503', '504', '504-after', '429', '429-date', '401', '403', 'slow', 'html'],
  ...['stale', '200-error', 'failed'],
  ...['301', '302-after', '307', '403-after', '429-after', '503-after'],
] as const;

const beforeAndAfter = (kinds: readonly string[]): string[] => kinds.flatMap((kind) => [kind, `${kind}-after`]);

/** Refusals that judge the request, in the service's own format. */
export const verdicts = ['400-malformed_request', '404-not_found', '409-contact_exists', '422-recipient_opted_out'];

/**
 * What the plan `faults` adds: other connections, a key that another step has in flight, half a body, and responses in
 * place of the service's, each a status and one of `bodies`.
 */
export const rareKinds: readonly string[] = [
  ...['unreachable', 'no-host', 'expired', 'no-tls', 'half', 'in-flight', ...verdicts],
  ...['429-html', '401-object', '403-other', '400-other', '404-object', '404-html', '410-none', '451-html', '308-none'],
  ...['none', 'html', 'object', 'other', 'unknown'].flatMap((body) => [
    ...[`409-${body}`, `422-${body}`],
    ...beforeAndAfter([`503-${body}`]),
  ]),
  ...['503-internal', '503-later'],
  ...beforeAndAfter(['302-none', '304-none', '408-html', '425-html', '500-html', '504-html']),
  ...beforeAndAfter(['502-recipient_opted_out']),
  ...beforeAndAfter(['200-none', '204-none', '200-html', '200-queue', '200-oops', '200-blank']),
];

/** One of the kinds above. */
export type FaultKind = string;

/** Whether what comes back is the service's own response, although late, out of date or about a failure. */
export const isOwnAnswer = (fault: FaultKind): boolean =>
  ['slow', 'late', 'failed'].includes(fault) || isPartial(fault);

/** What a list doesn't tell of the lines that people wrote: by whom, or which way they went. */
const untold: Record<string, Fields> = {
  nameless: { contact: null, from: 'US.13491208655302741918', conversation_id: null },
  sideless: { direction: null },
};

/** Whether a list may lack something without saying so: its newest records, its oldest, all, or a part of each. */
export const isPartial = (fault: FaultKind | undefined): boolean =>
  ['stale', 'short', 'empty', ...Object.keys(untold)].includes(fault ?? '');

/** Returns a list as such a fault leaves it, and as if that was all; any other response as it is. */
const spoil = (response: WireResponse, fault: string): WireResponse => {
  const { data, ...rest } = parseFields(response.body);
  if (!Array.isArray(data)) return response;
  const told = data.map(asFields).map((each) => ({ ...each, ...(each.direction === 'inbound' && untold[fault]) }));
  const left = { short: Math.ceil(data.length / 2), empty: 0 }[fault];
  const body = left === undefined ? { data: told, ...rest } : { data: data.slice(0, left), next_cursor: null };
  return { ...response, body: JSON.stringify(body) };
};

/** What Node says when there's no connection, or it breaks: a code, and what follows unless it is about a refusal. */
const breaks: Record<string, readonly [code: string, reason?: string]> = {
  refused: ['ECONNREFUSED'],
  // A host with several addresses, none of which responds.
  unreachable: ['ETIMEDOUT', ''],
  dns: ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN'],
  'no-host': ['ENOTFOUND', 'getaddrinfo ENOTFOUND api.service.test'],
  tls: ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  expired: ['CERT_HAS_EXPIRED', 'certificate has expired'],
  'no-tls': ['EPROTO', 'write EPROTO 0:error:0A00010B:SSL routines::wrong version number:\n'],
  reset: ['ECONNRESET', 'socket hang up'],
  'reset-after': ['ECONNRESET', 'socket hang up'],
  busy: ['ECONNRESET', 'socket hang up'],
};

export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

export interface WireResponse {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/** A request to the service, as the judge sees it. */
export interface Call extends WireRequest {
  at: number;
  endedAt: number;
  fault: FaultKind | undefined;
  /** What the app can know: that the request did nothing, did what it asked for, or neither. */
  outcome: 'nothing' | 'done' | 'unknown';
  /** The status that the app saw. */
  status: number | undefined;
  retryAfter?: number;
  replayed: boolean;
  /** The ID in a response that the app saw whole. */
  seen: string | undefined;
  /** The record in a response that the app saw whole. */
  answer?: Fields;
  /** The code of the error in a response; `failed` for a record that has failed. */
  code: string | undefined;
  /** The record that it changed, as it was and as it is. */
  before?: Fields;
  after?: Fields;
  /** The IDs of what the service created for it, whenever that was. */
  created: string[];
}

/** Whether a request sends a message, or starts a campaign. */
export const isSend = ({ method, url }: Pick<WireRequest, 'method' | 'url'>): boolean =>
  method !== 'GET' && /\/(messages|trigger)$/.test(url.pathname);

/** The run of one method of the app, in which its requests are made. */
export interface Step {
  method: string;
  isAlive: boolean;
  startedAt: number;
  endedAt: number;
  calls: Call[];
  random: Random;
  /** Chooses what goes wrong with a request to the service. */
  nextFault: (request: WireRequest) => FaultKind | undefined;
}

/** How the service takes a request. */
export interface How {
  /** Hides what is newer, as a copy that lags behind does. */
  staleMs: number;
  /** Keeps the idempotency key in flight. */
  busyMs: number;
  /** Whether what it sends has failed at once. */
  fails: boolean;
}

/** What the wire needs from a world. */
export interface Hosts {
  /** The messaging service at an address, which acts at once. Faults meet only requests to it. */
  serviceAt: (request: WireRequest) => { handle: (call: Call, how: How) => WireResponse } | undefined;
  /** Zapier's own hosts; undefined when there's no such host, `never` when it doesn't respond. */
  other: (request: WireRequest) => WireResponse | 'never' | undefined;
}

const steps = new AsyncLocalStorage<Step>();
let hosts: Hosts | undefined;

/** Connects the wire to a world. */
export const connect = (world: Hosts): void => {
  hosts = world;
};

/** Runs a function as a step: its requests belong to the step. */
export const runAs = <T>(step: Step, run: () => Promise<T>): Promise<T> => steps.run(step, run);

/** How a request ends: with a response, perhaps a part of one, or with the code of a network error. */
interface Ending {
  response?: WireResponse;
  cut?: 'reset' | 'silence';
  broken?: readonly [code: string, reason?: string] | undefined;
}

const json = { 'content-type': 'application/json' };
const page = '<!DOCTYPE html><html><head><title>Gateway</title></head><body>at proxy.js:12:7 {"x":1}</body></html>';

const failedResponse = (
  { fault = '500', headers }: Pick<Call, 'headers'> & { fault?: string | undefined },
  random: Random,
): WireResponse => {
  const [code = ''] = fault.split('-');
  const seconds = random.int(1, 120);
  const wait = fault === '429-date' ? new Date(now() + seconds * second).toUTCString() : String(seconds);
  const error = { '429': 'rate_limited', '401': 'invalid_token', '403': 'insufficient_scope' }[code];
  if (!error && code !== '200' && random.chance(0.5))
    return { status: Number(code), headers: { 'content-type': 'text/html' }, body: page };
  const body = JSON.stringify({
    error: { code: error ?? 'internal', message: `Not with ${headers.authorization}.` },
    request_id: 'req_9',
    // A failure may look like a record.
    ...(code === '200' && random.chance(0.5) && { id: 'rec_9' }),
  });
  const saysWhen = code === '429' || (code === '503' && random.chance(0.3));
  return { status: Number(code), headers: { ...json, ...(saysWhen && { 'retry-after': wait }) }, body };
};

const refusal = (code: string): string =>
  JSON.stringify({ error: { code, message: `Refused: ${code}.` }, request_id: 'req_9' });

/** The bodies of responses in the service's place: vague ones, those of a failure with 200, and the service's own. */
const bodies: Record<string, string> = {
  none: '',
  html: page,
  later: page,
  object: '{}',
  other: '{"message": "Sorry"}',
  unknown: '{"error": {"code": "duplicate", "message": "Sent already"}}',
  queue: '{"error": "queue full"}',
  oops: '{"id": "msg_1", "error": "oops"}',
  blank: '{"id": ""}',
  internal: refusal('internal'),
  ...Object.fromEntries(verdicts.map((kind) => kind.slice(4)).map((code) => [code, refusal(code)])),
};

/** Returns the response of a fault that is a status and a body; undefined for any other. */
const cannedResponse = (fault: string): WireResponse | undefined => {
  const [status, name = ''] = fault.split('-');
  const body = bodies[name];
  if (body === undefined) return undefined;
  const saysWhen = name === 'later' || status === '502';
  const type = body === page ? 'text/html' : 'application/json';
  return { status: Number(status), headers: { 'content-type': type, ...(saysWhen && { 'retry-after': '1' }) }, body };
};

/**
 * Whether a response says that nothing was done: a refusal, a service that has moved, or one that itself says that it's
 * unavailable. A proxy may send any other 503 after the service has acted. Those of faults `-after` are lies.
 */
const saysNothingDone = ({ status, headers, body }: WireResponse): boolean => {
  if ([301, 307, 308].includes(status)) return true;
  if (status === 503) return headers?.['retry-after'] !== undefined || parseFields(body).request_id !== undefined;
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && !body.includes('in_flight');
};

const codeIn = (body: string): string | undefined => {
  const { error, status, failed_at } = parseFields(body);
  return status === 'failed' || failed_at ? 'failed' : textOf(asFields(error).code) || undefined;
};

/** Returns the response that a fault puts in the place of the service's. */
const respondFor = (call: Call, fault: string, random: Random): WireResponse => {
  if (fault === 'in-flight') return { status: 409, body: refusal('idempotency_in_flight') };
  const canned = cannedResponse(fault === 'html' ? '200-html' : fault);
  return canned ?? failedResponse(fault === '200-error' ? { ...call, fault: '200' } : call, random);
};

/** Takes a request to the service: acts when it arrives, and ends it when the response is back. */
const callService = (
  handle: (how: How) => WireResponse,
  step: Step,
  call: Call,
  end: (ending: Ending) => void,
): void => {
  const { fault } = call;
  const { random } = step;
  const latency = random.int(15, 120);
  const act = (staleMs = 0, busyMs = 0) => handle({ staleMs, busyMs, fails: fault === 'failed' });
  const finish = (delay: number, ending: Ending, outcome: Call['outcome']) =>
    after(delay, () => {
      if (call.endedAt || !step.isAlive) return;
      // A response that stops halfway lasts until the app gives up.
      if (ending.cut !== 'silence') call.endedAt = now();
      call.outcome = outcome;
      call.status = ending.cut ? undefined : ending.response?.status;
      if (call.status === 200 || call.status === 201 || call.status === 202) {
        call.answer = parseFields(ending.response?.body ?? '');
        const { id } = call.answer;
        call.seen = typeof id === 'string' ? id : undefined;
      }
      if (!ending.cut) call.code = codeIn(ending.response?.body ?? '');
      const wait = ending.response?.headers?.['retry-after'];
      if (wait) call.retryAfter = Number(wait) || Math.round((Date.parse(wait) - now()) / second);
      end(ending);
    });
  // The service may act on a request that nobody waits for any more.
  after(fault === 'late' ? latency + random.int(6, 20) * second : latency / 2, () => {
    if (!fault || isOwnAnswer(fault)) {
      const whole = act(fault === 'stale' ? 4 * second : 0);
      const response = fault && isPartial(fault) ? spoil(whole, fault) : whole;
      const isDone = response.status < 300;
      const isUnsure = response.status === 409 && response.body.includes('in_flight');
      call.replayed = response.headers?.['idempotent-replayed'] === 'true';
      const delay = fault === 'slow' ? random.int(2, 8) * second : latency / 2;
      return finish(delay, { response }, isUnsure ? 'unknown' : isDone ? 'done' : 'nothing');
    }
    if (fault === 'busy') act(0, random.int(500, 9_000));
    const acted = /-after$|^cut|^half$|^in-flight$/.test(fault) ? act() : undefined;
    if (fault.startsWith('hang')) return;
    const outcome = 'unknown';
    if (acted && fault === 'half') {
      const response = { ...acted, body: acted.body.slice(0, acted.body.length / 2) };
      return finish(latency / 2, { response }, saysNothingDone(response) ? 'nothing' : outcome);
    }
    if (acted && fault.startsWith('cut')) {
      const cut = fault === 'cut' ? 'reset' : 'silence';
      return finish(latency / 2, { response: acted, cut: acted.body ? cut : 'reset' }, outcome);
    }
    // A connection may break before the response or while it's read, which Node tells in other words.
    const isRead = fault === 'reset-after' && Math.floor(call.at) % 2 === 0;
    const broken = isRead ? (['ECONNRESET', 'read ECONNRESET'] as const) : breaks[fault];
    if (broken) return finish(latency / 2, { broken }, broken[0] === 'ECONNRESET' ? outcome : 'nothing');
    const response = respondFor(call, fault, random);
    finish(latency / 2, { response }, saysNothingDone(response) ? 'nothing' : outcome);
  });
};

const take = (request: WireRequest, end: (ending: Ending) => void): Call | undefined => {
  const step = steps.getStore();
  // Zapier freezes or kills a process whose step has ended: nothing that it does afterwards reaches anybody.
  if (!hosts || !step?.isAlive) return undefined;
  const service = hosts.serviceAt(request);
  if (!service) {
    const response = hosts.other(request);
    if (response !== 'never')
      after(step.random.int(1, 30), () => end(response ? { response } : { broken: breaks['no-host'] }));
    return undefined;
  }
  const fault = step.nextFault(request);
  const unseen = { outcome: 'unknown', status: undefined, replayed: false, seen: undefined, code: undefined } as const;
  const call: Call = { ...request, at: now(), endedAt: 0, fault, ...unseen, created: [] };
  step.calls.push(call);
  callService((how) => service.handle(call, how), step, call, end);
  return call;
};

/** As much of `http.ClientRequest` as node-fetch and Node's own callers use. */
class Request extends Writable {
  readonly #chunks: Buffer[] = [];
  readonly #target: Omit<WireRequest, 'body'>;
  #call: Call | undefined;
  #isAborted = false;

  constructor(target: Omit<WireRequest, 'body'>) {
    super();
    this.#target = target;
  }

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }

  override _final(done: () => void): void {
    const body = Buffer.concat(this.#chunks).toString();
    this.#call = take({ ...this.#target, body }, (ending) => this.#end(ending));
    done();
  }

  #fail(code: string, reason: string): void {
    if (!this.#isAborted) this.emit('error', Object.assign(new Error(reason), { code }));
  }

  #end({ response, cut, broken = [''] }: Ending): void {
    const [code, reason] = broken;
    if (!response) this.#fail(code, reason ?? `connect ${code}`);
    if (!response || this.#isAborted) return;
    const { status: statusCode, headers = json, body } = response;
    const stream = Object.assign(new Readable({ read: () => undefined }), { statusCode, statusMessage: '', headers });
    stream.push(cut ? body.slice(0, body.length / 2) : body);
    if (!cut) stream.push(null);
    this.emit('response', stream);
    if (cut === 'reset') after(5, () => this.#fail('ECONNRESET', 'aborted'));
  }

  abort(): void {
    this.#isAborted = true;
    if (this.#call && !this.#call.endedAt) this.#call.endedAt = now();
  }

  setTimeout = () => this;
  setNoDelay = () => this;
  setSocketKeepAlive = () => this;
}

type Target = string | URL | { protocol?: string; href?: string; method?: string; headers?: Record<string, unknown> };

const readHeaders = (headers: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

const request = (target: Target, more?: Target | (() => void)): Request => {
  const isAddress = typeof target === 'string' || target instanceof URL;
  const options = isAddress ? (typeof more === 'object' && !(more instanceof URL) ? more : {}) : target;
  const url = new URL(isAddress ? target : (target.href ?? ''));
  return new Request({ url, method: options.method ?? 'GET', headers: readHeaders(options.headers) });
};

/** Nothing of the app has a reason to. */
const noFetch = (): Promise<never> => Promise.reject(new Error('A step sends its requests by core, not by fetch.'));

/** Replaces Node's HTTP clients for this process. No request leaves it. */
export const takeOverWire = (): void => {
  for (const client of [http, https]) Object.assign(client, { request });
  Object.assign(globalThis, { fetch: noFetch });
};

/** The stand-in for Zapier: runs steps on core, and retries, autoreplays, holds, renews, resumes and kills them. */

import { readError } from '../../lab/zapier/core/failure';
import type { Handler } from '../../lab/zapier/core/handler';
import { platform } from '../../lab/zapier/platform';
import { toZapierHeaders } from '../../lab/zapier/starts/read-delivery';
import { asFields, type Fields, parseFields } from './fields';
import type { Draws, Random } from './random';
import type { Service } from './service';
import type { Story } from './stories';
import { after, day, hour, minute, now, second, sleep } from './time';
import { type FaultKind, runAs, type Step, type WireRequest, type WireResponse } from './wire';

/** Returns what runs a step on core; undefined for a step that the app doesn't have. */
export type HandlerOf = (step: string) => Handler | undefined;

/** An operation as the world runs it: its own chance and its own faults, so that it does the same without the others. */
export interface Operation {
  id: number;
  random: Random;
  /** The chance of each other kind of draw. */
  draws: Draws;
  nextFault: (request: WireRequest) => FaultKind | undefined;
  /** What the plan `faults` tells. */
  story?: Story | undefined;
  /** When Zapier's process dies, counted from the start of the first step. */
  killAfterMs: number | undefined;
}

export interface Account {
  service: Service;
  authData: Record<string, string>;
}

export interface Outcome {
  kind: 'ok' | 'halted' | 'throttled' | 'expired' | 'error' | 'killed';
  results: unknown;
  message: string;
  delaySeconds: number;
  isWaiting: boolean;
}

/** One run of a method of the app. */
export interface Attempt {
  step: Step;
  account: Account;
  outcome: Outcome;
  run: Run | undefined;
  zap: Zap | undefined;
  /** The event of a delivery, or the message that a callback named. */
  cause: string | undefined;
  /** The query of the callback that resumed a wait, as Zapier passes it on. */
  query: string | undefined;
  /** Whether nothing changed in the service meanwhile. */
  isQuiet: boolean;
  /** The token of the account when it began. */
  token: string;
}

/** What a run is meant to do, as the judge knows it. */
export interface Intent {
  to?: string;
  duty?: 'take' | 'may' | 'refuse';
  /** The body that the form means; without variables where one has no clear meaning. */
  sends?: { channel: string; template: string; to: string; variables: Fields | undefined } | undefined;
  key?: string;
  /** The call of an agent that this one is, or repeats. */
  call?: number;
  /** The token that a field has, which makes it wrong as long as it's the account's. */
  token?: string;
  maxRecipients?: number | undefined;
  /** Whether a campaign must start, or must not. */
  starts?: boolean;
  /** Whether it may change nothing, and message nobody but `to`. */
  isReadOnly?: boolean;
  /** The choices on the pages of a dropdown before this one. */
  shown?: readonly string[];
}

export interface Run {
  id: string;
  operation: Operation;
  account: Account;
  step: string;
  input: Fields;
  /** The fields as the editor keeps them; undefined where nobody filled in a form. */
  raw: Fields | undefined;
  meta: Fields;
  /** What the account has for this run alone. */
  home?: { default_country: string | undefined } | undefined;
  intent: Intent;
  state: 'running' | 'done' | 'halted' | 'errored' | 'held' | 'waiting' | 'tested';
  attempts: Attempt[];
  retriesLeft: number;
  autoreplaysLeft: number;
}

export interface Callback {
  url: string;
  run: Run;
  state: 'performing' | 'waiting' | 'dead' | 'resumed' | 'expired';
  output: unknown;
  body: string | undefined;
  /** The query with which it was called. */
  query: string;
  /** Whether Zapier refused a call because its step still ran. */
  isRefused: boolean;
}

export interface Zap {
  id: number;
  operation: Operation;
  account: Account;
  trigger: string;
  input: Fields;
  isOn: boolean;
  url: string;
  subscription: Fields | undefined;
  /** The times in which it listened, and in which Zapier renewed its subscription. */
  on: { from: number; to: number } | undefined;
  renewals: { from: number; to: number }[];
  urls: string[];
  deliveries: { event: string; doneAt: number; started: number }[];
}

/** What nobody documents. An app has to survive each answer, so the stand-in can give each. */
interface OpenQuestions {
  /** What happens with a callback that comes before its step returned. */
  early: 'hold' | 'run' | 'refuse';
  /** How long a throttled step waits whose error names no delay, and a step whose lock another run has, in seconds. */
  throttleSeconds: 30 | 60;
  /** The status of a callback whose address is used up. */
  usedCallback: 410 | 200;
  /** Whether a resumed step sees the query of its callback, in `cleanedRequest.querystring` as a hook does. */
  callbackQuery: 'passed' | 'dropped';
  /** What follows when the service refuses a renewal: another try each minute, or a Zap that starts no more runs. */
  refusedRenewal: 'retry' | 'stop';
  /** Whether a renewal subscribes again before it removes the old webhook. */
  renewal: 'new first' | 'old first';
}

export interface ZapierSettings {
  cache: 'works' | 'absent' | 'fails' | 'slow';
  /** What nobody documents, as this world answers it. */
  answers: OpenQuestions;
}

const stepMs = platform.stepSeconds.is * second;
const offStatus = platform.offStatus.is;

/** Draws an answer to each open question. */
export const drawAnswers = (random: Random): OpenQuestions => ({
  early: random.pick(['hold', 'run', 'run', 'refuse']),
  throttleSeconds: random.pick([30, 60]),
  usedCallback: random.pick([410, 200]),
  callbackQuery: random.chance(0.8) ? 'passed' : 'dropped',
  ...random.pick([
    { renewal: 'new first', refusedRenewal: 'retry' },
    { renewal: 'new first', refusedRenewal: 'stop' },
    { renewal: 'old first', refusedRenewal: 'retry' },
    { renewal: 'old first', refusedRenewal: 'stop' },
  ]),
});

/** The dropdowns that people open, and the field whose choices each shows. */
const dropdowns: Record<string, string> = {
  list_channels: 'creates.send_message.operation.inputFields.0',
  list_templates: 'creates.send_message.operation.inputFields.1',
  list_campaigns: 'creates.start_campaign.operation.inputFields.0',
  list_contacts: 'creates.update_contact.operation.inputFields.0',
  list_conversations: 'searches.find_conversation_history.operation.inputFields.0',
  list_messages: 'searches.find_message_status.operation.inputFields.0',
};

const methodOf = (step: string): string => {
  const dropdown = dropdowns[step];
  if (dropdown) return `${dropdown}.choices.perform`;
  const kind = step.startsWith('find_') ? 'searches' : /^(new|contact)_/.test(step) ? 'triggers' : 'creates';
  return `${kind}.${step}.operation.perform`;
};

const kinds: Record<string, Outcome['kind']> = {
  HaltedError: 'halted',
  ThrottledError: 'throttled',
  ExpiredAuthError: 'expired',
};

const nothing = { results: undefined, message: '', delaySeconds: 0, isWaiting: false };

const readFailure = (error: unknown, throttleSeconds: number): Outcome => {
  const { name, message, delay } = readError(error);
  return { ...nothing, kind: kinds[name] ?? 'error', message, delaySeconds: delay ?? throttleSeconds };
};

export const zapierHost = 'hooks.zapier.test';
const rpcHost = 'rpc.zapier.test';

export class Zapier {
  readonly runs: Run[] = [];
  readonly zaps: Zap[] = [];
  readonly attempts: Attempt[] = [];
  readonly callbacks = new Map<string, Callback>();
  readonly #cache = new Map<string, { value: string; until: number }>();
  readonly #cursors = new Map<string, string>();
  readonly #handlerOf: HandlerOf;
  readonly #settings: ZapierSettings;
  readonly #onAttempt: (attempt: Attempt) => void;

  constructor(handlerOf: HandlerOf, settings: ZapierSettings, onAttempt: (attempt: Attempt) => void) {
    this.#handlerOf = handlerOf;
    this.#settings = settings;
    this.#onAttempt = onAttempt;
  }

  /** Runs a method of the app on core. Cuts it off after 30 s, or when the process dies. */
  async runMethod(
    operation: Operation,
    account: Account,
    method: string,
    bundle: Fields,
    {
      run,
      zap,
      cause,
      query,
      callbackUrl,
      nextFault = operation.nextFault,
    }: Partial<Pick<Attempt, 'run' | 'zap' | 'cause' | 'query'>> & {
      callbackUrl?: string | undefined;
      nextFault?: Operation['nextFault'];
    } = {},
  ): Promise<Attempt> {
    const { draws } = operation;
    const random = draws('wire');
    const step: Step = { method, isAlive: true, startedAt: now(), endedAt: 0, calls: [], random, nextFault };
    const whole = { inputDataRaw: {}, meta: {}, ...bundle, authData: { ...account.authData, ...run?.home } };
    const event = {
      command: 'execute',
      method,
      // As Zapier does, by JSON: an empty field isn't there.
      bundle: JSON.parse(JSON.stringify(whole)),
      callback_url: callbackUrl,
      rpc_base: `https://${rpcHost}/${account.service.settings.workspace}`,
      storeKey: `${account.service.settings.workspace} ${method} ${operation.id}`,
    };
    const { version } = account.service;
    const { api_token: token = '' } = account.authData;
    const handler = this.#handlerOf(method.split('.')[1] ?? '');
    if (!handler) throw new Error(`No ${method}.`);
    const work = runAs(step, () => handler(event)).then(
      ({ results, status }): Outcome => ({ ...nothing, kind: 'ok', results, isWaiting: status === 'CALLBACK' }),
      (error: unknown) => readFailure(error, this.#settings.answers.throttleSeconds),
    );
    const killed: Outcome = { ...nothing, kind: 'killed' };
    const death = sleep(operation.killAfterMs ?? stepMs).then(() => killed);
    operation.killAfterMs = undefined;
    const outcome = await Promise.race([work, death]);
    Object.assign(step, { isAlive: false, endedAt: now() });
    const isQuiet = account.service.version === version;
    const attempt = { step, account, outcome, run, zap, cause, query, isQuiet, token };
    this.attempts.push(attempt);
    run?.attempts.push(attempt);
    this.#onAttempt(attempt);
    return attempt;
  }

  /** Starts a run of an action or a search; `raw` holds the fields as the editor keeps them. */
  start(operation: Operation, account: Account, step: string, input: Fields, intent: Intent, more?: Partial<Run>): Run {
    const id = `run-${this.runs.length + 1}`;
    const meta = { timezone: 'America/New_York' };
    const fresh = { attempts: [], retriesLeft: 4, autoreplaysLeft: 3 };
    const given = { operation, account, step, input, raw: input, meta, intent };
    const run: Run = { id, ...given, state: 'running', ...fresh, ...more };
    // The catalogue may be ahead of the app.
    if (!this.#handlerOf(methodOf(step).split('.')[1] ?? '')) return run;
    this.runs.push(run);
    void this.#attempt(run);
    return run;
  }

  /** A person replays a run: a new run with the same input. */
  replay({ operation, account, step, input, intent, raw, meta, home }: Run): Run {
    return this.start(operation, account, step, input, intent, { raw, meta, home });
  }

  async #attempt(run: Run): Promise<void> {
    const { operation, account, input, raw, meta, step } = run;
    run.state = 'running';
    const isTest = meta.isLoadingSample === true;
    const callback = step.endsWith('_and_wait') && !isTest ? this.#addCallback(run) : undefined;
    const bundle = { inputData: input, inputDataRaw: raw, meta };
    const more = { run, callbackUrl: callback?.url };
    const { outcome } = await this.runMethod(operation, account, methodOf(step), bundle, more);
    // An early resume has gone on with the run already.
    if (callback?.state === 'resumed') return;
    if (isTest) run.state = 'tested';
    // Nobody repeats a dropdown for a person.
    else if (dropdowns[step] && outcome.kind !== 'ok') run.state = 'errored';
    else if (outcome.kind !== 'ok') this.#fail(run, outcome, callback);
    else if (callback && outcome.isWaiting) this.#wait(run, callback, outcome.results);
    else run.state = 'done';
    // Somebody who opens a dropdown scrolls to its end.
    const { paging_token, results } = asFields(outcome.results);
    if (!dropdowns[step] || !paging_token || !Array.isArray(results)) return;
    const next = { page: Number(meta.page ?? 0) + 1, paging_token };
    const shown = [...(run.intent.shown ?? []), ...results.map(({ id }) => String(id))];
    this.start(operation, account, step, input, { ...run.intent, shown }, { raw, meta: { ...meta, ...next } });
  }

  #fail(run: Run, { kind, delaySeconds }: Outcome, callback?: Callback): void {
    if (callback) callback.state = 'dead';
    const random = run.operation.draws('Zapier');
    if (kind === 'halted') {
      run.state = 'halted';
    } else if (kind === 'throttled' && run.retriesLeft > 0) {
      run.retriesLeft -= 1;
      after(delaySeconds * second, () => this.#attempt(run));
    } else if (kind === 'expired') {
      run.state = 'held';
      // The person reconnects the account, and Zapier goes on with what it held.
      after(random.int(1, 20) * hour, () => {
        run.account.authData.api_token = run.account.service.token;
        void this.#attempt(run);
      });
    } else {
      run.state = 'errored';
      if (run.autoreplaysLeft === 0) return;
      run.autoreplaysLeft -= 1;
      after(random.pick([5 * minute, 30 * minute, hour, 3 * hour]), () => this.#attempt(run));
    }
  }

  #addCallback(run: Run): Callback {
    const url = `https://${zapierHost}/callback/${this.callbacks.size + 1}`;
    const nothingYet = { output: {}, body: undefined, query: '', isRefused: false };
    const callback: Callback = { url, run, state: 'performing', ...nothingYet };
    this.callbacks.set(url, callback);
    return callback;
  }

  #wait(run: Run, callback: Callback, output: unknown): void {
    Object.assign(callback, { state: 'waiting', output });
    run.state = 'waiting';
    if (callback.body !== undefined) void this.#resume(callback);
    after(30 * day, () => {
      if (callback.state === 'waiting') callback.state = 'expired';
    });
  }

  async #resume(callback: Callback): Promise<void> {
    const { run, output, body = '' } = callback;
    const querystring = this.#settings.answers.callbackQuery === 'passed' ? callback.query : '';
    const { operation, account, input, raw, meta, step } = run;
    callback.state = 'resumed';
    const query = querystring && { querystring: Object.fromEntries(new URLSearchParams(querystring)) };
    const cleanedRequest: Fields = { ...parseFields(body), ...query };
    const rawRequest = { method: 'POST', content: body, headers: {}, querystring };
    const bundle = { inputData: input, inputDataRaw: raw, meta, outputData: output, cleanedRequest, rawRequest };
    const data = asFields(cleanedRequest.data);
    const method = `creates.${step}.operation.performResume`;
    const why = { run, cause: String(data.id), query: querystring };
    const { outcome } = await this.runMethod(operation, account, method, bundle, why);
    if (outcome.kind === 'ok') run.state = 'done';
    else if (outcome.kind === 'throttled' && run.retriesLeft > 0) {
      run.retriesLeft -= 1;
      after(outcome.delaySeconds * second, () => this.#resume(callback));
    } else this.#fail(run, outcome);
  }

  /** Takes a call to a callback address. Its first call uses it up, whatever that is. */
  #call(callback: Callback, body: string, query: string): number {
    const { early, usedCallback } = this.#settings.answers;
    if (callback.state === 'expired') return offStatus;
    if (callback.body !== undefined || callback.state === 'dead') return usedCallback;
    if (callback.state === 'performing' && early === 'refuse') {
      callback.isRefused = true;
      return usedCallback;
    }
    Object.assign(callback, { body, query });
    if (callback.state === 'waiting' || early === 'run') after(20, () => this.#resume(callback));
    return 200;
  }

  /** Takes a call to one of Zapier's addresses, and returns its status. */
  receive(url: string, headers: Record<string, string>, body: string): number {
    const [address = '', query = ''] = url.split('?');
    const callback = this.callbacks.get(address);
    if (callback) return this.#call(callback, body, query);
    const zap = this.zaps.find((each) => each.urls.includes(url));
    // While Zapier turns it on, it takes deliveries and starts nothing.
    if (zap?.url === url && !zap.subscription) return 200;
    // A renewal has two addresses for a moment.
    if (!zap?.isOn || !(zap.url === url || zap.urls.at(-1) === url)) return offStatus;
    const delivery = { event: String(parseFields(body).id), doneAt: Number.POSITIVE_INFINITY, started: 0 };
    zap.deliveries.push(delivery);
    const random = zap.operation.draws('Zapier');
    const isHeld = random.chance(0.04);
    const rawRequest = { method: 'POST', headers: toZapierHeaders(headers), content: body, querystring: '' };
    const perform = async (attemptsLeft: number): Promise<void> => {
      const { subscription: subscribeData, url: targetUrl } = zap;
      const bundle = { subscribeData, targetUrl, rawRequest, cleanedRequest: parseFields(body) };
      const { outcome } = await this.#runTrigger(zap, 'perform', bundle, { cause: delivery.event });
      const isFailed = !['ok', 'halted'].includes(outcome.kind);
      if (isFailed && attemptsLeft > 0) return void after(30 * minute, () => perform(attemptsLeft - 1));
      delivery.doneAt = now();
      delivery.started = Array.isArray(outcome.results) ? outcome.results.length : 0;
    };
    after(isHeld ? random.int(1, 20) * hour : random.int(5, 2_000), () => perform(3));
    return 200;
  }

  #runTrigger(zap: Zap, method: string, bundle: Fields, why: Partial<Operation & Attempt> = {}): Promise<Attempt> {
    const { operation, account, trigger, input: inputData } = zap;
    const { cause, nextFault = operation.nextFault } = why;
    const place = `triggers.${trigger}.operation.${method}`;
    return this.runMethod(operation, account, place, { inputData, ...bundle }, { zap, cause, nextFault });
  }

  /** Subscribes a Zap at a new address, or a renewed one at its own. At times, the responses to a renewal are lost. */
  async #subscribe(zap: Zap): Promise<boolean> {
    const before = { url: zap.url, subscription: zap.subscription };
    const random = zap.operation.draws('renewals');
    const keepsUrl = before.subscription !== undefined && random.chance(0.5);
    const isLost = before.subscription !== undefined && random.chance(0.4);
    const lost = ({ method }: WireRequest) => (method === 'POST' ? 'reset-after' : undefined);
    const targetUrl = keepsUrl ? zap.url : `https://${zapierHost}/hooks/${zap.id}/${zap.urls.length + 1}`;
    if (!keepsUrl) zap.urls.push(targetUrl);
    if (!before.subscription) zap.url = targetUrl;
    const why = isLost ? { nextFault: lost } : {};
    const { outcome } = await this.#runTrigger(zap, 'performSubscribe', { targetUrl }, why);
    if (outcome.kind !== 'ok') return false;
    Object.assign(zap, { url: targetUrl, subscription: asFields(outcome.results) });
    const renewAt = Date.parse(String(asFields(outcome.results).expiration_date));
    if (renewAt) after(renewAt - now() - minute, () => zap.isOn && zap.url === targetUrl && this.#renew(zap));
    return before.url !== zap.url || before.subscription !== zap.subscription;
  }

  #unsubscribe(zap: Zap, { subscription: subscribeData, url: targetUrl } = zap): Promise<Attempt> {
    return this.#runTrigger(zap, 'performUnsubscribe', { subscribeData, targetUrl });
  }

  async #renew(zap: Zap): Promise<void> {
    const renewal = { from: now(), to: Number.POSITIVE_INFINITY };
    zap.renewals.push(renewal);
    const before = { ...zap };
    const isNewFirst = this.#settings.answers.renewal === 'new first';
    if (!isNewFirst) await this.#unsubscribe(zap, before);
    let isRenewed = await this.#subscribe(zap);
    const tries = this.#settings.answers.refusedRenewal === 'retry' ? 5 : 0;
    for (let left = tries; !isRenewed && left > 0 && zap.isOn; left -= 1) {
      await sleep(10 * minute);
      isRenewed = await this.#subscribe(zap);
    }
    if (isNewFirst && isRenewed) await this.#unsubscribe(zap, before);
    renewal.to = isRenewed ? now() : Number.POSITIVE_INFINITY;
    if (isRenewed && !zap.isOn) await this.#unsubscribe(zap);
  }

  /** Turns on a Zap with an instant trigger. The person tries again twice. */
  async turnOn(operation: Operation, account: Account, trigger: string, input: Fields): Promise<void> {
    if (!this.#handlerOf(trigger)) return;
    const off = { isOn: false, url: '', subscription: undefined, on: undefined };
    const nothingYet = { renewals: [], urls: [], deliveries: [] };
    const zap: Zap = { id: this.zaps.length + 1, operation, account, trigger, input, ...off, ...nothingYet };
    this.zaps.push(zap);
    for (let tries = 0; tries < 3 && !zap.isOn; tries += 1) {
      if (tries > 0) await sleep(5 * minute);
      zap.isOn = await this.#subscribe(zap);
    }
    if (zap.isOn) zap.on = { from: now(), to: Number.POSITIVE_INFINITY };
  }

  async turnOff(zap: Zap): Promise<void> {
    if (!zap.isOn) return;
    zap.isOn = false;
    if (zap.on) zap.on.to = now();
    await this.#unsubscribe(zap);
  }

  /** Serves Zapier's own hosts; undefined for a host that nobody has. */
  serve({ url, headers, body }: WireRequest): WireResponse | 'never' | undefined {
    if (url.host === zapierHost) return { status: this.receive(url.href, headers, body), body: '{"status":"success"}' };
    if (url.host !== rpcHost) return undefined;
    // Polls keep their cursor, which works.
    const isCache = body.includes('"zcache_');
    const cache = isCache ? this.#settings.cache : 'works';
    if (cache === 'slow') return 'never';
    if (cache === 'fails') return { status: 500, headers: { 'content-type': 'text/html' }, body: '<html>down</html>' };
    const { id, method, params, storeKey } = parseFields(body);
    const result =
      cache === 'works' && Array.isArray(params)
        ? this.#useStore(String(method), params, url.pathname, String(storeKey))
        : null;
    return { status: 200, body: JSON.stringify({ id, result }) };
  }

  #useStore(method: string, params: unknown[], account: string, storeKey: string): unknown {
    const [key, value, ttl, scope, nx] = params;
    if (method === 'get_cursor') return this.#cursors.get(storeKey) ?? null;
    if (method === 'set_cursor') return this.#cursors.set(storeKey, String(key)) && null;
    const scopes = method === 'zcache_set' ? scope : value;
    const address = Array.isArray(scopes) && scopes.length > 0 ? `${account} ${key}` : String(key);
    const found = this.#cache.get(address);
    const known = found && found.until > now() ? found : undefined;
    if (method === 'zcache_get') return known?.value ?? null;
    if (method === 'zcache_delete') return this.#cache.delete(address);
    if (nx === true && known) return false;
    this.#cache.set(address, { value: String(value), until: now() + Number(ttl ?? 60) * second });
    return true;
  }
}

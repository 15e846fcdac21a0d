/** The judge: what must hold in every world, each under its own name. */
import { isDeepStrictEqual } from 'node:util';
import { answers, answerTo, follows, looksOf, quotesAnother, saysNothing } from './answers';
import { hasKey, hasKeys, isCleanUp, isLie, isWebhook, judgeClass } from './classes';
import { type Claim, judgeDelivery, judgeExamples, judgeRun, mayNotWait, mayStart } from './contents';
import { asFields, type Fields } from './fields';
import { phoneOf } from './people';
import { type Entity, forgedMessage, noteText } from './records';
import { approvedOf, fits } from './templates';
import { day, hour, minute, second } from './time';
import { tells, waitedFor } from './truth';
import { occasionOf, sendersOf, wants } from './wanted';
import { type Call, isSend, type Step } from './wire';
import type { Plan } from './world';
import { type Account, type Attempt, type Run, type Zap, type Zapier, type ZapierSettings, zapierHost } from './zapier';

export interface Violation {
  name: string;
  detail: string;
  /** The operations whose attempts it is about. */
  operations: readonly (number | undefined)[];
}

const maxRequests = 30;
const maxStepMs = 29 * second;
const maxTurnMs = 2_000;
/** A failure that a step must outlive. */
const briefMs = 5 * second;

const isMade = (call: Call, prefix: string): boolean => call.created.some((id) => id.startsWith(prefix));
const brief = new Set([
  ...['refused', 'dns', 'reset', 'reset-after', 'cut', 'html'],
  ...['500', '500-after', '502-after', '503', '504', '504-after'],
]);

/** How long a service failed for a step: from its first failure to the end of its last one. */
const disturbance = ({ calls }: Step): number => {
  const failed = calls.filter(({ fault }) => fault);
  return failed.length === 0
    ? 0
    : Math.max(...failed.map(({ at, endedAt }) => endedAt || at + day)) - (failed[0]?.at ?? 0);
};

const clock = (ms: number): string => new Date(ms).toISOString().slice(5, 23);
const show = (value: unknown): string =>
  JSON.stringify(value, (name, each) => (name === 'by' ? undefined : each))?.slice(0, 2_000) ?? '';
const tell = (call: Call): string =>
  `${call.method} ${call.url.pathname}${call.fault ? ` [${call.fault}]` : ''} ${call.status ?? call.outcome}${call.created.length > 0 ? ` made ${call.created}` : ''}`;
const tellAttempt = ({ step, outcome, run, zap, cause }: Attempt): string =>
  `${clock(step.startedAt)} +${Math.round(step.endedAt - step.startedAt)} ms ${run?.id ?? `zap-${zap?.id}`} ${step.method.replace('.operation', '')}${cause ? ` for ${cause}` : ''} → ${outcome.kind} ${outcome.message || (JSON.stringify(outcome.results) ?? '').slice(0, 100)}\n${step.calls.map((call) => `      ${clock(call.at)} ${tell(call)}\n`).join('')}`;

/** Whether a line answers a question for certain, as far as a step could see. */
const answersIn = (seen: readonly Entity[], line: Entity, asked: Entity): boolean => {
  const [own, question] = [line, asked].map(({ id }) => seen.find((each) => each.id === id));
  return !!own && !!question && answers(own, question, seen);
};

/** Whether a step that stops because of another question has a reason to. */
const isRightStop = ({ outcome, step }: Attempt, asked: Entity, messages: readonly Entity[]): boolean => {
  const isLine = (each: Entity) => follows(each, asked);
  if (outcome.message.includes('by quoting it'))
    return messages.some((each) => isLine(each) && quotesAnother(each, asked));
  if (!outcome.message.includes('may answer another')) return false;
  return looksOf(messages, step).some((seen) => seen.some((each) => isLine(each) && !answersIn(seen, each, asked)));
};

export class Judge {
  readonly violations: Violation[] = [];
  readonly #plan: Plan;
  readonly #accounts: readonly Account[];
  readonly #settings: ZapierSettings;
  readonly #owners = new Map<Call, Attempt>();
  readonly #attempts: Attempt[] = [];
  /** The question that each reply answered. */
  readonly #answered = new Map<string, string>();

  constructor(plan: Plan, accounts: readonly Account[], settings: ZapierSettings) {
    this.#plan = plan;
    this.#accounts = accounts;
    this.#settings = settings;
  }

  /** Keeps a broken promise, with the attempts that it is about and what they had to do with. */
  #claim(holds: boolean, name: string, attempts: Attempt | readonly Attempt[], about?: unknown): void {
    if (holds) return;
    const all = [attempts].flat();
    const operations = all.map(({ run, zap }) => (run ?? zap)?.operation.id);
    this.violations.push({ name, detail: `${all.map(tellAttempt).join('')}${show(about)}`, operations });
  }

  /** Judges the CPU time in milliseconds between two moments. */
  seeTurn(cpuMs: number): void {
    this.#claim(cpuMs <= maxTurnMs, 'a step needs little CPU', [], cpuMs);
  }

  /** Judges a step when it ends. */
  see(attempt: Attempt): void {
    this.#attempts.push(attempt);
    for (const call of attempt.step.calls) this.#owners.set(call, attempt);
    this.#seeForm(attempt);
    this.#seeContents(attempt);
    if (['ok', 'killed'].includes(attempt.outcome.kind)) return;
    this.#seeClass(attempt);
    this.#seeEndurance(attempt);
  }

  /** Texts, time and number of requests. */
  #seeForm(attempt: Attempt): void {
    const { step, outcome, token } = attempt;
    const took = step.endedAt - step.startedAt;
    this.#claim(took <= maxStepMs, 'a step ends within 29 s', attempt);
    this.#claim(step.calls.length <= maxRequests, 'a step makes few requests', attempt);
    const isRead = step.calls.every(({ method }) => method === 'GET');
    this.#claim(!attempt.run?.intent.isReadOnly || isRead, 'a search or a test changes nothing', attempt);
    this.#claim(hasKeys(attempt), 'a request and its repeats have one key', attempt);
    const isSubscription = step.method.endsWith('performSubscribe');
    const said = outcome.kind === 'ok' && !isSubscription ? (JSON.stringify(outcome.results) ?? '') : '';
    // A token that the account no longer has, or doesn't have yet, is unknown to the app.
    this.#claim(!said.includes(token) && !said.includes('whsec_'), 'no result holds a token', attempt);
    this.#claim(!said.includes(noteText), 'an internal note reaches nobody', attempt);
    if (outcome.kind === 'ok' || outcome.kind === 'killed') return;
    const { message } = outcome;
    this.#claim(message.length > 0 && message.length <= 249, 'an error has a text of at most 249 characters', attempt);
    const isClean = !/tok_secret|whsec_|<\/?[a-z!]|[{}]|\bat \S+:\d+:\d+|What happened|undefined|\[object/i.test(
      message,
    );
    this.#claim(isClean, 'an error shows no token, markup or stack', attempt);
  }

  /** What the result says is what the service holds. */
  #seeContents(attempt: Attempt): void {
    const { run, zap, step } = attempt;
    const claims = (): Claim[] => {
      if (step.method.endsWith('performList')) return judgeExamples(attempt);
      if (zap) return step.method.endsWith('.perform') ? judgeDelivery(attempt, zap) : [];
      return run && !step.method.endsWith('performResume') ? judgeRun(attempt, run) : [];
    };
    const { results } = attempt.outcome;
    for (const [holds, name, expected] of claims()) this.#claim(holds, name, attempt, { results, expected });
  }

  #seeClass(attempt: Attempt): void {
    const [holds, name] = judgeClass(attempt) ?? [true, ''];
    this.#claim(holds, name, attempt);
  }

  /** A short failure is outlived by trying again. */
  #seeEndurance(attempt: Attempt): void {
    const { step } = attempt;
    const calls = step.calls.filter((call) => !isCleanUp(call) || call.method === 'GET');
    const last = calls.at(-1);
    const failed = calls.filter(({ fault }) => fault);
    // What follows a refused webhook is its clean-up.
    const { ignoresKeys } = attempt.account.service.settings;
    const isOver = ({ status, outcome }: Call) => Number(status) >= 400 || (ignoresKeys && outcome === 'unknown');
    const isRefused = calls.some((call) => isWebhook(call) && call.method === 'POST' && isOver(call));
    const isSafe = last && (last.method === 'GET' || (hasKey(last) && !ignoresKeys));
    const isLost = isSafe && last.fault && last.fault !== 'stale';
    if (!isLost || isRefused || !failed.every(({ fault }) => fault && brief.has(fault))) return;
    this.#claim(disturbance({ ...step, calls }) > briefMs, 'a step outlives five seconds of failure', attempt);
  }

  /** Judges the world once everything is over. */
  conclude(zapier: Zapier): Violation[] {
    for (const account of this.#accounts) {
      this.#seeMessages(account);
      this.#seeWebhooks(account, zapier);
    }
    this.#seeDeletions(zapier);
    for (const run of zapier.runs) {
      this.#seeTexts(run);
      this.#seeRepeats(run);
      this.#seeWrites(run);
      this.#seeValue(run, zapier.runs);
      if (run.step.endsWith('_and_wait') && !run.meta.isLoadingSample) this.#seeWait(run, zapier);
    }
    for (const zap of zapier.zaps) this.#seeEvents(zap);
    return this.violations;
  }

  #attemptOf = ({ by }: Entity): Attempt | undefined => by && this.#owners.get(by);

  /** Nobody twice, nobody wrong. */
  #seeMessages(account: Account): void {
    const { service } = account;
    const seen = new Map<string, Entity>();
    for (const sent of [...service.messages.filter(({ campaign_id }) => campaign_id === null), ...service.runs]) {
      const attempt = this.#attemptOf(sent);
      const run = attempt?.run;
      if (!attempt || !run) continue;
      const { intent } = run;
      const isCampaign = sent.id.startsWith('run_');
      // The service knows the number, also where it doesn't show it.
      const to = sent.number ?? sent.to;
      const claim = (holds: boolean, name: string, about: unknown) => this.#claim(holds, name, attempt, [sent, about]);
      claim(!intent.isReadOnly, 'a search or a test changes nothing', intent);
      claim(!intent.to || phoneOf(to) === phoneOf(intent.to), 'nobody wrong is messaged', intent.to);
      const isStale = intent.token !== undefined && !sent.by?.headers.authorization?.endsWith(intent.token);
      claim(intent.duty !== 'refuse' || isStale, 'what is unclear or unfilled sends nothing', run.input);
      const max = intent.maxRecipients;
      const isSmall = max === undefined || Number(sent.recipients) <= max || mayStart(attempt, max);
      claim(isSmall, 'an audience is never larger than allowed', max);
      const { channel, template, variables } = sent;
      const isMeant = isDeepStrictEqual({ channel, template, to, variables }, intent.sends);
      const isTest = run.meta.isLoadingSample === true;
      claim(isCampaign || !intent.sends || isTest || isMeant, 'what a form means is what is sent', run.input);
      const versions = approvedOf(service, template, channel);
      const isFit = isCampaign || fits(asFields(variables), versions, versions);
      claim(isFit, 'a message has the variables of its template, and no others', versions);
      const what = isCampaign ? `${sent.campaign_id} ${phoneOf(to)}` : `${channel} ${template} ${phoneOf(to)}`;
      const twice = isCampaign ? 'a campaign starts once' : 'nobody gets a message twice';
      const places: [key: string, name: string][] = [[`${run.id} ${what}`, `${twice} for one run`]];
      if (intent.key && !isTest) places.push([`key ${intent.key} ${what}`, `${twice} under one key`]);
      // Without the cache, the app can only tell ten minutes by the clock.
      const slot = this.#settings.cache === 'works' ? '' : Math.floor(attempt.step.startedAt / (10 * minute));
      if (intent.call !== undefined) places.push([`call ${intent.call} ${what} ${slot}`, `${twice} for one call`]);
      for (const [key, name] of places) {
        const other = seen.get(key);
        // A process that died, or was lied to, can't halt, so only a key protects from its repeat.
        const isLost = run.attempts.some(({ outcome, step }) => outcome.kind === 'killed' || step.calls.some(isLie));
        // A replay hours later is another call. The ten minutes begin with the call, before it sends.
        const apartMs = name.endsWith('call') ? 10 * minute - maxStepMs : day;
        claim(!other || (name.endsWith('run') && isLost) || sent.at - other.at > apartMs, name, other);
        seen.set(key, sent);
      }
    }
  }

  /** What a text says about sending is true. */
  #seeTexts(run: Run): void {
    for (const attempt of run.attempts) {
      const { message } = attempt.outcome;
      const made = attempt.step.calls.filter(({ created }) => created.some((id) => !id.startsWith('wh_')));
      const saysNothing =
        /nothing was (sent|started|created|changed)|no message was sent|no contact was|n't start/i.test(message);
      this.#claim(!saysNothing || made.every(isLie), '"nothing was sent" is true', attempt);
      const saysSent = /(the|your) message was sent\b/i.test(message);
      const isSent = run.attempts.some(({ step }) =>
        step.calls.some((call) => isMade(call, 'msg_') || call.seen?.startsWith('msg_')),
      );
      this.#claim(!saysSent || isSent, '"the message was sent" is true', attempt);
    }
    const [first] = run.attempts;
    const isTaken = run.state !== 'halted' || !first || run.attempts.some(({ step }) => step.calls.length > 0);
    const { input, intent, home } = run;
    this.#claim(intent.duty !== 'take' || isTaken, 'a number with one reading is taken', run.attempts, { input, home });
  }

  /**
   * A repeat that the service recognizes says so. After a lost response only the time of the record shows which send it
   * repeats, so nobody can know where a response has only an ID, or another step sent it seconds before. A key in flight at the
   * first send is another step's.
   */
  #seeRepeats(run: Run): void {
    const { service } = run.account;
    for (const attempt of run.attempts) {
      const { step, outcome } = attempt;
      const sends = step.calls.filter(isSend);
      const { id, already_sent } = asFields(outcome.results);
      const sent = [...service.messages, ...service.runs].find((each) => each.id === id);
      if (!/^(send_message|start_campaign)$/.test(run.step) || outcome.kind !== 'ok' || !sent?.by) continue;
      const isOther = sent.by.fault === 'in-flight' && run.intent.key !== undefined;
      const isOwn = sends.includes(sent.by) && !isOther;
      const isKnown =
        sends.length === 1 ||
        (isOther && sends[0] === sent.by) ||
        (!service.settings.givesOnlyId && !step.calls.some(isLie) && (isOwn || sent.at < step.startedAt - minute));
      this.#claim(!isKnown || Boolean(already_sent) !== isOwn, 'a repeat says that it is one', attempt);
    }
  }

  /** A run creates, changes or deletes a contact once. */
  #seeWrites(run: Run): void {
    if (!/contact$/.test(run.step)) return;
    const isLost = run.attempts.some(({ outcome, step }) => outcome.kind === 'killed' || step.calls.some(isLie));
    const writes = run.attempts.flatMap(({ step }) => step.calls.filter(({ created }) => created.length > 0));
    const isOnce = new Set(writes.map(({ method }) => method)).size === writes.length;
    this.#claim(isLost || isOnce, 'a form writes once for one run', run.attempts);
  }

  /** What is new under a value of Send Once for Each is no repeat. */
  #seeValue(run: Run, runs: readonly Run[]): void {
    const placeOf = ({ account, intent: { key, to, sends }, input }: Run): string =>
      JSON.stringify([
        account.service.settings.workspace,
        key,
        phoneOf(to),
        input.campaign,
        sends?.channel,
        sends?.template,
      ]);
    const isMismatch = ({ code }: Call) => code === 'idempotency_mismatch';
    const refused = run.attempts.find(({ step }) => step.calls.some(isMismatch));
    const isKnown = runs.some((other) => other !== run && placeOf(other) === placeOf(run));
    this.#claim(!refused || isKnown, 'another person or template under a value is no repeat', run.attempts);
  }

  /** A step deletes no webhook but that of its wait or its Zap. */
  #seeDeletions({ callbacks }: Zapier): void {
    for (const attempt of this.#attempts) {
      const deleted = attempt.step.calls.filter(({ method, before }) => method === 'DELETE' && before?.url);
      const { method, startedAt } = attempt.step;
      const isOwn = ({ before }: Call): boolean => {
        const url = String(before?.url);
        const callback = callbacks.get(url.split('?')[0] ?? '');
        if (callback) return callback.run === attempt.run;
        // A renewal may have the address of the webhook that it replaces, by which the Zap still listens.
        const isReplaced = Date.parse(String(before?.created_at)) < startedAt - hour;
        return attempt.zap?.urls.includes(url) === true && !(method.endsWith('performSubscribe') && isReplaced);
      };
      this.#claim(deleted.every(isOwn), 'a step deletes no webhook of another', attempt);
    }
  }

  /** A wait ends by the right person's answer to the question, by nothing else, and never without it. */
  #seeWait(run: Run, { callbacks }: Zapier): void {
    const { messages } = run.account.service;
    const calls = run.attempts.flatMap(({ step }) => step.calls);
    const sends = calls.filter((call) => isSend(call) && (call.seen || isMade(call, 'msg_')));
    const askedBy = (at: number): Entity | undefined => {
      const last = sends.filter((call) => call.at <= at).at(-1);
      return messages.find(({ id }) => id === (last?.seen ?? last?.created[0]));
    };
    const resumes = run.attempts.filter(({ step }) => step.method.endsWith('performResume'));
    const isRefused = [...callbacks.values()].some((each) => each.run === run && each.isRefused);
    // A webhook that watches everybody may resume a step early, before the step says that it can't wait.
    const isDoomed = mayNotWait(run);
    for (const attempt of resumes) {
      const { step, outcome, cause } = attempt;
      const asked = askedBy(step.startedAt);
      const isForged = cause === forgedMessage;
      const [seen = []] = looksOf(messages, step);
      const reply = isForged
        ? seen.find((each) => asked && follows(each, asked) && answersIn(seen, each, asked))
        : messages.find(({ id }) => id === cause);
      if (outcome.kind === 'ok') {
        this.#seeReply(run, asked, attempt, asFields(outcome.results));
        this.#claim(isRefused || !this.#isLate(run, attempt), 'a wait ends when the answer comes', run.attempts);
        continue;
      }
      const isExcused =
        isDoomed ||
        (isForged && (!reply || step.calls.some(({ fault }) => fault))) ||
        outcome.kind === 'killed' ||
        disturbance(step) > briefMs ||
        step.calls.some(({ fault, status }) => status === 401 || (fault && !brief.has(fault) && fault !== 'stale'));
      // Zapier has ended the wait, and there is no answer yet.
      const isEmpty = reply && saysNothing(reply);
      if (isExcused || isEmpty || this.#isBlind(attempt) || (asked && isRightStop(attempt, asked, messages))) continue;
      const name = follows(reply, asked)
        ? 'an answer survives a short failure'
        : 'a line before the question ends no wait';
      this.#claim(false, name, run.attempts);
    }
    const asked = askedBy(Number.POSITIVE_INFINITY);
    if (run.state !== 'waiting' || !asked || isRefused) return;
    const answer = messages.find(
      (each) =>
        follows(each, asked) &&
        // A webhook for a contact doesn't report what the same phone writes as another contact.
        asFields(each.contact).id === asFields(asked.contact).id &&
        !quotesAnother(each, asked) &&
        each.at < asked.at + 29 * day,
    );
    this.#claim(!answer, 'an answer is never lost', run.attempts, [answer, asked]);
  }

  /** Whether Zapier resumed a step of which it had kept nothing, and the callback's query doesn't tell of it either. */
  #isBlind({ step, run, query }: Attempt): boolean {
    const isStored = run?.attempts.some(
      (each) =>
        each.step.method.endsWith('.perform') && each.outcome.kind === 'ok' && each.step.endedAt < step.startedAt,
    );
    return query === '' && !isStored;
  }

  /** Returns the attempt that began the wait that a step ends. */
  #beginningOf(run: Run, { startedAt }: Step): Attempt | undefined {
    return run.attempts.findLast(({ step }) => step.method.endsWith('.perform') && step.startedAt <= startedAt);
  }

  /** Whether an undisturbed wait ends an hour or more after its answer. The service repeats a lost delivery sooner. */
  #isLate(run: Run, { step, outcome }: Attempt): boolean {
    const { id } = asFields(asFields(outcome.results).reply);
    const reply = run.account.service.messages.find((each) => each.id === id);
    const began = this.#beginningOf(run, step);
    const [first] = run.attempts.filter((each) => each.step.method.endsWith('performResume'));
    const isDisturbed = began?.step.calls.some(({ fault }) => fault);
    if (!began || !reply || first?.step !== step || isDisturbed) return false;
    return step.startedAt > Math.max(reply.at, began.step.endedAt) + hour;
  }

  /** The reply of a wait is the person's answer to its question, or says that it may be another's. */
  #seeReply(run: Run, asked: Entity | undefined, attempt: Attempt, results: Fields): void {
    const { step } = attempt;
    const claim = (holds: boolean, name: string, about?: unknown) => this.#claim(holds, name, run.attempts, about);
    const { messages } = run.account.service;
    const { already_sent, reply: given } = results;
    const [send, ...others] = this.#beginningOf(run, step)?.step.calls.filter(isSend) ?? [];
    const isKnown = send?.seen && others.length === 0 && !this.#isBlind(attempt);
    claim(!isKnown || already_sent === send.replayed, 'a repeat says that it is one');
    const reply = messages.find(({ id }) => id === asFields(given).id);
    claim(follows(reply, asked), "a wait ends only by the person's answer after the question");
    if (!asked || !reply) return;
    claim(!quotesAnother(reply, asked), 'a line that quotes another message ends no wait');
    const looks = looksOf(messages, step);
    const isCertain = looks.some((each) => answersIn(each, reply, asked));
    claim(isCertain, 'a reply that may answer another message stops the Zap, or says so');
    const [seen = [], ...changes] = looks;
    if (changes.length === 0 && step.calls.every(({ fault }) => !fault)) {
      const own = seen.find(({ id }) => id === asked.id) ?? asked;
      claim(answerTo(own, seen)?.id === reply.id, 'a wait ends by the first answer');
      const truth = waitedFor(own, reply, seen);
      claim(tells(results, truth), 'what a wait says of its reply is true', { results, truth });
    }
    const place = `${run.account.service.settings.workspace} ${reply.id}`;
    const other = this.#answered.get(place) ?? asked.id;
    this.#answered.set(place, other);
    claim(other === asked.id, 'a reply answers one question', { reply, other });
  }

  /** No webhook outlives its wait or its Zap, unless every attempt to delete it failed, or the step was killed. */
  #seeWebhooks({ service }: Account, zapier: Zapier): void {
    for (const webhook of service.webhooks) {
      const url = String(webhook.url);
      if (new URL(url).host !== zapierHost) continue;
      const callback = zapier.callbacks.get(url.split('?')[0] ?? '');
      const zap = zapier.zaps.find(({ urls }) => urls.includes(url));
      if (callback && ['waiting', 'expired'].includes(callback.state)) continue;
      const attempts = zapier.attempts.filter((each) => (callback ? each.run === callback.run : each.zap === zap));
      // A repeat of the step has another webhook, which its resume deletes.
      const isOther = ({ method, calls: made }: Step) =>
        callback &&
        (method.endsWith('perform')
          ? !made.some(({ body }) => body.includes(url))
          : made.some((call) => call.method === 'DELETE' && !call.url.pathname.endsWith(`/${webhook.id}`)));
      const calls = attempts.flatMap(({ step }) => (isOther(step) ? [] : step.calls)).filter(isWebhook);
      const creations = calls.filter((call) => call.method === 'POST' && call.body.includes(url));
      // A resume that doesn't know the webhook lists them first.
      const isLookUp = (call: Call) => call.method === 'GET' && call.at > Math.min(...creations.map(({ at }) => at));
      const deletions = calls.filter((call) => call.url.pathname.endsWith(`/${webhook.id}`) || isLookUp(call));
      const ends = deletions.map(({ endedAt, at }) => endedAt || at + day);
      const isLong = Math.max(...ends) - (deletions[0]?.at ?? Number.POSITIVE_INFINITY) > 2 * second;
      // A certificate that isn't valid is no short failure, so the app needn't try again.
      const resumes = attempts.filter(({ step }) => step.method.endsWith('performResume'));
      const resumeCalls = resumes.flatMap(({ step }) => step.calls);
      const isInvalid = [...deletions, ...resumeCalls].some(({ fault }) => fault === 'tls');
      // A step that had to wait so long has no time left to try again.
      const isOut = attempts.some(
        ({ step }) => disturbance(step) > briefMs && deletions.some((call) => step.calls.includes(call)),
      );
      const isDown = isInvalid || ((isLong || isOut) && deletions.every(({ fault }) => fault));
      const isBarred = deletions.some(({ status }) => status && [301, 307, 401, 403, 429].includes(status));
      const isKilled = attempts.some(({ outcome }) => outcome.kind === 'killed');
      // For a Zap that isn't turned on, the app looks for what it may have created.
      const isHidden = calls.some(
        ({ method, fault, status }) => fault === 'late' || (method !== 'POST' && (fault || Number(status) >= 400)),
      );
      const isUnknown = creations.every(({ outcome }) => outcome !== 'done') && (!zap || isHidden);
      const isDenied = webhook.by !== undefined && isLie(webhook.by);
      const isBlind = resumes.some((each) => this.#isBlind(each));
      // An early resume has deleted the one whose creation was lost, before the step created this one.
      const isLate = creations.length > 1 && resumes.some(({ step }) => step.endedAt <= webhook.at);
      const isExcused = isKilled || isBlind || isLate || isUnknown || isDown || isBarred || isDenied;
      this.#claim(isExcused, 'no webhook is left', attempts, webhook);
    }
  }

  /** Every event that a Zap wants starts it once; nothing else starts it. */
  #seeEvents(zap: Zap): void {
    const { service } = zap.account;
    const claim = (holds: boolean, name: string, event: string) => {
      if (holds) return;
      const attempts = this.#attempts.filter((each) => each.zap === zap && (!each.cause || each.cause === event));
      this.#claim(false, name, attempts, { event, trigger: zap.trigger, input: zap.input });
    };
    for (const { event, started } of zap.deliveries) {
      const known = service.events.find(({ id }) => id === event);
      claim(started === 0 || (known !== undefined && wants(zap, known)), 'only what a Zap asks for starts it', event);
    }
    const occasions = Map.groupBy(
      service.events.filter((event) => wants(zap, event)),
      (event) => occasionOf(zap, event),
    );
    for (const event of service.events) {
      const { from, to } = zap.on ?? { from: event.at, to: event.at };
      if (event.at <= from || event.at >= to - 2 * minute || !wants(zap, event)) continue;
      const same = new Set(occasions.get(occasionOf(zap, event))?.map(({ id }) => id));
      const deliveries = zap.deliveries.filter((each) => same.has(each.event));
      const started = deliveries.reduce((sum, each) => sum + each.started, 0);
      const lastAt = Math.max(event.at + 15 * minute, ...deliveries.map(({ doneAt }) => doneAt));
      const isRenewing = zap.renewals.some((each) => each.from - minute <= lastAt && each.to >= event.at);
      // Where nobody says who sent a message, a Zap that filters by sender says that it can't know.
      const isUnknowable =
        sendersOf(zap).length > 0 &&
        !service.settings.hasSource &&
        this.#attempts.some((each) => each.zap === zap && same.has(each.cause ?? '') && each.outcome.kind === 'halted');
      claim(started > 0 || isRenewing || isUnknowable || lastAt > to, 'no event is lost', event.id);
      const most = this.#settings.cache === 'works' ? 1 : deliveries.length;
      claim(started <= most, 'no event starts a Zap twice', event.id);
    }
  }

  /** Tells what happened in this world, in order. */
  story(): string[] {
    const told = this.#attempts.map(tellAttempt);
    const settings = this.#accounts.map(({ service: { settings } }) => JSON.stringify({ ...settings, token: '…' }));
    return [`seed ${this.#plan.seed}`, JSON.stringify(this.#settings), ...settings, ...told];
  }
}

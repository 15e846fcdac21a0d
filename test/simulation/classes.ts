/** The judge of what Zapier does after a failure: the class of an error, and the keys of repeats. */
import { second } from './time';
import { type Call, isOwnAnswer, verdicts } from './wire';
import type { Attempt } from './zapier';

export const isWebhook = ({ url }: Call): boolean => url.pathname.startsWith('/v1/webhooks');
export const isCleanUp = (call: Call): boolean => isWebhook(call) && call.method !== 'POST';

/** Whether the service acted, and said that it didn't. */
export const isLie = ({ fault, outcome }: Call): boolean => fault?.endsWith('-after') === true && outcome === 'nothing';

/** The paths of the calls that can have a code, unless any can. On another call, it says nothing of an earlier attempt. */
const placesOfCode: Record<string, RegExp> = {
  '404-not_found': /^\/v1\/\w+\/./,
  '409-contact_exists': /^\/v1\/contacts\b/,
  '422-recipient_opted_out': /\/(messages|trigger)$/,
};

const isVerdict = (fault: string, { pathname }: URL): boolean =>
  verdicts.includes(fault) && (placesOfCode[fault]?.test(pathname) ?? true);

/** Whether a response, the service's own or a verdict like its own, leaves no doubt about what the service did. */
const isSure = ({ outcome, status, fault, url }: Call): boolean =>
  outcome === 'done' ||
  (outcome === 'nothing' &&
    status !== undefined &&
    status >= 400 &&
    ![401, 403, 429, 503].includes(status) &&
    (!fault || isOwnAnswer(fault) || isVerdict(fault, url)));

export const hasKey = ({ headers }: Call): boolean => headers['idempotency-key'] !== undefined;

/** Whether each creation has a key, the same when it's repeated, and isn't repeated where the service ignores keys. */
export const hasKeys = ({ step, account }: Attempt): boolean => {
  const posts = step.calls.filter(({ method }) => method === 'POST');
  // A wait may create another webhook when it gives up the first.
  const groups = Map.groupBy(
    posts.filter((call) => !isWebhook(call)),
    ({ url, body }) => `${url.pathname} ${body}`,
  );
  const areOne = (group: Call[]) =>
    new Set(group.map(({ headers }) => headers['idempotency-key'])).size === 1 && !account.service.settings.ignoresKeys;
  return posts.every(hasKey) && [...groups.values()].every((group) => group.length === 1 || areOne(group));
};

/** The class of an error decides what Zapier does next. Returns whether it's right, and the rule; undefined without one. */
export const judgeClass = ({ step, outcome, run, account }: Attempt): [holds: boolean, name: string] | undefined => {
  const { kind, delaySeconds } = outcome;
  const calls = step.calls.filter((call) => !isCleanUp(call));
  const last = calls.at(-1);
  if (!last || /perform(Resume|Unsubscribe)$/.test(step.method)) return undefined;
  const writes = calls.filter((call) => call.method !== 'GET' && !isWebhook(call));
  const lastWrite = writes.at(-1);
  const isSettled = ({ at, url }: Call): boolean =>
    writes.some((later) => later.at > at && later.url.pathname === url.pathname && isSure(later));
  const isUnknown = writes.some((call) => call.outcome === 'unknown' && !isSettled(call));
  const isHeld = lastWrite?.code === 'idempotency_in_flight' && !account.service.settings.ignoresKeys;
  if (isUnknown && isHeld) {
    const isLost = writes.some(({ outcome, code }) => outcome === 'unknown' && code !== lastWrite.code);
    const hasWaited = step.endedAt - step.startedAt >= 15 * second;
    // Only the person's key is the same when Zapier repeats the step.
    const mayRepeat = !isLost && run?.intent.key !== undefined;
    return [hasWaited && kind === (mayRepeat ? 'throttled' : 'halted'), 'a request in flight is waited for'];
  }
  if (isUnknown && !run?.intent.key) return [kind === 'halted', 'a write with an unknown outcome halts'];
  // A run on hold may outlast the key.
  if (isUnknown && last === lastWrite)
    return [(kind === 'halted') === (last.status === 401), 'a step that is safe to repeat is repeated'];
  if (isUnknown) return undefined;
  // Once something was sent, only a halt keeps Autoreplay from sending it again.
  if (writes.some(({ created, seen }) => created.length > 0 || seen)) return undefined;
  // What Find Reply read decides, also when it reads the list again in vain.
  const hasRead = calls.some(({ url, answer }) => url.pathname.endsWith('/messages') && answer);
  if (run?.step === 'find_reply' && kind === 'halted' && hasRead) return undefined;
  const { status = 503 } = last;
  const isFailure = kind === 'error' || kind === 'throttled';
  if (status === 429) {
    const isLong = kind === 'throttled' && delaySeconds >= Math.min(last.retryAfter ?? 0, 300);
    return [isLong, 'a rate limit waits as long as the service says'];
  }
  if (status === 401) return [kind === 'expired', 'a refused token asks to reconnect'];
  if (status === 403) return [kind === 'error', 'a missing scope or plan is an error'];
  if ([301, 307, 308].includes(status)) return [kind === 'error', 'another address is an error'];
  if ([404, 409, 410, 451].includes(status)) {
    // Another server has pages.
    if (last.method === 'GET' || last.code === 'idempotency_in_flight') return undefined;
    return [(kind === 'halted') === (last.fault !== '404-html'), 'an input that is refused halts'];
  }
  if ([400, 422].includes(status)) return [kind === 'halted', 'an input that is refused halts'];
  return status === 503 || last.outcome === 'unknown' ? [isFailure, 'a failed service is an error'] : undefined;
};

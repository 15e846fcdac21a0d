/** The judge of what results say, and of what was sent and written. */
import { answersAnother, answerTo, looksOf, saysNothing } from './answers';
import { asFields, type Fields, listOf, textOf } from './fields';
import { phoneOf } from './people';
import { type Entity, isMessage } from './records';
import { isLine, isTranscript, isTruth, recordsIn, shown, tells, truthOf } from './truth';
import { type Call, isOwnAnswer, isPartial, isSend } from './wire';
import type { Attempt, Run, Zap } from './zapier';

/** Whether a promise is kept, its name, and what was expected instead. */
export type Claim = readonly [holds: boolean, name: string, expected?: unknown];

const isClear = ({ fault, status, code }: Call): boolean => !fault && !code && status !== undefined && status < 300;

/** Whether every request of a step got an answer of the service's own, also a refusal other than of the token. */
const isAnswered = ({ step, outcome }: Attempt): boolean =>
  outcome.kind !== 'killed' && step.calls.every(({ fault, status }) => !fault && status !== 401);

/** Whether every request of a step got the service's own answer, up to date. */
const isCalm = ({ step, outcome }: Attempt): boolean => outcome.kind !== 'killed' && step.calls.every(isClear);

const isUpToDate = ({ step }: Attempt): boolean => step.calls.every(({ fault }) => !isPartial(fault));

/** Whether a list tells that a record is no line of somebody of whom nothing is known. */
const isTold = (record: Fields | undefined): boolean =>
  record !== undefined &&
  (record.direction === 'outbound' || Boolean(asFields(record.contact).id) || /^\+\d+$/.test(textOf(record.from)));

/** Find Reply says that nobody replied only if it read the message in a list, with all since, and none is a reply. */
const judgeSilence = ({ step, outcome }: Attempt, { step: key, account, input }: Run): Claim[] => {
  if (key !== 'find_reply' || outcome.kind !== 'ok' || listOf(outcome.results).length > 0) return [];
  const read = step.calls.flatMap(({ answer }) => listOf(answer?.data).map(asFields));
  const told = new Map(read.map((each) => [each.id, each]));
  const isProven = looksOf(account.service.messages.filter(isMessage), step).some((seen) => {
    const asked = seen.find(({ id }) => id === input.message);
    if (!asked || !told.has(asked.id) || answerTo(asked, seen)) return false;
    const isNone = (each: Entity) => each.seq <= asked.seq || saysNothing(each) || answersAnother(each, asked, seen);
    return seen.every((each) => isNone(each) || isTold(told.get(each.id)));
  });
  return [[isProven, 'a search says that nobody replied only with proof']];
};

/** A search finds what exists, all of it, in order, and nothing else; or it stops because no record is certain. */
const judgeSearch = (attempt: Attempt, run: Run): Claim[] => {
  const { outcome, isQuiet } = attempt;
  const truth = isQuiet && isUpToDate(attempt) ? truthOf(attempt, run) : undefined;
  if (!truth) return [];
  if (truth === 'stop') {
    return [
      [outcome.kind === 'halted' || !isCalm(attempt), 'where several fit, or a value is unreadable, a search stops'],
    ];
  }
  if (outcome.kind !== 'ok') return [[!isCalm(attempt), 'a search that nothing disturbs does its work']];
  const records = recordsIn(run.step, outcome.results);
  const claims: Claim[] = [
    [isTruth(run.step, records, truth), 'a search finds all that there is, in order, and nothing else', truth],
  ];
  const [first = {}] = listOf(outcome.results).map(asFields);
  if (run.step === 'find_messages') {
    const areLines = records.every((each) => isLine(each.summary_line, each, run.meta.timezone));
    claims.push([areLines, 'a line tells when, which way and what somebody wrote']);
  }
  if (run.step !== 'find_conversation_history' || records.length === 0) {
    const isComplete = first.complete === undefined || first.complete === truth.isComplete;
    return [...claims, [isComplete, 'a list says whether it is complete']];
  }
  const messages = listOf(truth.records[0]?.messages).map(asFields);
  const last = messages.find(({ direction }) => direction === 'inbound');
  return [
    ...claims,
    [isTranscript(first.transcript, messages, run.meta.timezone), 'a transcript tells who said what, and when'],
    [!last || first.last_inbound_at === last.created_at, 'the last inbound message is the newest'],
  ];
};

/** A Zap gets the record of its event. */
export const judgeDelivery = ({ outcome, cause }: Attempt, { account, trigger }: Zap): Claim[] => {
  const event = account.service.events.find(({ id }) => id === cause);
  const [record, ...others] = listOf(outcome.results);
  if (!event || record === undefined) return [];
  const { direction, from, to, contact } = event.data;
  const has = Boolean((direction === 'inbound' ? from : to) ?? asFields(contact).phone);
  const isReachable = trigger.startsWith('campaign') || asFields(record).has_phone_number === has;
  return [
    [others.length === 0 && tells(record, shown(event.data)), 'a trigger gives the record of its event'],
    [isReachable, 'a trigger says whether the person has a number'],
  ];
};

/** Another value wins only where the form says so. */
const keeps = (name: 'phone' | 'email', { before = {}, after = {} }: Call, input: Fields): boolean => {
  const isFoundByOther = before[name] !== input[name];
  const isKept = !isFoundByOther || !input[name] || input.on_difference === 'replace';
  return isKept || after[name] === before[name];
};

/** Whether a form names another contact as well, which hadn't changed lately. */
const isOther = (each: Fields, before: Fields, { phone, email }: Fields, at: number): boolean => {
  const isKnown = Date.parse(textOf(each.updated_at)) < at - 40_000;
  const isNamed = (phone && each.phone === phone) || (email && each.email === email);
  return each.id !== before.id && isKnown && Boolean(isNamed);
};

/** A form changes what it says, and nothing else. */
const judgeWrite = (call: Call, { input, step, account }: Run): Claim[] => {
  const { before, after } = call;
  if (!before || !after) return [];
  const isOthers = account.service.contacts.some((each) => isOther(each, before, input, call.at));
  const removed = listOf(input.remove_tags);
  const tags = new Set(
    [...listOf(before.tags), ...listOf(input.add_tags ?? input.tags)].filter((tag) => !removed.includes(tag)),
  );
  const isTagged = listOf(after.tags).length === tags.size && listOf(after.tags).every((tag) => tags.has(tag));
  const isOptOutKept = step === 'update_contact' || before.consent !== 'opted_out' || after.consent === 'opted_out';
  const mayConsent = step === 'update_contact' || before.consent !== 'opted_out';
  const consent = mayConsent ? (input.consent ?? before.consent) : before.consent;
  const isCleared = (key: string) => listOf(input.clear).includes(key);
  const isNamed = step === 'create_or_update_contact' && input.on_difference !== 'replace' && before.first_name;
  const isMeant = step === 'update_contact' || before.phone === input.phone || before.email === input.email;
  return [
    [step !== 'create_or_update_contact' || !isOthers, 'where two contacts match, neither changes'],
    [isTagged, "a form adds its tags and keeps a contact's others"],
    [isOptOutKept, 'only Update Contact lifts an opt-out'],
    [after.consent === consent, 'consent is what the form says'],
    [keeps('phone', call, input) && keeps('email', call, input), 'what anybody can type replaces no number or email'],
    [isMeant, 'a form changes the contact that it names'],
    [
      after.first_name ===
        (isCleared('first_name') ? null : isNamed ? before.first_name : (input.first_name ?? before.first_name)),
      'a form changes what it says',
    ],
    [!isCleared('email') || after.email === null, 'a form changes what it says'],
    [
      tells(after.attributes, { ...asFields(before.attributes), ...asFields(input.attributes) }),
      'a form changes what it says',
    ],
  ];
};

/** The result of a step that changed a contact is that contact. */
const judgeContact = (attempt: Attempt, run: Run): Claim[] => {
  const { step, outcome } = attempt;
  const writes = step.calls.filter(({ method, created }) => method !== 'GET' && created.length > 0);
  const claims = writes.flatMap((call) => judgeWrite(call, run));
  const last = writes.at(-1);
  if (outcome.kind !== 'ok') return claims;
  // A repeat of a creation writes nothing more, and what a repeated deletion doesn't find may be gone because of the first.
  const mayBeGone = step.calls.some(({ method, outcome: known }) => method === 'DELETE' && known === 'unknown');
  const result = asFields(outcome.results);
  const unchanged = run.account.service.contacts.find(({ id }) => id === result.id);
  const hasAll =
    run.step === 'create_or_update_contact' &&
    unchanged !== undefined &&
    listOf(run.input.tags).every((tag) => listOf(unchanged.tags).includes(tag)) &&
    tells({ ...asFields(unchanged.attributes), ...asFields(run.input.attributes) }, unchanged.attributes);
  if (!last)
    return [
      ...claims,
      [hasAll || mayBeGone || step.calls.some(({ replayed }) => replayed), 'a form that succeeds has written'],
    ];
  return [
    ...claims,
    [result.id === last.created[0], 'a result is of the record that was written'],
    [!last.after || tells(result, last.after), 'a result is of the record that was written'],
  ];
};

/** A contact form that nothing disturbs does its work, unless several contacts fit. */
const judgeForm = (attempt: Attempt, { step, input, account }: Run): Claim[] => {
  const { contacts } = account.service;
  const { phone, email } = input;
  const same = contacts.filter(
    (each) => (phone && phoneOf(each.phone) === phoneOf(phone)) || (email && each.email === email),
  );
  // Others may delete the contact between the refusal that names it and the look at it.
  const isOvertaken = !attempt.isQuiet && attempt.step.calls.every(({ created }) => created.length === 0);
  const mayStop =
    same.length > 1 || input.on_difference === 'stop' || step !== 'create_or_update_contact' || isOvertaken;
  return [
    [attempt.outcome.kind === 'ok' || mayStop || !isAnswered(attempt), 'a form that nothing disturbs does its work'],
  ];
};

/** Whether a wait may stop before or after its send, because the service can't watch for one person or for long. */
export const mayNotWait = ({ step, account }: Run): boolean => {
  const { expiry, echoesFilters } = account.service.settings;
  return step.endsWith('_and_wait') && (expiry !== undefined || !echoesFilters);
};

/** Whether the service has what a result says that it sent or started. */
const isSent = ({ outcome }: Attempt, { account: { service } }: Run): boolean =>
  [...service.messages, ...service.runs].some(({ id }) => id === asFields(outcome.results).id);

/** A certain send or start that nothing disturbs happens, once. */
const judgeSend = (attempt: Attempt, run: Run): Claim[] => {
  const { calls } = attempt.step;
  const written = calls.find((call) => isSend(call) && call.answer && !call.fault);
  const isRead = ({ method, url, answer, fault }: Call) =>
    method === 'GET' && answer && (!fault || isOwnAnswer(fault)) && url.pathname.endsWith(`/messages/${written?.seen}`);
  const read = written?.replayed ? calls.findLast(isRead) : undefined;
  const isWhole = attempt.outcome.kind !== 'ok' || run.step.endsWith('_and_wait') || !written;
  const isNew = !written?.replayed || run.step !== 'send_message' || !isCalm(attempt) || Boolean(read);
  const claims: Claim[] = [
    [
      isWhole || tells(attempt.outcome.results, (read ?? written)?.answer),
      'a result is of the record that was written',
    ],
    [attempt.outcome.kind !== 'ok' || isNew, 'a repeat tells what has become of the message'],
    [
      attempt.outcome.kind !== 'ok' || run.step.endsWith('_and_wait') || isSent(attempt, run),
      'a success really happened',
    ],
    [!mayNotWait(run) || attempt.outcome.kind !== 'ok', 'a wait that the service may end or disturb never begins'],
  ];
  return [...claims, ...judgeCertainSend(attempt, run)];
};

/** Whether the audience of a campaign was small enough when the step read it. It may grow until the start. */
export const mayStart = ({ step }: Attempt, max: number): boolean => {
  const read = step.calls.find(({ method, url }) => method === 'GET' && url.pathname.startsWith('/v1/campaigns/'));
  const size = read?.answer?.audience_size;
  return typeof size === 'number' && size <= max;
};

/** Judges whether what is certain was sent, and what isn't was not. */
const judgeCertainSend = (attempt: Attempt, run: Run): Claim[] => {
  const { duty, maxRecipients } = run.intent;
  const starts = maxRecipients === undefined ? run.intent.starts : mayStart(attempt, maxRecipients);
  if (!isCalm(attempt) || !(duty === 'take' || starts !== undefined)) return [];
  const { kind } = attempt.outcome;
  const sends = attempt.step.calls.filter(isSend);
  if (duty !== 'take' && !starts)
    return [[kind === 'halted' && sends.length === 0, 'an audience that is too large or unknown gets nothing']];
  return [[(kind === 'ok' && sends.length === 1) || mayNotWait(run), 'a certain send that nothing disturbs happens']];
};

/** A success isn't one when the last answer to its write says that it failed. */
const judgeSuccess = ({ outcome, step: { calls } }: Attempt): Claim[] => {
  const last = calls.findLast(({ method, url }) => method === 'POST' && !url.pathname.startsWith('/v1/webhooks'));
  const saysFailed = Number(last?.status) < 300 && last?.code !== undefined;
  return [[outcome.kind !== 'ok' || !saysFailed, 'a success really happened']];
};

const judgeStep = (attempt: Attempt, run: Run): Claim[] => {
  if (/^(find|list|new|contact)_/.test(run.step)) return [...judgeSilence(attempt, run), ...judgeSearch(attempt, run)];
  if (/contact$/.test(run.step)) return [...judgeContact(attempt, run), ...judgeForm(attempt, run)];
  return run.meta.isLoadingSample ? [] : judgeSend(attempt, run);
};

/** Judges the result of a run against what the service holds and did. */
export const judgeRun = (attempt: Attempt, run: Run): Claim[] => [...judgeSuccess(attempt), ...judgeStep(attempt, run)];

/** Judges the records of a trigger's test in the editor. */
export const judgeExamples = ({ account, outcome, isQuiet }: Attempt): Claim[] => {
  const { messages, conversations, campaigns } = account.service;
  if (outcome.kind !== 'ok' || !isQuiet) return [];
  const all = new Map([...messages.filter(isMessage), ...conversations, ...campaigns].map((each) => [each.id, each]));
  return [
    [
      listOf(outcome.results).every((each) => {
        const known = all.get(textOf(asFields(each).id));
        return known && tells(each, shown(known));
      }),
      'an example is a record of the service',
    ],
  ];
};

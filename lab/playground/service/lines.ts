import * as z from 'zod/mini';
import { endpoints, headers } from '../../../src/api/endpoints';
import type { Message } from '../../../src/api/resources';
import { statusText } from '../../zapier/core/result';
import { hasEnded, type Run } from '../../zapier/runs/run';
import {
  type Activity,
  type ActivitySources,
  describeDelivery,
  describeSteps,
  groupArrivals,
  listDeliveries,
  maxLines,
  requestActivity,
  type ShownRun,
  type StoppedStep,
} from './activity';
import { deliveryKey } from './arrivals';
import type { Chats } from './chats';
import { messageLine, type ObservedEvent } from './observer';
import { describeAdded, otherTrigger, recordCause } from './other-records';
import {
  describeOutage,
  explainStop,
  hasStopped,
  messagesOf,
  repliesTo,
  sentBefore,
  stoppedAt,
  subjectOfRun,
  timeOf,
  waitsFor,
} from './run-notes';
import { type Subject, shorten, subjectOf } from './subject';

/** A line of a story. */
export interface Line extends Omit<Activity, 'kind'> {
  kind: Activity['kind'] | 'message';
  number: number;
  /** The id of the line that led to this one. */
  parent?: string | undefined;
  /** Its words in the headline of its story, or nothing. */
  phrase: string;
  subject?: Subject | undefined;
  /** Whether a person of the page made it happen, or a Zap did. */
  isCaused?: boolean;
  /** When it came to its status. */
  doneAt?: string;
}

const nameOf = ({ name, phone }: Subject): string => name?.split(' ')[0] ?? phone ?? 'A customer';

/** The customer, with the name that the chats have. */
const named = (subject: Subject, chats: Chats): Subject => ({
  ...subject,
  name: subject.name ?? chats.nameOf(subject.phone ?? ''),
});

const describeEvent = (type: string, subject: Subject, isReply: boolean): string => {
  const verb = isReply ? 'replied' : subject.text?.includes('?') ? 'asked' : 'wrote';
  if (type === 'message.received') return `${nameOf(subject)} ${verb}`;
  const words = type.replace('.', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const sameMoment = 2000;

/** A first message opens a conversation, and belongs to the same story. */
const openedBy = ({ type, at, phone }: ObservedEvent, all: readonly ObservedEvent[]): string | undefined => {
  if (type !== 'conversation.opened' && type !== 'conversation.reopened') return undefined;
  const isClose = (each: ObservedEvent) => Math.abs(Date.parse(each.at) - Date.parse(at)) < sameMoment;
  return all.find((each) => each.type === 'message.received' && each.phone === phone && isClose(each))?.line;
};

const identified = z.catch(
  z.looseObject({ id: z.catch(z.string(), ''), reply_to: z.catch(z.optional(z.string()), undefined) }),
  { id: '' },
);

const eventLines = ({ observer, ledger, runs, chats }: ActivitySources): Line[] => {
  const waited = new Map(runs.list().flatMap((run) => repliesTo(run).map((id): [string, string] => [id, run.id])));
  return observer
    .events()
    .filter(({ id, line }) => id === line)
    .map((event, _, all) => {
      const { id, type, at, data } = event;
      const { id: record, reply_to } = identified.parse(data);
      // Who presses a button or quotes a message answers it before a run reads the answer.
      const answered = waited.get(record) ?? (reply_to && messageLine(reply_to));
      const [subject, opener] = [named(subjectOf(data), chats), openedBy(event, all)];
      const phrase = describeEvent(type, subject, Boolean(answered));
      return {
        id,
        kind: 'event',
        number: ledger.numberOf(id),
        parent: answered || opener,
        at,
        title: [phrase, subject.text && `"${subject.text}"`].filter(Boolean).join(': '),
        phrase: opener ? '' : phrase,
        subject,
        isCaused: chats.hasWritten(record),
        status: type,
        isProblem: type.endsWith('.failed'),
        details: [{ label: 'Payload', value: data }],
      };
    });
};

const senders: Record<string, string> = {
  colleague: 'A colleague wrote',
  ai: 'An AI agent wrote',
  campaign: 'A campaign wrote',
};

interface SentMessage {
  message: Message;
  run?: Run;
}

/** The messages of the company that a run sent or an event had, each with the oldest run that gave it. */
const listMessages = ({ runs, observer, chats }: ActivitySources): Map<string, SentMessage> => {
  const found = new Map<string, SentMessage>();
  const isOutbound = ({ direction }: Message) => direction === 'outbound';
  for (const run of runs.list()) {
    for (const message of messagesOf(run).filter(isOutbound)) found.set(messageLine(message.id), { message, run });
  }
  for (const { line, id, phone } of observer.events()) {
    if (line === id || found.has(line) || !phone) continue;
    const message = chats.findMessage(phone, line.slice(messageLine('').length));
    if (message) found.set(line, { message });
  }
  return found;
};

/** A message as it is now. The chats have those of the account on the phones. */
const readMessage = async ({ chats, growth }: ActivitySources, given: Message): Promise<Message> =>
  chats.find(`${given.conversation_id}`)?.messages.find(({ id }) => id === given.id) ?? growth.read(given);

const messageLines = async (sources: ActivitySources): Promise<Line[]> => {
  const eventsOf = Map.groupBy(sources.observer.events(), ({ line }) => line);
  const lines = [...listMessages(sources)].map(async ([id, { message: given, run }]): Promise<Line> => {
    const message = await readMessage(sources, given);
    const { conversation_id: chat, text, status, error } = message;
    const subject = named(subjectOf(message), sources.chats);
    const phrase = run ? 'answered' : (senders[`${message.source}`] ?? 'A message was sent');
    return {
      id,
      kind: 'message',
      number: sources.ledger.numberOf(id),
      parent: run?.id,
      at: `${message.created_at}`,
      doneAt: `${message.read_at ?? message.delivered_at ?? message.created_at}`,
      title: `To ${nameOf(subject)}: "${text}"`,
      phrase,
      subject,
      status: `${status}`,
      isProblem: status === 'failed',
      details: [
        { label: 'Problem', value: error?.message },
        ...(eventsOf.get(id) ?? []).toReversed().map(({ type, data }) => ({ label: type, value: data })),
      ],
      phone: chat ? { chat, message: `${message.id}`, label: 'Show on the phone' } : undefined,
    };
  });
  return Promise.all(lines);
};

const deliveryWords: Record<string, string> = {
  pending: 'the delivery is still due',
  held: 'the delivery waits behind the next one',
  dropped: 'the delivery was lost',
  failed: 'the delivery failed',
  canceled: 'the delivery was canceled',
};

const deliveryLines = async (sources: ActivitySources): Promise<(Line & { key: string })[]> => {
  const arrivals = groupArrivals(sources.arrivals.list());
  const titles = new Map(sources.zaps.list().map(({ subscription, title }) => [subscription?.id, title]));
  const lineOfEvent = new Map(sources.observer.events().map(({ id, line }) => [id, line]));
  const rows = await listDeliveries(sources);
  const byKey = Map.groupBy(rows.toReversed(), ({ webhook_id, event_id }) => deliveryKey(webhook_id, event_id));
  return [...byKey].flatMap(([key, sent]) => {
    const [first, last] = [sent[0], sent.at(-1)];
    if (!first || !last) return [];
    const { event_id, webhook_id, status, due_at } = last;
    const attempts = sent.flatMap((each) => each.attempts);
    const arrived = arrivals.get(key) ?? [];
    const parent = lineOfEvent.get(event_id);
    if (parent) sources.ledger.numberOf(parent);
    return {
      // A line that is open stays open when it's delivered again.
      id: `delivery-${first.id}`,
      key,
      kind: 'delivery' as const,
      number: sources.ledger.numberOf(key),
      parent,
      at: attempts.at(-1)?.at ?? due_at,
      title: `Delivery to ${titles.get(webhook_id) ?? 'a Zap'}`,
      phrase: sent.some((each) => each.status === 'delivered') ? '' : (deliveryWords[status] ?? ''),
      status: sent.length > 1 ? `${status}, ${sent.length} times` : status,
      ...describeDelivery({ status, due_at, attempts }, arrived),
      deliveryId: last.id,
    };
  });
};

const maxTitle = 40;

const runVerbs: Record<Run['status'], string> = {
  running: 'is running',
  success: 'ran',
  halted: 'safely halted',
  error: 'errored',
  held: 'is on hold',
  waiting: 'waits',
  delayed: 'is scheduled',
  filtered: 'was filtered',
};

const describeSent = (count: number): string => {
  if (count === 0) return 'nothing new was sent';
  return count === 1 ? 'sent 1 message' : `sent ${count} messages`;
};

/** The step that a run stopped at or is held at, as long as its Zap has it. */
const stoppedStepOf = ({ zaps }: ActivitySources, run: Run): StoppedStep | undefined => {
  const [zap, at] = [zaps.find(run.zapId), stoppedAt(run)];
  if (!zap || at === undefined) return undefined;
  const id = run.alone ? run.alone.step : run.stepIds?.[at];
  const position = zap.steps.findIndex((step) => step.id === id);
  return position < 0 ? undefined : { zap: zap.id, at: position, run: run.alone ? undefined : run.id };
};

/** What stopped a run, or holds it. */
const stopOf = (run: Run, step: StoppedStep | undefined): string | undefined => {
  const result = run.steps[stoppedAt(run) ?? -1];
  return result && explainStop(result, step && ` at step ${step.at + 1}`);
};

/** What the service answers while a step tries again. */
const retryOf = ({ runner }: ActivitySources, run: Run): string | undefined => {
  const status = runner.requestsSoFar(run).at(-1)?.status ?? 0;
  return status >= 500 || status === 429 ? `${describeOutage(status)}. Trying again` : undefined;
};

/** What a run did, after the name of its Zap. */
const describeOutcome = (run: Run): string => {
  const waits = waitsFor(run)?.sentence.replace(/^W(.*)\.$/, 'w$1');
  const [before, sent] = [sentBefore(run).length, messagesOf(run).length];
  const did = waits ?? runVerbs[run.status];
  if (run.type === 'replay') return `replayed, ${run.status === 'success' ? describeSent(sent - before) : did}`;
  return [`${shorten(run.title, maxTitle)} ${did}`, before > 0 && sent === before && describeSent(0)]
    .filter(Boolean)
    .join(', ');
};

const describeRun = (sources: ActivitySources, run: Run, step: StoppedStep | undefined): string => {
  const now = retryOf(sources, run) ?? stopOf(run, step);
  if (!run.failedAt) return now ?? describeOutcome(run);
  const sent = run.status === 'success' ? describeSent(messagesOf(run).length) : runVerbs[run.status];
  return `failed at ${timeOf(run.failedAt)}, repeated by Zapier, ${now ?? sent}`;
};

/** What a person can do with a run. Undefined for a run of a step alone, and for one whose Zap is gone. */
const readShownRun = ({ zaps }: ActivitySources, run: Run): ShownRun | undefined => {
  const zap = zaps.find(run.zapId);
  if (!zap || zap.isDeleted || run.alone) return undefined;
  const failed = run.steps.findIndex(({ failure }) => failure !== undefined);
  const reached = failed < 0 ? Math.max(0, run.steps.length - 1) : failed;
  return {
    zap: zap.id,
    at: Math.min(reached, zap.steps.length - 1),
    canReplay: run.trigger !== undefined && hasEnded(run),
    canContinue: run.failed !== undefined,
  };
};

const runLines = (sources: ActivitySources, deliveryOf: ReadonlyMap<string, string>): Line[] =>
  sources.runs.list().map((run) => {
    const { id, startedAt, title, type, status, steps, cause } = run;
    const step = stoppedStepOf(sources, run);
    const notes = [...sentBefore(run), ...[waitsFor(run) ?? []].flat()];
    return {
      id,
      kind: 'run',
      number: sources.ledger.numberOf(id),
      parent: cause && (deliveryOf.get(cause) ?? cause),
      at: startedAt,
      title: [
        `${title}${type === 'replay' ? ' (replay)' : ''}`,
        ...[stopOf(run, step) ?? []].flat(),
        ...notes.map(({ sentence }) => sentence),
      ].join('. '),
      phrase: describeRun(sources, run, step),
      subject: named(subjectOfRun(run), sources.chats),
      isCaused: true,
      status: statusText[status],
      isProblem: hasStopped(run),
      isHeld: status === 'held',
      step,
      run: readShownRun(sources, run),
      waitsUntil: status === 'delayed' ? run.pause?.dueAt : undefined,
      details: describeSteps(steps),
      phone: notes.find(({ phone }) => phone)?.phone,
    };
  });

/** The records that people added in apps that start Zaps. */
const recordLines = ({ otherRecords, zaps, ledger }: ActivitySources): Line[] =>
  zaps.list().flatMap((zap) => {
    const trigger = otherTrigger(zap);
    if (!trigger) return [];
    return otherRecords.of(trigger).map(({ id: record, at, record: data }) => {
      const id = recordCause(record);
      const phrase = describeAdded(zap, trigger, data);
      return {
        id,
        kind: 'event',
        number: ledger.numberOf(id),
        at,
        title: phrase,
        phrase,
        status: trigger.event,
        isProblem: false,
        details: [{ label: 'Record', value: data }],
      };
    });
  });

/** Begins the id of a line about polls. */
export const checksPrefix = 'checks-';

/** One line for every poll of a Zap since one found something. */
const checkLines = ({ polling, zaps, ledger }: ActivitySources): Line[] =>
  polling.checks().map(({ zapId, count, since, problem }) => {
    const id = `${checksPrefix}${zapId}-${since}`;
    const times = count === 1 ? 'once' : `${count} times`;
    return {
      id,
      kind: 'request',
      number: ledger.numberOf(id),
      at: new Date(since).toISOString(),
      title: `Checked ${times}, nothing new`,
      phrase: `${shorten(zaps.find(zapId)?.title ?? 'A Zap', maxTitle)} checked ${times}, nothing new`,
      status: '',
      isProblem: problem !== undefined,
      details: [{ label: 'The last check failed', value: problem }],
    };
  });

const requestIdsOf = ({ steps }: Run): (string | undefined)[] =>
  steps.flatMap(({ requests }) => requests.map((request) => request.headers[headers.requestId]));

/** The requests that turn Zaps on and off. Others belong to runs, or only fill forms. */
const subscriptionLines = async (sources: ActivitySources): Promise<Line[]> => {
  const requests = await requestActivity(sources, maxLines);
  const ofRuns = new Set(sources.runs.list().flatMap(requestIdsOf));
  return requests
    .filter(({ id }) => !ofRuns.has(id))
    .filter(({ title }) => title.includes(` ${endpoints.createWebhook.path}`) && !title.startsWith('GET '))
    .map((request) => ({
      ...request,
      number: sources.ledger.numberOf(request.id),
      phrase: request.title.startsWith('POST') ? 'The Zap was turned on' : 'The Zap was turned off',
    }));
};

/** Every line of every story. */
export const listLines = async (sources: ActivitySources): Promise<Line[]> => {
  const deliveries = await deliveryLines(sources);
  const deliveryOf = new Map(deliveries.map(({ id, key }) => [key, id]));
  return [
    ...eventLines(sources),
    ...deliveries,
    ...runLines(sources, deliveryOf),
    ...(await messageLines(sources)),
    ...checkLines(sources),
    ...recordLines(sources),
    ...(await subscriptionLines(sources)),
  ];
};

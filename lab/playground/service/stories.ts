import * as z from 'zod/mini';
import { capitalize } from '../../../src/api/labels';
import type { Message } from '../../../src/api/resources';
import type { Runs } from '../../zapier/runs/kept-runs';
import type { Run } from '../../zapier/runs/run';
import type { Runner } from '../../zapier/runs/run-zaps';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import type { Zap } from '../../zapier/zap/zap';
import { approvalsIn } from './approvals';
import type { Chats } from './chats';
import { describeAction, doneIn } from './other-actions';
import { describeAdded, otherTrigger } from './other-records';
import {
  describeOutage,
  explainStop,
  idsOf,
  isSending,
  isUsualStop,
  messagesOf,
  repliesTo,
  sentBefore,
  stoppedAt,
  timeOf,
  waitsFor,
} from './run-notes';
import { stageOf } from './stage';
import { describeSubject, type Subject, shorten, subjectOf } from './subject';
import { definition } from './zapier';

/** A part of a story, in a few words. */
export interface Beat {
  text: string;
  kind: 'cause' | 'run' | 'done' | 'sent' | 'read' | 'replay' | 'problem' | 'held';
  /** When it happened, as far as it's known. */
  at?: string | undefined;
}

/** What one cause led to in the Zaps of a stage. */
export interface Story {
  id: string;
  at: string;
  /** From the cause to the outcome. */
  beats: Beat[];
  /** Who it's about, and what was written. */
  subject: string | undefined;
  /** Oldest first. */
  runs: Run[];
}

/** Where stories come from. */
interface StorySources {
  zaps: Zaps;
  runs: Runs;
  chats: Chats;
  runner: Pick<Runner, 'requestsSoFar'>;
}

const optional = z.catch(z.nullish(z.string()), undefined);
const started = z.catch(
  z.looseObject({ id: optional, campaign_id: optional, reply_to: optional, direction: optional, created_at: optional }),
  {},
);

/** Finds the run that led to another one: which it replays, or which sent what the other one starts with. */
const findParent = (run: Run, byId: ReadonlyMap<string, Run>, senders: ReadonlyMap<string, Run>): Run | undefined => {
  const { id, campaign_id, reply_to } = started.parse(run.trigger ?? {});
  const sender = [id, campaign_id, reply_to].flatMap((each) => senders.get(each ?? '') ?? [])[0];
  return byId.get(run.cause ?? '') ?? sender;
};

/** The runs by the cause of the first of them. `runs` has the oldest first. */
const groupRuns = (runs: readonly Run[]): Map<string, Run[]> => {
  const senders = new Map(runs.toReversed().flatMap((run) => idsOf(run).map((id): [string, Run] => [id, run])));
  const byId = new Map(runs.map((run) => [run.id, run]));
  const [groups, keys] = [new Map<string, Run[]>(), new Map<Run, string>()];
  for (const run of runs) {
    const parent = findParent(run, byId, senders);
    const key = (parent && keys.get(parent)) ?? run.cause ?? run.id;
    keys.set(run, key);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return groups;
};

const nameOf = ({ name, phone }: Subject): string => name?.split(' ')[0] ?? phone ?? 'A customer';

/** The customer, with the name that the chats have. */
const named = (chats: Chats, subject: Subject): Subject => ({
  ...subject,
  name: subject.name ?? chats.nameOf(subject.phone ?? ''),
});

const describeCause = ({ chats }: StorySources, zap: Zap, run: Run): string => {
  const [tested, other] = [zap.steps.findIndex(({ id }) => id === run.alone?.step), otherTrigger(zap)];
  if (run.alone) return tested < 0 ? 'A step was tested' : `Step ${tested + 1} was tested`;
  if (other) return describeAdded(zap, other, Object(run.trigger));
  const [trigger] = zap.steps;
  const label = trigger?.type === 'app' ? definition.labelOf(trigger.operation) : 'The Zap started';
  const subject = named(chats, subjectOf(run.trigger));
  if (started.parse(run.trigger ?? {}).direction === 'inbound') {
    return `${nameOf(subject)} ${subject.text?.includes('?') ? 'asked' : 'wrote'}`;
  }
  return subject.phone || subject.name ? `${label}: ${nameOf(subject)}` : label;
};

const causeOf = (sources: StorySources, zap: Zap, run: Run): Beat => {
  const { created_at, direction } = started.parse(run.trigger ?? {});
  const at = direction === 'inbound' && created_at ? created_at : run.startedAt;
  return { kind: 'cause', text: describeCause(sources, zap, run), at };
};

const maxTitle = 40;

/** How many there are of each text, such as "49 read, 2 failed". */
const tally = (texts: readonly string[]): string =>
  [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => `${length} ${text}`).join(', ');

const comparisons = z.catch(z.record(z.string(), z.string()), {});

const maxReason = 120;

/** How the data compared with the rules that stopped a run, such as `"other" isn't "yes"`. Empty without rules. */
const whyFiltered = ({ steps }: Run): string => {
  const filtered = steps.filter(({ status }) => status === 'filtered');
  return shorten(filtered.flatMap(({ input }) => Object.values(comparisons.parse(input ?? {}))).join('; '), maxReason);
};

/** What stopped a run or what it waits for. Undefined for one that goes on or is done. */
export const endOf = (zap: Zap, run: Run): Beat | undefined => {
  const [at, note] = [stoppedAt(run), waitsFor(run)];
  const result = at === undefined ? undefined : run.steps[at];
  if (result) {
    const position = run.alone ? -1 : zap.steps.findIndex(({ id }) => id === run.stepIds?.[at ?? -1]);
    const where = position < 0 ? '' : ` at step ${position + 1}`;
    const isQuiet = isUsualStop(result) || run.status === 'held';
    return { kind: isQuiet ? 'held' : 'problem', text: explainStop(result, zap.steps[position], where) };
  }
  if (note) return { kind: 'held', text: note.sentence.replace(/\.$/, '') };
  if (run.pause?.dueAt !== undefined) {
    return { kind: 'held', text: `waits until ${timeOf(new Date(run.pause.dueAt).toISOString())}` };
  }
  if (run.status !== 'filtered') return undefined;
  return { kind: 'held', text: `filtered: ${whyFiltered(run) || 'the Zap stopped here'}` };
};

/** What the service answers while a step tries again. */
const retryOf = ({ runner }: StorySources, run: Run): string | undefined => {
  const status = runner.requestsSoFar(run).at(-1)?.status ?? 0;
  return status >= 500 || status === 429 ? `${describeOutage(status)}. Trying again` : undefined;
};

const describeSent = (count: number): string => {
  if (count === 0) return 'nothing new was sent';
  return count === 1 ? 'sent 1 message' : `sent ${count} messages`;
};

const newMessages = (run: Run): number => messagesOf(run).length - sentBefore(run).length;

/** What one run did, before what became of its messages. */
const describeRun = (sources: StorySources, run: Run, name: string): string => {
  const retry = retryOf(sources, run);
  if (run.failedAt) {
    const now = retry ?? (run.status === 'success' ? describeSent(messagesOf(run).length) : 'tried again');
    return `failed at ${timeOf(run.failedAt)}, repeated by Zapier, ${now}`;
  }
  if (run.status === 'running') return retry ?? `${name} is running`;
  return sentBefore(run).length > 0 && newMessages(run) === 0 ? `${name} ran, ${describeSent(0)}` : `${name} ran`;
};

/** A message as it is now. */
const now = ({ chats }: StorySources, { conversation_id, id, ...sent }: Message): Message =>
  chats.find(`${conversation_id}`)?.messages.find((each) => each.id === id) ?? { conversation_id, id, ...sent };

/** The messages that runs sent, and those of the campaigns that they started. */
const listSent = (sources: StorySources, runs: readonly Run[]): Message[] => {
  const ids = new Set(runs.flatMap(idsOf));
  const since = Math.min(...runs.map(({ startedAt }) => Date.parse(startedAt)));
  // The service tells whole seconds.
  const isSince = (at: string | null | undefined) => Date.parse(`${at}`) >= since - 1000;
  const ofCampaigns = sources.chats
    .list()
    .flatMap(({ messages }) =>
      messages.filter(({ campaign_id, created_at }) => ids.has(campaign_id ?? '') && isSince(created_at)),
    );
  const own = runs.flatMap((run) => (newMessages(run) > 0 ? messagesOf(run) : [])).map((each) => now(sources, each));
  const sent = [...own, ...ofCampaigns].filter(({ direction }) => direction === 'outbound');
  return [...new Map(sent.map((each) => [each.id, each])).values()];
};

/** When a message came to its status. Undefined while it's on its way. */
const becomes = ({ status, read_at, delivered_at, failed_at }: Message): string | undefined => {
  const at = new Map<unknown, string | null | undefined>([
    ['read', read_at],
    ['delivered', delivered_at],
    ['failed', failed_at],
  ]);
  return at.get(status) ?? undefined;
};

/** What became of messages: of a single one in words, and of more in numbers. */
const sentBeats = ({ chats }: StorySources, messages: readonly Message[]): Beat[] => {
  const [first, ...others] = messages;
  if (!first) return [];
  const at = first.created_at ?? undefined;
  const statuses = messages.map(({ status }) => `${status}`);
  if (others.length > 0) {
    return [
      { kind: 'sent', text: `${messages.length} messages sent`, at },
      {
        kind: 'read',
        text: tally(statuses),
        at: messages
          .flatMap((each) => becomes(each) ?? [])
          .sort()
          .at(-1),
      },
    ];
  }
  const sent: Beat = { kind: 'sent', text: 'Message sent', at };
  const done = becomes(first);
  const name = nameOf(named(chats, subjectOf(first)));
  if (first.status === 'failed')
    return [sent, { kind: 'problem', text: `It failed: ${first.error?.message}`, at: done }];
  const words = first.status === 'read' ? `${name} read it` : `${name} has it`;
  return done ? [sent, { kind: 'read', text: words, at: done }] : [sent];
};

const replyBeats = (sources: StorySources, runs: readonly Run[]): Beat[] => {
  const ids = new Set(runs.flatMap(repliesTo));
  const replies = sources.chats.list().flatMap(({ messages }) => messages.filter(({ id }) => ids.has(`${id}`)));
  const [reply, ...others] = replies;
  if (!reply) return [];
  const name = nameOf(named(sources.chats, subjectOf(reply)));
  const text = others.length > 0 ? `${replies.length} replied` : `${name} replied`;
  return [{ kind: 'cause', text, at: reply.created_at ?? undefined }];
};

/** What a step did beside the messages of its run, with its position. */
interface Effect {
  index: number;
  text: string;
}

/** What a run did in other apps, and what people decided in it. */
const effectsOf = (zap: Zap, run: Run): Effect[] => [
  ...doneIn(zap, run).flatMap(({ index, step }) =>
    step.row?.does === 'find' ? [] : { index, text: describeAction(step) },
  ),
  ...approvalsIn(zap, run).flatMap(({ index, decision }) =>
    decision ? { index, text: `${capitalize(decision)} by a person` } : [],
  ),
];

/** The beats, of which those that say the same are one with their number. */
const countAlike = (beats: readonly Beat[], of: 'runs' | 'times'): Beat[] =>
  [...Map.groupBy(beats, ({ text }) => text)].flatMap(([text, alike]) =>
    alike.slice(0, 1).map((beat) => (alike.length > 1 ? { ...beat, text: `${text} (${alike.length} ${of})` } : beat)),
  );

const toBeats = (effects: readonly Effect[]): Beat[] =>
  countAlike(
    effects.map(({ text }) => ({ kind: 'done', text })),
    'times',
  );

/** What runs of one Zap did: before they sent messages, what became of these, and what followed. */
const effectBeats = (sources: StorySources, zap: Zap, runs: readonly Run[]): Beat[] => {
  const sends = zap.steps.findIndex(isSending);
  const effects = runs.flatMap((run) => effectsOf(zap, run)).toSorted((a, b) => a.index - b.index);
  return [
    ...toBeats(effects.filter(({ index }) => index < sends)),
    ...sentBeats(sources, listSent(sources, runs)),
    ...replyBeats(sources, runs),
    ...toBeats(effects.filter(({ index }) => index >= sends)),
  ];
};

/** What the runs of one Zap did. */
const zapBeats = (sources: StorySources, zap: Zap, runs: readonly Run[], name: string): Beat[] => {
  const [first, ...others] = runs;
  if (!first) return [];
  const ends = runs.flatMap((run) => endOf(zap, run) ?? []);
  const effects = effectBeats(sources, zap, runs);
  const isSilent =
    ends.length === runs.length &&
    effects.length === 0 &&
    sentBefore(first).length === 0 &&
    first.failedAt === undefined;
  const ran: Beat = {
    kind: 'run',
    text: others.length > 0 ? `${name} ran ${runs.length} times` : describeRun(sources, first, name),
    at: first.startedAt,
  };
  return [...(isSilent || first.alone ? [] : [ran]), ...effects, ...countAlike(ends, 'runs')];
};

const replayBeats = (sources: StorySources, zap: Zap, run: Run): Beat[] => {
  const end = endOf(zap, run);
  const did = end?.text ?? (run.status === 'running' ? 'is running' : describeSent(newMessages(run)));
  return [
    { kind: end?.kind ?? 'replay', text: `Replayed: ${did}`, at: run.startedAt },
    ...effectBeats(sources, zap, [run]),
  ];
};

/** What a run is about: what started it, or else the first message that it sent. */
const recordOf = (run: Run): unknown => {
  const { phone, text } = subjectOf(run.trigger);
  return phone || text ? run.trigger : messagesOf(run)[0];
};

const toStory = (sources: StorySources, id: string, runs: Run[]): Story | undefined => {
  const [first] = runs;
  const zap = first && sources.zaps.find(first.zapId);
  if (!zap) return undefined;
  const isReplay = ({ type }: Run) => type === 'replay';
  const byZap = Map.groupBy(
    runs.filter((run) => !isReplay(run)),
    ({ zapId }) => zapId,
  );
  const beatsOf = (zapId: string, own: readonly Run[]): Beat[] => {
    const of = sources.zaps.find(zapId) ?? zap;
    return zapBeats(sources, of, own, byZap.size > 1 ? shorten(of.title, maxTitle) : 'Zap');
  };
  const cause = causeOf(sources, zap, first);
  return {
    id,
    at: cause.at ?? first.startedAt,
    beats: [
      cause,
      ...[...byZap].flatMap(([zapId, own]) => beatsOf(zapId, own)),
      ...runs.filter(isReplay).flatMap((run) => replayBeats(sources, zap, run)),
    ],
    subject: describeSubject(named(sources.chats, subjectOf(recordOf(first)))),
    runs,
  };
};

/** When the last part of a story happened that is known. */
const newestIn = ({ beats }: Story): number => Math.max(...beats.flatMap(({ at }) => (at ? Date.parse(at) : [])));

/** A test of a step that sends nothing is in its panel only. */
const isTold = (run: Run): boolean => run.alone === undefined || messagesOf(run).length > 0;

const maxStories = 50;

/** What happened in the Zaps of a stage, newest first. */
export const listStories = (sources: StorySources, zap: Zap): Story[] => {
  const ids = new Set(stageOf(sources.zaps, zap).map(({ id }) => id));
  const runs = sources.runs.list().filter((run) => ids.has(run.zapId) && isTold(run));
  const stories = [...groupRuns(runs.toReversed())].flatMap(([id, group]) => toStory(sources, id, group) ?? []);
  // Of stories that ended at the same time, the one that began last.
  return stories
    .toReversed()
    .toSorted((a, b) => newestIn(b) - newestIn(a))
    .slice(0, maxStories);
};

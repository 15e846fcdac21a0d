/** Says what is wrong with the runs of Send Message and Wait for Reply in a world. */
import type { Message } from '../../src/api/resources';
import type { Attempt } from './waiting-runs';
import { person } from './waiting-service';
import type { Story, World } from './waiting-world';

/** Returns the id of the reply with which a step went on. */
type ReplyOf = (attempt: Attempt) => string | undefined;

/** A run, and what the service knows about it. */
interface Told {
  story: Story;
  attempts: Attempt[];
  last: Attempt;
  /** The messages that the run sent. */
  questions: Message[];
  /** The messages after the question, oldest first. */
  after: Message[];
  /** The person's lines among them that don't quote another message. */
  lines: Message[];
  /** Those that answer the question and no other message. */
  answers: Message[];
  /** Whether the person quoted another message. */
  hasOtherQuote: boolean;
  /** The lines that the callback addresses of the run got. */
  heard: { url: string; id: string }[];
  /** The number of webhooks to an address. */
  countWebhooks: (url: string) => number;
}

const isOfPerson = ({ direction, from }: Message): boolean => direction === 'inbound' && from === person;

/** Returns the id of the message that a line answers: the one that it quotes, else the last one to the person. */
const answeredBy = (line: Message, inOrder: readonly Message[]): string | undefined =>
  line.reply_to ??
  inOrder.slice(0, inOrder.indexOf(line)).findLast((each) => each.direction === 'outbound' && each.to === person)?.id;

/** Whether a webhook's address is a callback's, with any query. */
const isTo = (address: string, url: string): boolean => address.split('?')[0] === url;

const readRun = ({ story, zapier, service }: World, run: string): Told | undefined => {
  const attempts = zapier.attempts.filter((each) => each.run === run);
  const last = attempts.at(-1);
  if (!last) return undefined;
  const inOrder = service.messages.toReversed();
  const questions = inOrder.filter(({ variables }) => variables?.run === run);
  const [question] = questions;
  const after = question ? inOrder.slice(inOrder.indexOf(question) + 1) : [];
  return {
    story,
    attempts,
    last,
    questions,
    after,
    lines: after.filter((each) => isOfPerson(each) && (!each.reply_to || each.reply_to === question?.id)),
    answers: after.filter((each) => isOfPerson(each) && answeredBy(each, inOrder) === question?.id),
    hasOtherQuote: after.some((each) => isOfPerson(each) && each.reply_to && each.reply_to !== question?.id),
    heard: service.heard.filter(({ url }) => attempts.some((each) => isTo(url, each.url))),
    countWebhooks: (url) => service.webhooks.filter((each) => isTo(each.url ?? '', url)).length,
  };
};

/** Whether failures are few enough for a step to get over them in the time that it has. */
const isMild = ({ faults }: Story): boolean =>
  faults.every(({ kind, count }) => count <= 2 && !kind.startsWith('hang'));

/** Whether Zapier may resume a step that has told it nothing yet, and the step can't know its own message. */
const isBlind = ({ early, passesQuery, second }: Story): boolean => early === 'run' && !passesQuery && second !== null;

/** Whether a line from before the question was reported as new. */
const isMisled = ({ heard, after }: Told): boolean => heard.some(({ id }) => after.every((each) => each.id !== id));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** Whether the step halted because its send may have succeeded or not. */
const isSendUnknown = ({ last }: Told): boolean => /may have succeeded/.test(messageOf(last.error));

/** Whether the service tells a step everything that it needs to judge a reply. */
const tellsAll = (story: Story): boolean => isMild(story) && story.lagMs === 0;

function* wrongReply({ story, last, questions, lines, answers }: Told, replyOf: ReplyOf): Generator<string> {
  if (questions.length > 1) yield 'the person got the message twice';
  const reply = replyOf(last);
  if (!reply) return;
  if (last.result?.sent.id !== questions[0]?.id) yield 'the reply is to another message';
  if (lines.every(({ id }) => id !== reply)) yield 'the reply is no line of the person after the question';
  const isOwn = answers.some(({ id }) => id === reply);
  if (last.result?.answers_another === false && !isOwn) yield 'the reply answers another message';
  if (last.result?.answers_another && !story.continues) yield 'the step goes on with a reply to another message';
  if (!tellsAll(story)) return;
  if (last.result?.answers_another && isOwn) yield 'the reply seems to answer another message';
  const heardFirst = answers[0] ?? lines[0];
  if (isOwn && heardFirst?.id !== reply) yield "the reply isn't the first line";
}

function* wrongEnd(told: Told, replyOf: ReplyOf): Generator<string> {
  const { story, last, lines, answers, hasOtherQuote, heard } = told;
  if (!isMild(story) || replyOf(last)) return;
  const stopped = messageOf(last.error);
  if (/by quoting it/.test(stopped)) {
    if (!hasOtherQuote) yield 'nobody quoted another message';
    return;
  }
  if (/may answer another/.test(stopped) && !story.continues) {
    if (lines.length === 0) yield 'nobody answered another message';
    if (tellsAll(story) && lines[0] && answers.includes(lines[0])) yield 'the first line answers this message';
    return;
  }
  if (lines.length === 0) {
    if (last.state === 'ended' && !isMisled(told) && !isSendUnknown(told))
      yield `the wait ended too soon${last.error ? `, with ${last.error}` : ''}`;
    return;
  }
  const isHeard = heard.some(({ url, id }) => isTo(url, last.url) && lines.some((each) => each.id === id));
  const isListed = story.lagMs === 0 && story.faults.length === 0;
  // Without the time of the send, nobody knows whether the service still keeps the key.
  const canRepeat = story.isKeyed && !story.givesOnlyId;
  const isCertain = !isMisled(told) && !isSendUnknown(told);
  const canEnd = isHeard || (isListed && story.early !== 'refuse');
  if (canEnd && !isBlind(story) && (isCertain || canRepeat)) yield 'the reply is lost';
}

function* untrueErrors({ attempts, questions }: Told): Generator<string> {
  const told = messageOf(attempts[0]?.error);
  if (attempts.length > 1) return;
  if (/nothing was sent/i.test(told) && questions.length > 0) yield 'the error says that nothing was sent';
  if (/the message was sent/i.test(told) && questions.length === 0) yield 'the error says that the message was sent';
}

function* wrongWebhooks({ story, attempts, countWebhooks }: Told): Generator<string> {
  const isKnown = !isBlind(story) && (story.early !== 'run' || story.fanOutMs === 0);
  for (const { state, url } of attempts) {
    const count = countWebhooks(url);
    if (state === 'waits' && count !== 1) yield `${count} webhooks watch for the reply`;
    if (state === 'ended' && count > 0 && isMild(story) && isKnown) yield 'a webhook is left';
  }
}

function* wrongReplay({ story, replay }: World): Generator<string> {
  if (!replay || story.faults.length > 0) return;
  const isShown = story.lagMs === 0 && story.early !== 'refuse';
  if (replay.state === 'waits' && isShown) yield 'a replay waits for an answer that there is';
  const isTold = story.early !== 'run' || story.passesQuery;
  if (isTold && replay.result?.already_sent === false) yield 'a replay seems to send';
}

/** Zapier ends a step after 30 s. */
const maxStepMs = 28_500;

/** Each reply ends at most one wait without saying so. */
function* sharedReply({ zapier }: World): Generator<string> {
  const results = zapier.attempts.flatMap(({ result }) => (result && !result.answers_another ? [result] : []));
  const questionsOf = Map.groupBy(results, ({ reply }) => reply.id);
  for (const [id, ended] of questionsOf) {
    if (new Set(ended.map(({ sent }) => sent.id)).size > 1) yield `${id} answers two questions`;
  }
}

function* tooSlow({ story, zapier }: World): Generator<string> {
  const isAlone = story.second === null && story.early !== 'run';
  const longest = Math.max(...zapier.durations);
  if (isAlone && longest > maxStepMs) yield `a step takes ${longest} ms`;
}

/** Lists what is wrong, in words. `replyOf` can stand in for the replies that the steps gave. */
export const problemsOf = (world: World, replyOf: ReplyOf = ({ result }) => result?.reply.id): string[] => {
  const ofRuns = ['a', 'b'].flatMap((run) => {
    const told = readRun(world, run);
    if (!told) return [];
    return [...wrongReply(told, replyOf), ...wrongEnd(told, replyOf), ...untrueErrors(told), ...wrongWebhooks(told)];
  });
  const isOtherLeft = world.service.webhooks.some(({ id }) => id === 'other');
  return [
    ...ofRuns,
    ...wrongReplay(world),
    ...sharedReply(world),
    ...tooSlow(world),
    ...(isOtherLeft ? [] : ["another step's webhook is gone"]),
  ];
};

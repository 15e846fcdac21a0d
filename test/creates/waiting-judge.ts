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
  /** The person's lines among them. */
  lines: Message[];
  /** The lines that the callback addresses of the run got. */
  heard: { url: string; id: string }[];
  /** The number of webhooks to an address. */
  countWebhooks: (url: string) => number;
}

const readRun = ({ story, zapier, service }: World, run: string): Told | undefined => {
  const attempts = zapier.attempts.filter((each) => each.run === run);
  const last = attempts.at(-1);
  if (!last) return undefined;
  const inOrder = service.messages.toReversed();
  const questions = inOrder.filter(({ variables }) => variables?.run === run);
  const after = questions[0] ? inOrder.slice(inOrder.indexOf(questions[0]) + 1) : [];
  return {
    story,
    attempts,
    last,
    questions,
    after,
    lines: after.filter(({ direction, from }) => direction === 'inbound' && from === person),
    heard: service.heard.filter(({ url }) => attempts.some((each) => each.url === url)),
    countWebhooks: (url) => service.webhooks.filter((each) => each.url === url).length,
  };
};

/** Whether failures are few enough for a step to get over them in the time that it has. */
const isMild = ({ faults }: Story): boolean =>
  faults.every(({ kind, count }) => count <= 2 && !kind.startsWith('hang'));

const isInOneConversation = ({ lines }: Story): boolean =>
  lines.every(({ conversation_id }) => conversation_id === 'cnv_1');

/** Whether Zapier may resume a step that has told it nothing yet, and the step can't know its own message. */
const isBlind = (story: Story): boolean =>
  story.early === 'run' && (story.second !== null || !isInOneConversation(story));

/** Whether a line from before the question was reported as new. */
const isMisled = ({ heard, after }: Told): boolean => heard.some(({ id }) => after.every((each) => each.id !== id));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** Whether the step halted because its send may have succeeded or not. */
const isSendUnknown = ({ last }: Told): boolean => /may have succeeded/.test(messageOf(last.error));

function* wrongReply({ story, last, questions, lines }: Told, replyOf: ReplyOf): Generator<string> {
  if (questions.length > 1) yield 'the person got the message twice';
  const reply = replyOf(last);
  if (!reply) return;
  if (last.result?.sent.id !== questions[0]?.id) yield 'the reply is to another message';
  const conversation = lines.find(({ id }) => id === reply)?.conversation_id;
  if (!conversation) yield 'the reply is no line of the person after the question';
  const first = lines.find(({ conversation_id }) => conversation_id === conversation);
  // Until the service shows the message, only the callback tells the reply.
  const isShown = !story.givesOnlyId || story.lagMs === 0;
  if (first?.id !== reply && isMild(story) && isShown) yield "the reply isn't the first line";
}

function* wrongEnd(told: Told, replyOf: ReplyOf): Generator<string> {
  const { story, last, lines, heard } = told;
  if (!isMild(story) || replyOf(last)) return;
  if (lines.length === 0) {
    if (last.state === 'ended' && !isMisled(told) && !isSendUnknown(told))
      yield `the wait ended too soon${last.error ? `, with ${last.error}` : ''}`;
    return;
  }
  const isHeard = heard.some(({ url, id }) => url === last.url && lines.some((each) => each.id === id));
  const isListed = story.lagMs === 0 && story.faults.length === 0 && isInOneConversation(story);
  const isCertain = !isMisled(told) && !isBlind(story) && !isSendUnknown(told);
  const canEnd = isHeard || (isListed && story.early !== 'refuse');
  if (canEnd && (isCertain || story.isKeyed)) yield 'the reply is lost';
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
  if (replay.result?.already_sent === false) yield 'a replay seems to send';
}

/** Zapier ends a step after 30 s. */
const maxStepMs = 28_500;

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
    ...tooSlow(world),
    ...(isOtherLeft ? [] : ["another step's webhook is gone"]),
  ];
};

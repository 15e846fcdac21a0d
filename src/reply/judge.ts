/** Which line of a person is the reply to a message of ours. Each line answers at most one for certain. */
import { isNote, saysNothing } from '../api/filters';
import type { Message } from '../api/resources';
import { personOf, samePerson, type Verdict } from '../contact/person';
import { numberIdentity } from '../message/phone';
import { textOf } from '../text/lines';

/** Returns when a message was created, in milliseconds since 1970; NaN when the service doesn't say. */
export const timeOf = ({ created_at }: Message): number => Date.parse(created_at ?? '');

const isExact = ({ created_at }: Message): boolean => /:\d{2}\.\d/.test(created_at ?? '');

/** Returns how much later one message is than another, in milliseconds; undefined when their times don't tell. */
const elapsed = (from: Message, to: Message): number | undefined => {
  const [start, end] = [timeOf(from), timeOf(to)];
  const isClear = isExact(from) && isExact(to) ? start !== end : Math.floor(start / 1000) !== Math.floor(end / 1000);
  return isClear && !Number.isNaN(end - start) ? end - start : undefined;
};

/** The places of messages in a list, by their ids. */
export type Places = ReadonlyMap<string, number>;

const placesOf = (newestFirst: readonly Message[]): Places => new Map(newestFirst.map(({ id }, place) => [id, place]));

const placesAbove = (message: Message, other: Message, places: Places): number | undefined => {
  const [place, otherPlace] = [places.get(message.id), places.get(other.id)];
  return place === undefined || otherPlace === undefined ? undefined : otherPlace - place;
};

/**
 * Returns whether a message came after another one, by their places in a list of which the newest is first. Clocks differ,
 * so times tell only where the list lacks one of them.
 */
const cameAfter = (message: Message, other: Message, places: Places): Verdict => {
  const difference = placesAbove(message, other, places) ?? elapsed(other, message);
  if (!difference) return 'unknown';
  return difference > 0 ? 'yes' : 'no';
};

/** Returns the whole minutes from a message to its reply, or null when a time is missing. */
export const minutesBetween = (sent: Message, reply: Message): number | null => {
  const minutes = (timeOf(reply) - timeOf(sent)) / 60_000;
  return Number.isNaN(minutes) ? null : Math.max(0, Math.round(minutes));
};

/** What was written around a message of ours. */
export interface Thread {
  /** The message. */
  sent: Message;
  /** All messages with the person since then, newest first, and the message itself, and maybe others'. */
  messages: readonly Message[];
  /** Older messages that lines quote, as far as the service has them. */
  quoted: readonly Message[];
  /** Whether the list has the message itself and every newer one, so that a reply that isn't there doesn't exist. */
  isComplete: boolean;
}

/** A reply to a message of ours. */
export interface JudgedReply {
  reply: Message;
  /**
   * `certain` when it answers the message; `doubtful` when the person wrote it, but it may answer another message;
   * `unclear` when somebody else may have written it, or it was taken back.
   */
  verdict: 'certain' | 'doubtful' | 'unclear';
  /** The text of the message that the reply answers; null if unknown. */
  question: string | null;
}

const isOurs = ({ direction }: Message): boolean => direction === 'outbound';

/** Whether a record may be a message of ours. One with another direction, such as a note, is no message. */
const mayBeOurs = (each: Message): boolean => isOurs(each) || !each.direction;

/** Whether a line was taken back, or the service couldn't receive all of it. */
const isWithdrawn = ({ status }: Message): boolean => status === 'deleted' || status === 'failed';

const isLater = (time: string | null | undefined, line: Message): boolean =>
  Math.floor(Date.parse(time ?? '') / 1000) > Math.floor(timeOf(line) / 1000);

/** Returns whether the person had a message of ours when they wrote a line, as far as the service tells. */
const hadArrived = (each: Message, line: Message): Verdict => {
  const arrivals = [each.delivered_at, each.read_at].filter(Boolean);
  if (arrivals.length === 0 && each.status === 'failed') {
    return Date.parse(each.failed_at ?? '') <= timeOf(line) ? 'no' : 'unknown';
  }
  const known = arrivals.length > 0 ? arrivals : [each.sent_at];
  return known.every((time) => isLater(time, line)) ? 'unknown' : 'yes';
};

const differ = (one: string | null | undefined, other: string | null | undefined): boolean =>
  Boolean(one && other) && one !== other;

/** Whether a line came another way than a message of ours went: on another channel, or to another number of ours. */
const cameAnotherWay = (line: Message, question: Message): boolean =>
  differ(line.channel, question.channel) || differ(numberIdentity(line.to), numberIdentity(question.from));

/** Returns whether a message is from or to the person whom a message of ours went to. */
const isWith = (question: Message, each: Message): Verdict =>
  samePerson(personOf({ ...question, direction: 'outbound' }), personOf(each));

/** Whether a line comes from the recipient of a message, as far as anybody knows. */
export const isFromRecipient = (sent: Message, line: Message): boolean =>
  line.direction === 'inbound' && isWith(sent, line) !== 'no';

/** Whether a message of ours may have reached the person between a question and a line, so that the line may answer it. */
const mayIntervene = (each: Message, question: Message, line: Message, places: Places): boolean =>
  each.id !== question.id &&
  mayBeOurs(each) &&
  (isWith(question, each) !== 'no' || samePerson(personOf(each), personOf(line)) !== 'no') &&
  cameAfter(each, question, places) !== 'no' &&
  cameAfter(line, each, places) !== 'no' &&
  hadArrived(each, line) !== 'no';

/** Whether a line that quotes nothing surely answers a message of ours: it's the last one that the person had got. */
const surelyFollows = (line: Message, question: Message, messages: readonly Message[], places: Places): boolean =>
  mayBeOurs(question) &&
  // A list that lacks one of them may lack a message between them as well.
  places.has(line.id) &&
  places.has(question.id) &&
  isWith(question, line) === 'yes' &&
  cameAfter(line, question, places) === 'yes' &&
  hadArrived(question, line) === 'yes' &&
  !cameAnotherWay(line, question) &&
  !messages.some((each) => mayIntervene(each, question, line, places));

/** Returns whether a line answers a message by its quote; undefined when it quotes nothing. */
const answersByQuote = ({ reply_to }: Message, { sent, messages, quoted }: Thread): Verdict | undefined => {
  if (!reply_to) return undefined;
  if (reply_to === sent.id) return 'yes';
  const other = [...messages, ...quoted].find(({ id }) => id === reply_to);
  return other && isOurs(other) ? 'no' : 'unknown';
};

const judge = (line: Message, thread: Thread, places: Places): JudgedReply['verdict'] | undefined => {
  const { sent, messages } = thread;
  const byQuote = answersByQuote(line, thread);
  const person = isWith(sent, line);
  const isOther = isOurs(line) || isNote(line) || line.id === sent.id || saysNothing(line);
  if (isOther || byQuote === 'no') return undefined;
  if (byQuote !== 'yes' && (person === 'no' || cameAfter(line, sent, places) === 'no')) return undefined;
  if (!line.direction || isWithdrawn(line) || (byQuote === 'yes' ? person === 'no' : person === 'unknown'))
    return 'unclear';
  if (byQuote) return byQuote === 'yes' ? 'certain' : 'doubtful';
  return surelyFollows(line, sent, messages, places) ? 'certain' : 'doubtful';
};

const questionOf = (line: Message, { messages }: Thread, places: Places): string | null => {
  const question = line.reply_to
    ? undefined
    : messages.find((each) => isOurs(each) && surelyFollows(line, each, messages, places));
  return question ? textOf(question) : null;
};

/** Returns a line as an answer to the message; undefined when it's surely none. */
export const judgeLine = (
  line: Message,
  thread: Thread,
  places = placesOf(thread.messages),
): JudgedReply | undefined => {
  const verdict = judge(line, thread, places);
  if (!verdict) return undefined;
  const question = verdict === 'certain' ? textOf(thread.sent) : questionOf(line, thread, places);
  return { reply: line, verdict, question };
};

/** Returns the message with what the list says of its delivery, which the response to a send can't say. */
const withDelivery = ({ sent, messages }: Thread): Message => {
  const listed = messages.find(({ id }) => id === sent.id);
  if (!listed) return sent;
  const { status, sent_at, delivered_at, read_at, failed_at } = listed;
  return { ...sent, status, sent_at, delivered_at, read_at, failed_at };
};

/**
 * Returns the answer to a message: the first line after it that answers it for certain, else the first that may.
 * Undefined only when every line since is surely somebody else's, or quotes another message of ours.
 */
export const judgeThread = (thread: Thread): JudgedReply | undefined => {
  const places = placesOf(thread.messages);
  const known = { ...thread, sent: withDelivery(thread) };
  const lines = thread.messages
    .toReversed()
    .map((line) => ({ line, verdict: judge(line, known, places) }))
    .filter(({ verdict }) => verdict);
  const { line } = lines.find(({ verdict }) => verdict === 'certain') ?? lines[0] ?? {};
  return line && judgeLine(line, known, places);
};

/** Returns the ids that lines quote, and that none of the messages has. */
export const unreadQuotes = (sent: Message, messages: readonly Message[], older: readonly Message[]): string[] => {
  const known = new Set([sent, ...messages, ...older].map(({ id }) => id));
  const quotes = messages.filter((each) => isFromRecipient(sent, each));
  return [...new Set(quotes.flatMap(({ reply_to }) => (reply_to && !known.has(reply_to) ? [reply_to] : [])))];
};

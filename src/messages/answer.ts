/** Which message of ours a line of a person answers. Each line answers at most one. */
import type { Message } from '../api/resources';
import { isAfter, timeOf } from './reply';
import { canTellApart, isSamePerson, personOf } from './same-person';
import { textOf } from './text';

/** A reply to a message of ours. */
export interface Answer {
  reply: Message;
  /** Whether the reply may answer another message of ours: it does, or nobody can know. */
  answers_another: boolean;
  /** The text of the message that the reply answers; null when nobody knows which one that is. */
  question: string | null;
}

/** Whether a message is one from or to the recipient of `sent`. */
const isWithRecipient = (sent: Message, each: Message): boolean => {
  const [person, recipient] = [personOf(each), personOf({ ...sent, direction: 'outbound' })];
  // Several people may share a conversation.
  if (canTellApart(person, recipient)) return isSamePerson(person, recipient);
  return Boolean(each.conversation_id) && each.conversation_id === sent.conversation_id;
};

/** Whether a message comes from the recipient of `sent`. */
export const isFromRecipient = (sent: Message, each: Message): boolean =>
  each.direction === 'inbound' && isWithRecipient(sent, each);

/** Whether a message had failed when a line came, so that the person had never seen it. */
const hadFailed = ({ status, failed_at }: Message, line: Message): boolean =>
  status === 'failed' && Date.parse(failed_at ?? '') <= timeOf(line);

/**
 * Whether nobody knows if a line answers the last message before it: the person may have never got that, since it failed
 * later, or may answer an older one on another channel.
 */
const isDoubtful = (last: Message, line: Message): boolean =>
  (last.status === 'failed' && !last.delivered_at && !last.read_at) ||
  (Boolean(last.channel && line.channel) && last.channel !== line.channel);

/**
 * Returns the message that a line of the recipient of `sent` answers: the one that it quotes, else the last one that the
 * person had got, from whomever and on any channel. Nobody knows after a message that may be either side's, and a line on
 * another channel may answer an older one. `messages` are those since `sent`, newest first. Undefined when
 * they don't tell.
 */
const answeredBy = (line: Message, sent: Message, messages: readonly Message[]): Message | undefined => {
  if (line.reply_to) return [sent, ...messages].find(({ id }) => id === line.reply_to);
  // A list that lacks the line may lack a message before it as well.
  if (messages.every(({ id }) => id !== line.id)) return undefined;
  const last = messages.find(
    (each) =>
      each.direction !== 'inbound' &&
      isWithRecipient(sent, each) &&
      isAfter(line, each, messages) &&
      !hadFailed(each, line),
  );
  if (!last || isDoubtful(last, line)) return undefined;
  return last.direction === 'outbound' || last.id === sent.id ? last : undefined;
};

/** Whether a line quotes a message, and not `sent`. Then it's no answer to `sent`, whatever lies between. */
const quotesAnother = (sent: Message, { reply_to }: Message): boolean => Boolean(reply_to) && reply_to !== sent.id;

/** Returns what a line after `sent` answers; undefined when it quotes another message. */
export const judgeLine = (sent: Message, line: Message, messages: readonly Message[]): Answer | undefined => {
  if (quotesAnother(sent, line)) return undefined;
  const answered = answeredBy(line, sent, messages);
  return { reply: line, answers_another: answered?.id !== sent.id, question: answered ? textOf(answered) : null };
};

/**
 * Returns the answer to a message: the first line after it that answers it for certain, else the first that may. A line
 * that quotes another message is none. `messages` are all with the person since then, newest first.
 */
export const findAnswer = (sent: Message, messages: readonly Message[]): Answer | undefined => {
  const lines = messages.filter((each) => isFromRecipient(sent, each) && isAfter(each, sent, messages)).toReversed();
  const answers = lines.flatMap((line) => judgeLine(sent, line, messages) ?? []);
  return answers.find(({ answers_another }) => !answers_another) ?? answers[0];
};

/** Which message of ours a person's line answers, by the catalogue and docs/faq.md. */
import { asFields, type Entity } from './service';

/** Whether two messages are from or to the same contact. One that is deleted isn't the one who has the number next. */
const isSamePerson = (one: Entity, other: Entity): boolean => asFields(one.contact).id === asFields(other.contact).id;

/** Whether a message is one of the person whom `asked` went to, and later. */
export const follows = (each: Entity | undefined, asked: Entity | undefined): boolean =>
  !!each && !!asked && each.direction === 'inbound' && isSamePerson(each, asked) && each.seq > asked.seq;

export const quotesAnother = ({ reply_to }: Entity, asked: Entity): boolean =>
  Boolean(reply_to) && reply_to !== asked.id;

/** Returns the message that a line answers: the one that it quotes, else the last one that the person had got. */
export const answeredBy = (line: Entity, messages: readonly Entity[]): Entity | undefined => {
  if (line.reply_to) return messages.find(({ id }) => id === line.reply_to);
  const hadFailed = ({ status, failed_at }: Entity) =>
    status === 'failed' && Date.parse(String(failed_at)) <= Date.parse(String(line.created_at));
  return messages.findLast(
    (each) => each.direction === 'outbound' && isSamePerson(each, line) && each.seq < line.seq && !hadFailed(each),
  );
};

/**
 * Whether a line answers a question for certain. On another channel it may answer an older one, and a question that failed
 * later may have never arrived.
 */
export const answers = (line: Entity, asked: Entity, messages: readonly Entity[]): boolean => {
  if (answeredBy(line, messages) !== asked) return false;
  const hasArrived = asked.status !== 'failed' || Boolean(asked.delivered_at ?? asked.read_at);
  return Boolean(line.reply_to) || (line.channel === asked.channel && hasArrived);
};

/** Whether it depends on when one asks: a message failed in the second of the line, or the question after it. */
export const isUnclear = (line: Entity, asked: Entity, messages: readonly Entity[]): boolean =>
  messages.some(({ status, failed_at, ...each }) => {
    if (status !== 'failed' || !isSamePerson(each, line)) return false;
    const isLater = Date.parse(String(failed_at)) > Date.parse(String(line.created_at));
    return failed_at === line.created_at || (isLater && each.id === asked.id);
  });

/** Returns the line that answers a question: the first that does for certain, else the first that may. */
export const answerTo = (asked: Entity, messages: readonly Entity[]): Entity | undefined => {
  const lines = messages.filter((each) => follows(each, asked) && !quotesAnother(each, asked));
  return lines.find((line) => answers(line, asked, messages)) ?? lines[0];
};

/** Which message of ours a person's line answers, by the catalogue and docs/faq.md. */
import { asFields, type Fields, textOf } from './fields';
import { phoneOf } from './people';
import { asOf, type Entity } from './records';
import { second } from './time';
import type { Step } from './wire';

/** The phone whose number a message shows of the person, or else their contact. */
const numberOf = ({ direction, from, to, contact }: Entity): string =>
  phoneOf(textOf((direction === 'inbound' ? from : to) ?? asFields(contact).phone));

/** Whether two messages are from or to the same contact, or the same phone, which a new contact may have. */
const isSamePerson = (one: Entity, other: Entity): boolean =>
  asFields(one.contact).id === asFields(other.contact).id ||
  (numberOf(one) !== '' && numberOf(one) === numberOf(other));

/** Whether a line has no text that anybody sees, no attachment and no button, such as a reaction that was taken back. */
export const saysNothing = ({ text, attachments, button }: Fields): boolean =>
  textOf(text).trim() === '' && !button && (!Array.isArray(attachments) || attachments.length === 0);

/** Whether a message is one of the person whom `asked` went to, says something, and is later. */
export const follows = (each: Entity | undefined, asked: Entity | undefined): boolean =>
  !!each &&
  !!asked &&
  each.direction === 'inbound' &&
  !saysNothing(each) &&
  isSamePerson(each, asked) &&
  each.seq > asked.seq;

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

const seconds = (time: unknown): number => Math.floor(Date.parse(String(time)) / 1_000);

/** Whether a question had reached the phone when a line was written, as far as the service tells. */
export const hadArrived = ({ status, sent_at, delivered_at, read_at }: Entity, line: Entity): boolean => {
  const isBy = (time: unknown) => seconds(time) <= seconds(line.created_at);
  if (delivered_at ?? read_at) return isBy(delivered_at) || isBy(read_at);
  return status !== 'failed' && (!sent_at || isBy(sent_at));
};

/**
 * Whether a line answers a question for certain. On another channel it may answer an older one, and a question that failed
 * later may have never arrived.
 */
export const answers = (line: Entity, asked: Entity, messages: readonly Entity[]): boolean => {
  if (answeredBy(line, messages) !== asked) return false;
  return Boolean(line.reply_to) || (line.channel === asked.channel && hadArrived(asked, line));
};

/** Whether a line quotes another message of ours. Who quotes a line of their own may answer any question. */
export const answersAnother = (line: Entity, asked: Entity, messages: readonly Entity[]): boolean =>
  quotesAnother(line, asked) && messages.some(({ id, direction }) => id === line.reply_to && direction === 'outbound');

/** Returns the line that answers a question: the first that does for certain, else the first that may. */
export const answerTo = (asked: Entity, messages: readonly Entity[]): Entity | undefined => {
  const lines = messages.filter((each) => follows(each, asked) && !answersAnother(each, asked, messages));
  return lines.find((line) => answers(line, asked, messages)) ?? lines[0];
};

/** How far behind a copy of the messages may be. */
const staleMs = 4 * second;

/** Returns the messages as a step may have seen them: at its start, at its end, and at each change in between. */
export const looksOf = (messages: readonly Entity[], { startedAt, endedAt, calls }: Step): Entity[][] => {
  const from = startedAt - (calls.some(({ fault }) => fault === 'stale') ? staleMs : 0);
  const changes = messages.flatMap(({ at, states = [] }) => [at, ...states.map((each) => each.at)]);
  const moments = [from, ...new Set(changes.filter((at) => at > from && at <= endedAt))].toSorted((a, b) => a - b);
  return moments.map((ms) => messages.filter(({ at }) => at <= ms).map((each) => asOf(each, ms)));
};

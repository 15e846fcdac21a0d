import * as z from 'zod/mini';
import { headers } from '../../src/api/endpoints';
import type { Message } from '../../src/api/resources';
import type { StepResult } from '../../zapier/core/result';
import type { Run } from '../../zapier/runs/run';
import type { Phone } from './activity';
import { messagesIn } from './sent-messages';
import { type Subject, subjectOf } from './subject';

const keyed = z.catch(z.looseObject({ deduplication_key: z.catch(z.optional(z.string()), undefined) }), {});

/** A sentence about a run, with where a phone shows it. */
export interface Fact {
  sentence: string;
  phone: Phone | undefined;
}

const writes = ({ requests }: StepResult): boolean => requests.some(({ method }) => method === 'POST');

/** Every message that the steps of a run sent. A trigger or a search may give messages too, which caused it or were there. */
export const messagesOf = ({ steps }: Run): Message[] =>
  steps.filter(writes).flatMap(({ output }) => messagesIn(output));

// Send Message and Wait for Reply gives the reply in `reply`.
const withReply = z.object({ reply: z.object({ id: z.string() }) });

/** The ids of the messages that a run waited for. */
export const repliesTo = ({ steps }: Run): string[] =>
  steps.filter(writes).flatMap(({ output }) => withReply.safeParse(output).data?.reply.id ?? []);

const phoneOf = ({ conversation_id, id }: Message, label: string): Phone | undefined =>
  conversation_id ? { chat: conversation_id, message: `${id}`, label } : undefined;

/** Who and what a run is about: what started it, or else the first message that it sent. */
export const subjectOfRun = (run: Run): Subject => {
  const [trigger, sent] = [subjectOf(run.trigger), subjectOf(messagesOf(run)[0])];
  return { phone: trigger.phone ?? sent.phone, name: trigger.name ?? sent.name, text: trigger.text ?? sent.text };
};

const whoOf = ({ name, phone }: Subject): string => name ?? phone ?? 'The customer';

/** What a run waits for a customer to do, or undefined. */
export const waitsFor = (run: Run): Fact | undefined => {
  const sent = run.pause?.until === 'callback' ? messagesIn(run.steps[run.pause.index]?.output)[0] : undefined;
  if (run.pause?.until !== 'callback') return undefined;
  const who = whoOf(subjectOf(sent));
  const phone = sent && phoneOf(sent, `Reply as ${who}`);
  return { sentence: `Waits for a reply from ${who}.`, phone };
};

const timeOf = (at: unknown): string => {
  const date = new Date(`${at}`);
  return `${date.getHours()}`.padStart(2, '0') + `:${date.getMinutes()}`.replace(/:(\d)$/, ':0$1');
};

/**
 * Whether the service repeated its response to an earlier run. Only the first request of a step shows that: a later one
 * may repeat the response to the first, which got lost.
 */
const isRepeat = ({ requests }: StepResult): boolean =>
  requests.find(({ method }) => method === 'POST')?.headers[headers.idempotentReplayed] === 'true';

/** The messages that a run didn't send again, because an earlier run had sent them. */
export const sentBefore = (run: Run): Fact[] =>
  run.steps.filter(isRepeat).flatMap(({ input, output }) =>
    messagesIn(output).map((message) => {
      const key = keyed.parse(input ?? {}).deduplication_key;
      const about = key ? ` (Send Only Once Per: ${key.slice(0, 80)})` : '';
      const sentence = `${whoOf(subjectOf(message))} got this message at ${timeOf(message.created_at)}${about}. Nothing new was sent.`;
      return { sentence, phone: phoneOf(message, 'Show the message') };
    }),
  );

import * as z from 'zod/mini';
import { headers } from '../../../src/api/endpoints';
import type { Message } from '../../../src/api/resources';
import { type ApiRequest, type StepResult, type StepStatus, statusText } from '../../zapier/core/result';
import type { Step } from '../../zapier/kinds';
import { foundNothing } from '../../zapier/kinds/search-results';
import type { Run } from '../../zapier/runs/run';
import { asApp } from '../../zapier/zap/steps';
import { messagesIn } from './sent-messages';
import { type Subject, subjectOf } from './subject';

const keyed = z.catch(z.looseObject({ deduplication_key: z.catch(z.optional(z.string()), undefined) }), {});

/** A message in a chat. */
export interface Phone {
  chat: string;
  message: string;
  /** The text of the link to it. */
  label: string;
}

/** A sentence about a run, with where a phone shows it. */
export interface RunNote {
  sentence: string;
  phone: Phone | undefined;
}

const writes = ({ requests }: StepResult): boolean => requests.some(({ method }) => method === 'POST');

/** Whether the service refused the request, so that nothing came of it. */
const isRefused = ({ status = 0 }: ApiRequest): boolean => status >= 400 && status < 500;

/** Whether a step may have sent something. */
const maySend = ({ requests }: StepResult): boolean =>
  requests.some((request) => request.method === 'POST' && !isRefused(request));

const failed: readonly StepStatus[] = ['error', 'halted'];

/** Whether a step stopped its run by an error. */
export const hasStopped = ({ status }: Pick<StepResult, 'status'>): boolean => failed.includes(status);

/** Whether a step stopped its run as planned: a search found nothing. */
export const isUsualStop = ({ status, failure }: Pick<StepResult, 'status' | 'failure'>): boolean =>
  status === 'halted' && failure?.message === foundNothing;

/** The position of the step that stopped a run or holds it, or undefined. */
export const stoppedAt = (run: Run): number | undefined => {
  if (!hasStopped(run) && run.status !== 'held') return undefined;
  const at = run.steps.findLastIndex(({ status }) => status === run.status);
  return at < 0 ? undefined : at;
};

/** Whether people expect a message of a step. */
export const isSending = (step: Step | undefined): boolean =>
  /^creates\.(send|start)/.test(asApp(step)?.operation ?? '');

/** What happened at a step that failed or is held. `where` follows the status, such as " at step 2". */
export const describeStop = (result: StepResult, step: Step | undefined, where = ''): string =>
  `${statusText[result.status]}${where}${isSending(step) && !maySend(result) ? ', and nothing was sent' : ''}`;

/** Why the service doesn't take a request, by the status of its response. */
export const describeOutage = (status: number): string =>
  status === 429 ? 'The messaging service takes no more requests for now' : 'The messaging service is down';

/** The text up to its first full stop. */
export const firstSentence = (text: string): string => text.split(/\.(?= |$)/)[0] ?? '';

/** What happened at a step that failed or is held, and why, in the words that the card, the panel and the story share. */
export const explainStop = (result: StepResult, step: Step | undefined, where?: string): string =>
  [describeStop(result, step, where), firstSentence(result.failure?.message ?? '')].filter(Boolean).join(': ');

/** Every message that the steps of a run sent. A trigger or a search may give messages too, which caused it or were there. */
export const messagesOf = ({ steps }: Run): Message[] =>
  steps.filter(writes).flatMap(({ output }) => messagesIn(output));

const id = z.catch(z.string(), '');
const identified = z.catch(z.looseObject({ id, campaign_id: id }), { id: '', campaign_id: '' });

/** The ids of the messages and campaigns that the steps of a run sent or started. */
export const idsOf = (run: Run): string[] => [
  ...messagesOf(run).map(({ id }) => `${id}`),
  ...run.steps.filter(writes).flatMap(({ output }) => {
    const { id: own, campaign_id } = identified.parse(output ?? {});
    return [own, campaign_id].filter(Boolean);
  }),
];

const reply = z.object({ id: z.string() });

/** What Send Message and Wait for Reply gives, or Find Reply. */
const withReply = z.union([z.object({ reply }), z.extend(reply, { answers_another: z.boolean() })]);

const replyIn = (output: unknown): string[] => {
  const { data } = withReply.safeParse(output);
  if (!data) return [];
  return ['reply' in data ? data.reply.id : data.id];
};

/** The ids of the replies that a run waited for or looked up. */
export const repliesTo = ({ steps }: Run): string[] => steps.flatMap(({ output }) => replyIn(output));

const phoneOf = ({ conversation_id, id }: Message, label: string): Phone | undefined =>
  conversation_id ? { chat: conversation_id, message: `${id}`, label } : undefined;

const whoOf = ({ name, phone }: Subject): string => name ?? phone ?? 'The customer';

/** What a run waits for a customer to do, or undefined. */
export const waitsFor = (run: Run): RunNote | undefined => {
  const sent = run.pause?.until === 'callback' ? messagesIn(run.steps[run.pause.index]?.output)[0] : undefined;
  if (run.pause?.until !== 'callback') return undefined;
  if (run.pause.steps[run.pause.index]?.type === 'approval')
    return { sentence: 'Waits for a person to approve it.', phone: undefined };
  const who = whoOf(subjectOf(sent));
  const phone = sent && phoneOf(sent, `Reply as ${who}`);
  return { sentence: `Waits for a reply from ${who}.`, phone };
};

/** The hour and minute. */
export const timeOf = (at: unknown): string => {
  const date = new Date(`${at}`);
  return `${date.getHours()}`.padStart(2, '0') + `:${date.getMinutes()}`.replace(/:(\d)$/, ':0$1');
};

/**
 * Whether the service repeated its response to an earlier run. Only the first request of a step shows that: a later one
 * may repeat the response to the first, which got lost.
 */
const isRepeat = ({ requests }: StepResult): boolean =>
  requests.find(({ method }) => method === 'POST')?.headers[headers.idempotentReplayed] === 'true';

/** The messages that steps of a run didn't send again, because an earlier run had sent them. */
export const sentBefore = ({ steps }: Pick<Run, 'steps'>): RunNote[] =>
  steps.filter(isRepeat).flatMap(({ input, output }) =>
    messagesIn(output).map((message) => {
      const key = keyed.parse(input ?? {}).deduplication_key;
      const about = key ? ` (Send Once for Each: ${key.slice(0, 80)})` : '';
      const sentence = `${whoOf(subjectOf(message))} got this message at ${timeOf(message.created_at)}${about}. Nothing new was sent.`;
      return { sentence, phone: phoneOf(message, 'Show the message') };
    }),
  );

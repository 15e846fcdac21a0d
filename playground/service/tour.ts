import { message } from '../../src/api/resources';
import type { Run } from '../../zapier/run';
import { hasDraft } from '../../zapier/versions';
import type { Zap } from '../../zapier/zap';
import type { Parts } from './assemble';
import { startingSteps } from './new-zaps';
import { firstMessage, quickCustomers } from './quick-customers';
import { requestFaultName } from './simulation';

const [customer] = quickCustomers;

/** What happened so far of a question and its answer. Each comes after the one before it. */
export interface Played {
  hasAsked: boolean;
  hasStarted: boolean;
  isSending: boolean;
  /** The text of the answer. */
  answer: string | undefined;
  /** Such as `read`. */
  status: string;
  /** Why there is no answer. */
  problem: string | undefined;
}

/** What a newcomer has done. */
export interface Tour {
  zap: Zap;
  played: Played;
  hasChanged: boolean;
  hasBroken: boolean;
  hasBuilt: boolean;
}

/** Fails every request that sends, as often as the app tries again. */
export const breakingFault = requestFaultName('writes', '503');

const hasFailedRequest = ({ steps }: Run): boolean =>
  steps.some(({ requests }) => requests.some(({ status = 0 }) => status >= 500));

const valuesOf = (steps: Zap['steps']): string =>
  JSON.stringify(steps.map((step) => (step.type === 'own' ? step.values : step)));

const startingValues = valuesOf(startingSteps());

/** Reads what happened of the tour from the chat, the runs and the Zaps. Undefined when the first Zap is gone. */
export const readTour = ({ zaps, chats }: Parts): Tour | undefined => {
  const [zap] = zaps.list();
  if (!zap) return undefined;
  const chat = chats.list().find(({ phone }) => phone === customer.phone);
  const asked = chat?.messages.findLastIndex(({ direction, text }) => direction === 'inbound' && text === firstMessage);
  const question = chat?.messages[asked ?? -1];
  const answer = chat?.messages.slice((asked ?? 0) + 1).find(({ direction }) => direction === 'outbound');
  const run = zaps.runs().find(({ zapId, trigger }) => zapId === zap.id && idOf(trigger) === question?.id);
  return {
    zap,
    played: {
      hasAsked: question !== undefined,
      hasStarted: run !== undefined,
      isSending: run !== undefined && (run.status === 'running' || answer !== undefined),
      answer: answer?.text ?? undefined,
      status: `${answer?.status ?? ''}`,
      problem: run?.steps.find(({ failure }) => failure)?.failure?.message,
    },
    hasChanged: valuesOf(zap.steps) !== startingValues,
    hasBroken: zaps.runs().some((each) => each.zapId === zap.id && hasFailedRequest(each)),
    hasBuilt: zaps.list().length > 1,
  };
};

const idOf = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;

/** The tour of a newcomer who opens the first Zap and hasn't done everything yet. */
export const findTour = (parts: Parts, opened: Zap): Tour | undefined => {
  const tour = readTour(parts);
  const isDone = tour?.hasChanged && tour.hasBroken && tour.hasBuilt;
  return tour?.zap === opened && !isDone ? tour : undefined;
};

/** Turns the first Zap on or publishes its draft, and lets a customer ask. Returns the id of the chat. Rejects with an error of core, or of the service. */
export const play = async ({ zaps, subscriptions, service, chats }: Parts): Promise<string | undefined> => {
  const [zap] = zaps.list();
  if (zap && !zap.isOn) await subscriptions.turnOn(zap);
  else if (zap && hasDraft(zap)) await subscriptions.publish(zap);
  const question = { from: customer.phone, text: firstMessage, channel: 'whatsapp' };
  const written = message.schema.parse(await service.control('POST', 'messages', question));
  chats.put(written);
  return written.conversation_id ?? undefined;
};

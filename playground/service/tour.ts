import { message } from '../../src/api/resources';
import { hasEnded, type Run } from '../../zapier/run';
import { hasDraft } from '../../zapier/versions';
import type { Zap } from '../../zapier/zap';
import type { Parts } from './assemble';
import { startingSteps } from './new-zaps';
import { firstMessage, quickCustomers } from './quick-customers';

const [customer] = quickCustomers;

/** What happened so far of a question and its answer. Each comes after the one before it. */
export interface Played {
  hasAsked: boolean;
  hasStarted: boolean;
  /** The status of the last response while the step retries, such as 503. */
  retriesAfter: number | undefined;
  /** The text of the answer. */
  answer: string | undefined;
  /** Such as `read`. */
  status: string;
  /** Why there is no answer. */
  problem: string | undefined;
  run: Run | undefined;
  /** Whether the run failed, and nothing ran since. */
  canRepair: boolean;
}

/** What a newcomer has done. */
export interface Tour {
  zap: Zap;
  played: Played;
  hasChanged: boolean;
  hasBroken: boolean;
  hasBuilt: boolean;
}

const hasFailedRequest = ({ steps }: Run): boolean =>
  steps.some(({ requests }) => requests.some(({ status = 0 }) => status >= 500));

const valuesOf = (steps: Zap['steps']): string =>
  JSON.stringify(steps.map((step) => (step.type === 'own' ? step.values : step)));

const startingValues = valuesOf(startingSteps());

const problemOf = (run: Run | undefined): string | undefined =>
  run?.status === 'running' ? undefined : run?.steps.find(({ failure }) => failure)?.failure?.message;

type TourParts = Pick<Parts, 'zaps' | 'chats' | 'runner'>;

const chatOf = ({ chats }: Pick<Parts, 'chats'>) => chats.list().find(({ phone }) => phone === customer.phone);

/** Reads what happened of the tour from the chat, the runs and the Zaps. Undefined when the first Zap is gone. */
export const readTour = ({ zaps, chats, runner }: TourParts): Tour | undefined => {
  const [zap] = zaps.list();
  if (!zap) return undefined;
  const chat = chatOf({ chats });
  const asked = chat?.messages.findLastIndex(({ direction, text }) => direction === 'inbound' && text === firstMessage);
  const question = chat?.messages[asked ?? -1];
  const answer = chat?.messages.slice((asked ?? 0) + 1).find(({ direction }) => direction === 'outbound');
  const run = zaps.runs().find(({ zapId, trigger }) => zapId === zap.id && idOf(trigger) === question?.id);
  // What ran since shows that the failure is over.
  const isNewest = run === zaps.runs().find(({ zapId, trigger }) => zapId === zap.id && trigger !== undefined);
  return {
    zap,
    played: {
      hasAsked: question !== undefined,
      hasStarted: run !== undefined,
      retriesAfter: run && runner.requestsSoFar(run).findLast(({ status = 0 }) => status >= 500)?.status,
      answer: answer?.text ?? undefined,
      status: `${answer?.status ?? ''}`,
      problem: isNewest ? problemOf(run) : undefined,
      run,
      canRepair: isNewest && run?.failed !== undefined,
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
  const question = { from: customer.phone, text: firstMessage, channel: 'whatsapp', stays_open: true };
  const written = message.schema.parse(await service.control('POST', 'messages', question));
  chats.put(written);
  return written.conversation_id ?? undefined;
};

/** Lets a customer ask while the service fails, unless an earlier run is still trying to send. Returns the id of the chat. */
export const playFailing = async (parts: Parts): Promise<string | undefined> => {
  const { run } = readTour(parts)?.played ?? {};
  if (run && !hasEnded(run)) return chatOf(parts)?.id;
  await parts.simulation.addTourFault();
  const chat = await play(parts);
  parts.simulation.isForTour = true;
  return chat;
};

/** Ends the failure when the run that it's for has ended, so that it reaches no other Zap. */
export const endFailure = async (parts: TourParts & Pick<Parts, 'simulation'>): Promise<void> => {
  const { run } = readTour(parts)?.played ?? {};
  if (!parts.simulation.isForTour || !run || !hasEnded(run)) return;
  parts.simulation.isForTour = false;
  await parts.simulation.endTourFault();
};

/** Ends every failure, and continues the run at the step that failed. */
export const repair = async (parts: Parts): Promise<void> => {
  const { run } = readTour(parts)?.played ?? {};
  await parts.simulation.clearFaults();
  if (run) await parts.runner.autoreplay(run);
};

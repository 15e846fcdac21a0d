import type { Runs } from '../../zapier/runs/kept-runs';
import { hasEnded, type Run } from '../../zapier/runs/run';
import type { Runner } from '../../zapier/runs/run-zaps';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import { asApp } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Chats } from './chats';
import { startingSteps } from './new-zaps';
import { firstMessage, quickCustomers } from './quick-customers';
import type { Simulation } from './simulation';

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

const valuesOf = (steps: Zap['steps']): string => JSON.stringify(steps.map((step) => asApp(step)?.values ?? step));

const startingValues = valuesOf(startingSteps());

const problemOf = (run: Run | undefined): string | undefined =>
  run?.status === 'running' ? undefined : run?.steps.find(({ failure }) => failure)?.failure?.message;

/** What the tour is read from. */
interface TourParts {
  zaps: Zaps;
  runs: Runs;
  chats: Chats;
  runner: Runner;
}

/** The chat of the customer who asks. */
export const chatOf = ({ chats }: Pick<TourParts, 'chats'>) =>
  chats.list().find(({ phone }) => phone === customer.phone);

/** Reads what happened of the tour from the chat, the runs and the Zaps. Undefined when the first Zap is gone. */
export const readTour = ({ zaps, runs, chats, runner }: TourParts): Tour | undefined => {
  const [zap] = zaps.list();
  if (!zap) return undefined;
  const chat = chatOf({ chats });
  const asked = chat?.messages.findLastIndex(({ direction, text }) => direction === 'inbound' && text === firstMessage);
  const question = chat?.messages[asked ?? -1];
  const answer = chat?.messages.slice((asked ?? 0) + 1).find(({ direction }) => direction === 'outbound');
  const run = runs.list().find(({ zapId, trigger }) => zapId === zap.id && idOf(trigger) === question?.id);
  // What ran since shows that the failure is over.
  const isNewest = run === runs.list().find(({ zapId, trigger }) => zapId === zap.id && trigger !== undefined);
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
    hasBroken: runs.list().some((each) => each.zapId === zap.id && hasFailedRequest(each)),
    hasBuilt: zaps.list().length > 1,
  };
};

const idOf = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;

/** The tour of a newcomer who opens the first Zap and hasn't done everything yet. */
export const findTour = (parts: TourParts, opened: Zap): Tour | undefined => {
  const tour = readTour(parts);
  const isDone = tour?.hasChanged && tour.hasBroken && tour.hasBuilt;
  return tour?.zap === opened && !isDone ? tour : undefined;
};

/** Ends the failure when the run that it's for has ended, so that it reaches no other Zap. */
export const endFailure = async (parts: TourParts & { simulation: Simulation }): Promise<void> => {
  const { run } = readTour(parts)?.played ?? {};
  if (!parts.simulation.isForTour || !run || !hasEnded(run)) return;
  parts.simulation.isForTour = false;
  await parts.simulation.endTourFault();
};

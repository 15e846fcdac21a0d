import type { Runs } from '../../zapier/runs/kept-runs';
import { hasEnded, type Run } from '../../zapier/runs/run';
import type { Runner } from '../../zapier/runs/run-zaps';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import { asApp } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Chats } from './chats';
import { startingSteps } from './new-zaps';
import { firstMessage } from './quick-customers';
import type { Simulation } from './simulation';
import type { TourState } from './tour-state';

/** Who asks: the customer that the sample data of triggers is about, so that the open step has a preview in the same chat. */
export const customer = { phone: '+12025550123', first_name: 'Noor', last_name: 'Visser' };

/** What happened so far of a question and its answer. Each comes after the one before it. */
export interface Played {
  hasStarted: boolean;
  /** The status of the last response while the step retries, such as 503. */
  retriesAfter: number | undefined;
  /** The text of the answer. */
  answer: string | undefined;
  /** Such as `read`. */
  status: string;
  /** In how many seconds the customer read the answer. */
  seconds: number | undefined;
  /** Why there is no answer. */
  problem: string | undefined;
  run: Run | undefined;
  /** Whether the run failed, and nothing ran since. */
  canRepair: boolean;
}

/** What a newcomer has done. */
export interface Tour {
  zap: Zap;
  /** Whether it has begun. */
  isPlaying: boolean;
  played: Played;
  hasChanged: boolean;
  hasBroken: boolean;
  hasBuilt: boolean;
}

const hasFailedRequest = ({ steps }: Run): boolean =>
  steps.some(({ requests }) => requests.some(({ status = 0 }) => status >= 500));

/** What makes up the text of the answer: the template and its variables. */
const textOf = ([, answer]: Zap['steps']): string =>
  JSON.stringify(Object.entries(asApp(answer)?.values ?? {}).filter(([key]) => /^(template$|variable)/.test(key)));

const startingText = textOf(startingSteps());

const problemOf = (run: Run | undefined): string | undefined =>
  run?.status === 'running' ? undefined : run?.steps.find(({ failure }) => failure)?.failure?.message;

const secondsBetween = (from: unknown, to: unknown): number | undefined =>
  from && to ? Math.round((Date.parse(`${to}`) - Date.parse(`${from}`)) / 1000) : undefined;

/** What the tour is read from. */
interface TourParts {
  zaps: Zaps;
  runs: Runs;
  chats: Chats;
  runner: Runner;
  tourState: TourState;
}

/** The chat of the customer who asks. */
export const chatOf = ({ chats }: Pick<TourParts, 'chats'>) =>
  chats.list().find(({ phone }) => phone === customer.phone);

/** Reads what happened of the tour from the chat, the runs and the Zaps. Undefined when the first Zap is gone. */
export const readTour = ({ zaps, runs, chats, runner, tourState }: TourParts): Tour | undefined => {
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
    isPlaying: tourState.phase === 'playing',
    played: {
      hasStarted: run !== undefined,
      retriesAfter: run && runner.requestsSoFar(run).findLast(({ status = 0 }) => status >= 500)?.status,
      answer: answer?.text ?? undefined,
      status: `${answer?.status ?? ''}`,
      seconds: secondsBetween(question?.created_at, answer?.read_at),
      problem: isNewest ? problemOf(run) : undefined,
      run,
      canRepair: isNewest && run?.failed !== undefined,
    },
    hasChanged: textOf(zap.steps) !== startingText,
    hasBroken: runs.list().some((each) => each.zapId === zap.id && hasFailedRequest(each)),
    hasBuilt: zaps.list().some((each) => each !== zap && each.madeFrom === undefined),
  };
};

const idOf = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;

/** The tour while it plays over the first Zap, or before that on the first screen. */
export const findTour = (parts: TourParts, opened: Zap, isFirst = false): Tour | undefined => {
  const { phase } = parts.tourState;
  const isShown = phase === 'playing' || (phase === 'new' && isFirst);
  return isShown && parts.zaps.list()[0] === opened ? readTour(parts) : undefined;
};

/** Ends the failure when the run that it's for has ended, so that it reaches no other Zap. */
export const endFailure = async (parts: TourParts & { simulation: Simulation }): Promise<void> => {
  const { run } = readTour(parts)?.played ?? {};
  if (!parts.simulation.isForTour || !run || !hasEnded(run)) return;
  parts.simulation.isForTour = false;
  await parts.simulation.endTourFault();
};

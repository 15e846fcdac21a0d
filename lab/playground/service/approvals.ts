import * as z from 'zod/mini';
import { type Review, review } from '../../zapier/kinds/approval';
import { callbackId, type Run } from '../../zapier/runs/run';
import type { Zap } from '../../zapier/zap/zap';
import { Refused } from './refused';
import { describeSubject, subjectOf } from './subject';
import type { startZapier } from './zapier';

const texts = z.catch(z.record(z.string(), z.string()), {});

/** What a run asks a person to approve, or what somebody decided. */
export interface Approval {
  run: string;
  /** The position of the step that asks. */
  index: number;
  at: string;
  /** Who it's about, and what they wrote. */
  subject: string | undefined;
  /** By the names that the person who built the Zap chose. */
  content: Record<string, string>;
  /** Undefined while the run waits. */
  decision: Review['decision'] | undefined;
}

const maxShown = 20;

const reviewed = z.looseObject({ decision: review.shape.decision });

/** Whether a step of a Zap asks a person. */
export const asksPerson = ({ steps }: Zap): boolean => steps.some(({ type }) => type === 'approval');

/** What a run of a Zap asks a person to approve, and what was decided. */
export const approvalsIn = ({ steps }: Zap, run: Run): Approval[] =>
  run.steps.flatMap(({ input, output, status }, index) => {
    const asks = steps.some(({ type, id }) => type === 'approval' && id === run.stepIds?.[index]);
    if (!asks || !['waiting', 'success', 'filtered'].includes(status)) return [];
    const decision = reviewed.safeParse(output).data?.decision;
    const { decision: _, ...content } = texts.parse(output ?? input);
    const subject = describeSubject(subjectOf(run.trigger));
    return [{ run: run.id, index, at: run.startedAt, subject, content, decision }];
  });

/** What the runs of a Zap ask a person to approve, and what was decided, newest first. */
export const readApprovals = ({ runs }: { runs: { list(): readonly Run[] } }, zap: Zap): Approval[] =>
  runs
    .list()
    .filter(({ zapId }) => zapId === zap.id)
    .flatMap((run) => approvalsIn(zap, run))
    .slice(0, maxShown);

/** Lets a run go on, or end, with what a person decided. Throws a sentence when it no longer waits. */
export const decide = (
  { runs, runner }: Pick<Awaited<ReturnType<typeof startZapier>>, 'runs' | 'runner'>,
  id: string,
  decided: Review,
): void => {
  const run = runs.find(id);
  const isWaiting = run?.pause && runner.receiveCallback(callbackId(run, run.pause.index), decided);
  if (!isWaiting) throw new Refused('Somebody has decided this already. Reload the page.');
};

import { type StepResult, type StepStatus, statusText } from '../../zapier/core/result';
import type { Run } from '../../zapier/runs/run';
import { titleOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { definition } from '../service/zapier';

/** Whether the run is of a whole Zap, not of a step in the editor. */
export const isWholeRun = ({ type }: Run): boolean => type === 'live' || type === 'replay';

/** Whether the steps of a run are still those of the Zap. */
const isOfSteps = ({ steps }: Run, zap: Zap): boolean =>
  steps.every(({ title }, at) => zap.steps[at] !== undefined && titleOf(definition, zap.steps[at]) === title);

/** The run whose path the canvas shows: the one that a person chose, or else the newest one. */
export const findPainted = (zap: Zap, runs: readonly Run[], chosen: Run | undefined): Run | undefined => {
  const newest = chosen ?? runs.find((run) => run.zapId === zap.id && isWholeRun(run));
  return newest && isOfSteps(newest, zap) ? newest : undefined;
};

/** What a run did at a step, unless the step was tested since. */
export const resultAt = (run: Run | undefined, at: number, test: Run | undefined): StepResult | undefined =>
  test && run && test.startedAt > run.startedAt ? undefined : run?.steps[at];

const failed: readonly StepStatus[] = ['error', 'halted'];

/** Whether a step stopped its run by an error. */
export const hasStopped = ({ status }: Pick<StepResult, 'status'>): boolean => failed.includes(status);

/** Whether somebody or something has to come before the step goes on. */
export const waits = ({ status }: Pick<StepResult, 'status'>): boolean =>
  status === 'held' || status === 'waiting' || status === 'delayed';

/** What happened at a step that failed, in the words that the card, the panel and the story share. */
export const describeStop = ({ status, requests }: StepResult): string =>
  requests.some(({ method }) => method === 'POST') ? statusText[status] : `${statusText[status]}, and nothing was sent`;

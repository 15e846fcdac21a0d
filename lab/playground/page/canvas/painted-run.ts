import type { StepResult } from '../../../zapier/core/result';
import { findTest } from '../../../zapier/editor/step-state';
import type { Step } from '../../../zapier/kinds';
import { currentStep, type Run } from '../../../zapier/runs/run';
import { titleOf } from '../../../zapier/zap/steps';
import type { Zap } from '../../../zapier/zap/zap';
import { hasStopped, isUsualStop } from '../../service/run-notes';
import { definition } from '../../service/zapier';
import type { IconName } from '../elements/icon';

/** Whether the run is of a whole Zap, not of a step in the editor. */
export const isWholeRun = ({ type }: Run): boolean => type === 'live' || type === 'replay';

/** Whether the steps of a run are still those of the Zap. */
const isOfSteps = ({ steps }: Run, zap: Zap): boolean =>
  steps.every(({ title }, at) => zap.steps[at] !== undefined && titleOf(definition, zap.steps[at]) === title);

/** How long after a run went on a filtered one isn't the news: the reply that it waited for starts the Zap too. */
const sameMomentMs = 5000;

const newsAt = ({ startedAt, changedAt = startedAt, status }: Run): number =>
  Date.parse(changedAt) - (status === 'filtered' ? sameMomentMs : 0);

/** The run whose path the canvas shows: the one that a person chose, or else the one that went on last. */
export const findPainted = (zap: Zap, runs: readonly Run[], chosen: Run | undefined): Run | undefined => {
  const own = runs.filter((run) => run.zapId === zap.id && isWholeRun(run));
  const newest = chosen ?? own.toSorted((one, other) => newsAt(other) - newsAt(one))[0];
  return newest && isOfSteps(newest, zap) ? newest : undefined;
};

/** What a run did at a step of its Zap, or that it is there now. */
export const resultOf = (run: Run, at: number): StepResult | undefined => {
  if (run.alone) return run.steps[0];
  return currentStep(run) === at ? { title: '', requests: [], ...run.steps[at], status: 'running' } : run.steps[at];
};

/** Whether somebody or something has to come before the step goes on. */
const waits = ({ status }: Pick<StepResult, 'status'>): boolean =>
  status === 'held' || status === 'waiting' || status === 'delayed';

/** How the page shows a status: the class of its element, and its icon. */
export interface Look {
  look: 'running' | 'passed' | 'waits' | 'filtered' | 'failed';
  icon: IconName;
}

/** How a card, a result, a row and the mark of a test show what a step or a run came to. */
export const lookOf = (result: Pick<StepResult, 'status' | 'failure'>): Look => {
  if (isUsualStop(result) || result.status === 'filtered') return { look: 'filtered', icon: 'ban' };
  if (hasStopped(result)) return { look: 'failed', icon: 'circle-x' };
  if (waits(result)) return { look: 'waits', icon: 'clock' };
  return result.status === 'running'
    ? { look: 'running', icon: 'loader-circle' }
    : { look: 'passed', icon: 'circle-check' };
};

/** The run whose result the panel shows: the one that a person chose, or else the newest that reached the step. */
export const findResult = (zap: Zap, at: number, runs: readonly Run[], chosen: Run | undefined): Run | undefined => {
  const step = zap.steps[at];
  return chosen ?? (step && runToShow(runs, step, at, findPainted(zap, runs, undefined)));
};

/** The run that shows at a step: the last test of the step, or the run that the canvas shows when it's newer. */
export const runToShow = (runs: readonly Run[], step: Step, at: number, painted: Run | undefined): Run | undefined => {
  const test = findTest(runs, step);
  if (!painted || !resultOf(painted, at)) return test;
  return test && test.startedAt > painted.startedAt ? test : painted;
};

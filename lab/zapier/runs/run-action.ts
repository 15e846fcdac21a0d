import type { Clock } from '../clock';
import { failed } from '../core/failure';
import type { StepResult } from '../core/result';
import { kindOf, type Step } from '../kinds';
import type { AppRunner, StepContext } from '../kinds/app-runner';
import type { OtherApps } from '../kinds/kind';
import { findBrokenStep, titleOf } from '../zap/steps';

/** What actions run on. */
export interface ActionParts {
  app: AppRunner;
  clock: Clock;
  others?: OtherApps | undefined;
}

/** Runs a step after the trigger. Never rejects. */
export const runAction = async (
  { app, clock, others }: ActionParts,
  step: Step,
  context: StepContext,
): Promise<StepResult> => {
  const title = titleOf(app.definition, step);
  const message = findBrokenStep(step, context.outputs.length);
  // It maps data that no step before gives, so it must not run.
  if (message) return { title, input: {}, requests: [], ...failed(message) };
  return { requests: [], ...(await kindOf(step).run(step, { ...context, app, clock, others })), title };
};

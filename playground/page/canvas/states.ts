import { stateOf } from '../../../zapier/editor/step-state';
import type { Problems } from '../../../zapier/fields/values';
import type { Run } from '../../../zapier/runs/run';
import type { Zap } from '../../../zapier/zap/zap';
import { definition } from '../../service/zapier';

/** What each step of a Zap needs. */
export const statesOf = (zap: Zap, runs: readonly Run[], refusals: readonly Problems[]) =>
  zap.steps.map((_, at) => stateOf(definition, zap.steps, at, runs, refusals[at]));

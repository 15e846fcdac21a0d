import type { StepState } from '../../../zapier/editor/step-state';
import type { Run } from '../../../zapier/runs/run';
import type { Zap } from '../../../zapier/zap/zap';

/** A Zap as the page shows it, with one step open. */
export interface ZapView {
  zap: Zap;
  zaps: readonly Zap[];
  deletedZaps: readonly Zap[];
  /** Whether the Zap has versions before and after the one that the editor shows. */
  versions: { canUndo: boolean; canRedo: boolean };
  /** The position of the open step. */
  index: number;
  /** Newest first. */
  runs: readonly Run[];
  /** What each step needs. */
  states: readonly StepState[];
  /** The run of the whole Zap that a person chose to look at. */
  chosen?: Run | undefined;
}

/** A part of the page that a response may replace, wherever it comes from. */
export interface Replaceable {
  /** Whether it replaces the one on the page. */
  isUpdate?: boolean;
}

import type { Problems } from '../../zapier/fields/values';
import type { Run } from '../../zapier/runs/run';
import type { Zap } from '../../zapier/zap/zap';
import { Runs } from './activity/runs';
import { Bar } from './bar/bar';
import { Standing } from './bar/notices';
import type { Versions } from './bar/versions';
import { Steps } from './canvas/canvas';
import { statesOf } from './canvas/states';

interface ZapStatusProps {
  zap: Zap;
  zaps: readonly Zap[];
  deletedZaps: readonly Zap[];
  versions: Versions;
  runs: readonly Run[];
  /** What a run would refuse of each step, by the key of the field. */
  refusals: readonly Problems[];
  /** The position of the open step. */
  index: number;
  /** The run that a person chose to look at. */
  chosen: Run | undefined;
}

/** What changes with every run, and when another tab changes the Zap: the bar, the cards, and the runs. */
export const ZapStatus = ({ runs, refusals, ...props }: ZapStatusProps) => {
  const { zap, index, chosen } = props;
  return (
    <>
      <Bar {...props} />
      <Standing zap={zap} isUpdate />
      <Steps zap={zap} index={index} states={statesOf(zap, runs, refusals)} runs={runs} chosen={chosen} isUpdate />
      <Runs zap={zap} runs={runs} index={index} chosen={chosen} isUpdate />
    </>
  );
};

import type { Zap } from '../../../zapier/zap/zap';
import { Problem } from '../elements/problem';
import { isElsewhere } from '../elements/swap';
import type { Replaceable } from '../elements/view';
import { JustDeleted } from './versions';

interface NewsProps {
  /** The Zap that was just deleted. */
  deleted?: Zap | undefined;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
}

/** What a person just did with the Zap, below the bar. */
export const News = ({ deleted, error }: NewsProps) => (
  <>
    {deleted && <JustDeleted zap={deleted} />}
    <Problem id="shown-zap">{error}</Problem>
  </>
);

/** What is so until the Zap changes: that another tab deleted it, or why it has no subscription. */
export const Standing = ({ zap, isUpdate = false }: Replaceable & { zap: Zap }) => (
  <div id="standing" {...(isUpdate && isElsewhere)}>
    {zap.isDeleted && <JustDeleted zap={zap} />}
    <Problem id="zap-problem">{zap.problem}</Problem>
  </div>
);

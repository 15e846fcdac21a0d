import type { Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { Problem } from '../elements/problem';
import { isElsewhere, postWithStep } from '../elements/swap';
import type { Replaceable } from '../elements/view';
import { JustDeleted } from './versions';

interface NewsProps {
  zap: Zap;
  /** The Zaps that were turned off because this one was turned on. */
  turnedOff?: readonly Zap[] | undefined;
  /** The Zap that was just deleted. */
  deleted?: Zap | undefined;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
}

/** Says that other Zaps are off now, with a way back. */
const TurnedOff = ({ zap, others }: { zap: Zap; others: readonly Zap[] }) => (
  <p class="toast" role="status">
    <span dir="auto">
      {others.map(({ title }) => `"${title}"`).join(' and ')} {others.length === 1 ? 'is' : 'are'} off now, so the page
      shows what this Zap does.
    </span>
    <Button
      id="keep-on"
      class="outline small"
      {...postWithStep(`/zap/${zap.id}/keep?zaps=${others.map(({ id }) => id).join()}`)}
    >
      {others.length === 1 ? 'Keep it on' : 'Keep them on'}
    </Button>
  </p>
);

/** What a person just did with the Zap, below the bar. */
export const News = ({ zap, turnedOff = [], deleted, error }: NewsProps) => (
  <>
    {turnedOff.length > 0 && <TurnedOff zap={zap} others={turnedOff} />}
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

import { Button } from './button';
import { Icon } from './icon';
import { oneClick, posts, swapPart } from './swap';

/** Moves the clock forward until a run goes on, at a moment in ms since 1970. */
export const SkipWait = ({ id, until }: { id: string; until: number }) => (
  <Button
    id={id}
    class="outline small"
    {...posts('/simulate', { until })}
    {...oneClick.button}
    {...swapPart('simulate')}
  >
    <Icon name="clock" />
    Skip the wait
  </Button>
);
